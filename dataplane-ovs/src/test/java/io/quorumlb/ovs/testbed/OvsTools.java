package io.quorumlb.ovs.testbed;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The tools of Open vSwitch on this machine. */
public final class OvsTools {
    private static final List<Path> DIRECTORIES =
            List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"), Path.of("/usr/local/bin"), Path.of("/usr/local/sbin"));

    private OvsTools() {}

    /** Skips the test if a tool is absent; fails it instead where QUORUMLB_REQUIRE_OVS=1 says that it must be there. */
    public static void require(String tool) {
        boolean present = DIRECTORIES.stream().anyMatch(directory -> Files.isExecutable(directory.resolve(tool)));
        if ("1".equals(System.getenv("QUORUMLB_REQUIRE_OVS"))) {
            Assertions.assertTrue(present, tool + " is absent and QUORUMLB_REQUIRE_OVS is 1");
        }
        Assumptions.assumeTrue(present, tool + " is absent; install openvswitch-switch to run this test");
    }

    /** Runs a command to its end and returns what it wrote; it must succeed. */
    public static String run(List<String> command) {
        return run(command, Map.of());
    }

    /** Runs a command with further environment to its end and returns what it wrote; it must succeed. */
    public static String run(List<String> command, Map<String, String> environment) {
        var builder = new ProcessBuilder(new ArrayList<>(command)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Assertions.assertTrue(process.waitFor(20, TimeUnit.SECONDS), "hangs: " + command);
            Assertions.assertEquals(0, process.exitValue(), () -> command + ": " + output);
            return output;
        } catch (IOException failed) {
            throw new AssertionError(command + ": " + failed.getMessage(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }
}
