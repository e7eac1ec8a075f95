package io.quorumlb.verify.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The trace of one seed is the same to the byte in every process. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FreshJvmTest {
    private static final List<Long> SEEDS = List.of(11L, 12L, 13L);
    private static final int NODES = 5;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Duser.language=tr -Duser.country=TR",
                "-Dfile.encoding=COMPAT -Dstdout.encoding=UTF-16BE -Dnative.encoding=ISO-8859-9",
                "-XX:+UnlockExperimentalVMOptions -XX:hashCode=2",
                "-XX:+UnlockExperimentalVMOptions -XX:hashCode=3 -Duser.timezone=Asia/Kathmandu",
                "-XX:TieredStopAtLevel=1 -XX:-UseSuperWord -XX:UseAVX=0",
            })
    void tracesAreTheSame(String options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FreshJvmTest.class.getName()));
        Process other = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String theirs = new String(other.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertEquals(0, other.waitFor());
        assertEquals(Own.TRACES, theirs);
    }

    /** What this process gives, made once. */
    private static final class Own {
        static final String TRACES = traces();
    }

    /** Run by the other process. */
    public static void main(String[] args) {
        byte[] traces = traces().getBytes(StandardCharsets.US_ASCII);
        System.out.write(traces, 0, traces.length);
        System.out.flush();
    }

    /** Returns length and digest of the whole trace of each seed. */
    private static String traces() {
        StringBuilder all = new StringBuilder();
        for (long seed : SEEDS) {
            MessageDigest digest = sha256();
            long[] lines = new long[1];
            Simulation.run(Settings.drawn(seed, NODES), Planted.NOTHING, Transcript.to(line -> {
                lines[0]++;
                digest.update((line + "\n").getBytes(StandardCharsets.UTF_8));
            }));
            assertTrue(lines[0] > 1000, () -> "only %d lines".formatted(lines[0]));
            all.append(seed)
                    .append(' ')
                    .append(lines[0])
                    .append(' ')
                    .append(HexFormat.of().formatHex(digest.digest()))
                    .append('\n');
        }
        return all.toString();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
