package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A program for Node, run to its end. Where it cannot run its test is skipped, or fails if QUORUMLB_REQUIRE_NODE is 1. */
record NodeProgram(int status, String output) {
    /** The programs and what they import. */
    static final Path CLIENT =
            Path.of("..", "verify", "client").toAbsolutePath().normalize();

    /** Where the programs that the lint of the API brings are. */
    static final Path LINT = Path.of("..", "proto", "lint", "node_modules", ".bin")
            .toAbsolutePath()
            .normalize();

    /** Skips the test where Node or a package is missing. */
    static void assumeInstalled() {
        boolean there = Files.isDirectory(CLIENT.resolve("node_modules"))
                && Files.exists(LINT.resolve("buf"))
                && Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, "node")));
        if ("1".equals(System.getenv("QUORUMLB_REQUIRE_NODE"))) {
            assertTrue(there, "QUORUMLB_REQUIRE_NODE=1, but Node or its packages are missing: scripts/node-packages");
        }
        assumeTrue(there, "Node or its packages are missing: scripts/node-packages");
    }

    /** Runs one of the programs. */
    static NodeProgram run(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of("node", CLIENT.resolve(program).toString()));
        command.addAll(List.of(arguments));
        return run(new ProcessBuilder(command));
    }

    /** Runs any program; standard output and standard error are taken together. */
    static NodeProgram run(ProcessBuilder program) throws IOException, InterruptedException {
        Process running = program.redirectErrorStream(true).start();
        try {
            running.getOutputStream().close();
            String output = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new NodeProgram(running.waitFor(), output);
        } finally {
            running.destroyForcibly();
        }
    }
}
