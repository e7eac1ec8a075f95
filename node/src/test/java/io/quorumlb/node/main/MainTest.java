package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<NodeConfiguration> started = new ArrayList<>();

    private int run(Main.Runner runner, String... arguments) {
        return Main.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                runner);
    }

    @Test
    void checksWithoutStarting() throws Exception {
        Path file = Files.writeString(directory.resolve("node.yaml"), ConfigurationFileTest.GOOD);
        assertEquals(0, run(started::add, "--check", file.toString()));
        assertEquals(file + " is good: node n1 of cluster quorumlb-site\n", out.toString(StandardCharsets.UTF_8));
        assertEquals(List.of(), started);
    }

    @Test
    void startsTheConfiguredNode() throws Exception {
        Path file = Files.writeString(directory.resolve("node.yaml"), ConfigurationFileTest.GOOD);
        assertEquals(0, run(started::add, file.toString()));
        assertEquals(List.of(ConfigurationFile.load(file)), started);
    }

    @Test
    void aWrongConfigurationIs64AndStartsNothing() throws Exception {
        Path file = Files.writeString(directory.resolve("node.yaml"), "node: n1\n");
        assertEquals(64, run(started::add, file.toString()));
        assertTrue(
                err.toString(StandardCharsets.UTF_8).contains("\n  cluster: is missing; "),
                err.toString(StandardCharsets.UTF_8));
        assertEquals(64, run(started::add, "--check", file.toString()));
        assertEquals(64, run(started::add));
        assertEquals(List.of(), started);
    }

    @Test
    void aFailedStartIsOneSentence() throws Exception {
        Path file = Files.writeString(directory.resolve("node.yaml"), ConfigurationFileTest.GOOD);
        int exit = run(
                _ -> {
                    throw new IOException("port 172.30.0.11:7480 cannot be opened");
                },
                file.toString());
        assertEquals(1, exit);
        assertEquals(
                "lbnode: node n1 cannot run: port 172.30.0.11:7480 cannot be opened\n",
                err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void aDefectShowsNoStackTrace() throws Exception {
        Path file = Files.writeString(directory.resolve("node.yaml"), ConfigurationFileTest.GOOD);
        int exit = run(
                _ -> {
                    throw new IllegalStateException("unknown log entry");
                },
                file.toString());
        assertEquals(1, exit);
        assertFalse(err.toString(StandardCharsets.UTF_8).contains("\tat "), err.toString(StandardCharsets.UTF_8));
    }
}
