package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Digests do not depend on the process that computes them. */
class FreshJvmTest {
    private static final int DRAWS = 40;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-Duser.language=tr -Duser.country=TR",
                "-Dfile.encoding=COMPAT -Dstdout.encoding=UTF-16BE -Dnative.encoding=ISO-8859-9",
                "-XX:+UnlockExperimentalVMOptions -XX:hashCode=2",
                "-Xint",
                "-XX:-UseSuperWord -XX:UseAVX=0",
            })
    void digestsAreTheSame(String options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Arrays.asList(options.split(" ")));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), FreshJvmTest.class.getName()));
        Process other = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String theirs = new String(other.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertEquals(0, other.waitFor());
        assertEquals(digests(), theirs);
    }

    /** Run by the other process. */
    public static void main(String[] args) {
        byte[] digests = digests().getBytes(StandardCharsets.US_ASCII);
        System.out.write(digests, 0, digests.length);
        System.out.flush();
    }

    private static String digests() {
        StringBuilder lines = new StringBuilder();
        Random random = new Random(DRAWS);
        for (int i = 0; i < DRAWS; i++) {
            HashAlgoVersion version = HashAlgoVersion.of(1 + i % 2);
            PoolDefinition definition = Draws.definition(random, version, 256 << (i % 5), 100);
            lines.append(SlotTable.build(definition).digest().hex())
                    .append(' ')
                    .append(definition.digest().hex())
                    .append('\n');
        }
        return lines.toString();
    }
}
