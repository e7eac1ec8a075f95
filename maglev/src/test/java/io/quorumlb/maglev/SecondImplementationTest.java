package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program in another language, written from docs/maglev.md alone, gives the same tables and digests. */
class SecondImplementationTest {
    private static final long SEED = 20_260_101;
    private static final Path PROGRAM = Path.of("src", "test", "python", "maglev.py");
    private static final int WAIT_SECONDS = 240;

    private static List<PoolDefinition> definitions() {
        Random random = new Random(SEED);
        List<PoolDefinition> definitions = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            definitions.add(Draws.definition(random, HashAlgoVersion.V1, 256 << random.nextInt(3), 40));
        }
        for (int i = 0; i < 1800; i++) {
            definitions.add(Draws.definition(random, HashAlgoVersion.V2, 256, 12));
        }
        for (int i = 0; i < 150; i++) {
            definitions.add(Draws.definition(random, HashAlgoVersion.V2, 256, 64));
            definitions.add(Draws.definition(random, HashAlgoVersion.V2, 512, 24));
            definitions.add(Draws.definition(random, HashAlgoVersion.V2, 1024, 12));
        }
        for (int slots = 2048; slots <= SlotTable.SLOTS_MAX; slots *= 2) {
            definitions.add(Draws.definition(random, HashAlgoVersion.V1, slots, 100));
            definitions.add(Draws.definition(random, HashAlgoVersion.V2, slots, 6));
        }
        // Enough members and slots that walks are computed together.
        definitions.add(crowd(random, 16_384, 70));
        definitions.add(crowd(random, 16_384, 130));
        definitions.add(crowd(random, 65_536, 90));
        return definitions;
    }

    private static PoolDefinition crowd(Random random, int slots, int count) {
        List<TableMember> members = Draws.members(random, count).stream()
                .map(member -> new TableMember(
                        member.id(),
                        member.key(),
                        1 + member.id() % 3,
                        random.nextInt(3) == 0 ? 0 : 1 + member.id() % 3))
                .toList();
        return PoolDefinition.of(HashAlgoVersion.V2, 9, slots, members);
    }

    private static String line(PoolDefinition definition) {
        SlotTable table = SlotTable.build(definition);
        return "%s %s %s"
                .formatted(
                        table.digest().hex(),
                        definition.digest().hex(),
                        IntStream.range(0, table.slots())
                                .mapToObj(slot -> String.valueOf(table.owner(slot)))
                                .collect(Collectors.joining(",")));
    }

    @Test
    @Timeout(value = WAIT_SECONDS + 30)
    void thousandsOfDrawsAreEqual(@TempDir Path directory) throws IOException, InterruptedException {
        boolean required = "1".equals(System.getenv("QUORUMLB_REQUIRE_PYTHON"));
        assumeTrue(required || pythonIsThere(), "python3 is not installed");
        List<PoolDefinition> definitions = definitions();
        Path input = directory.resolve("definitions");
        Path output = directory.resolve("tables");
        Files.write(input, definitions.stream().map(Draws::line).toList(), StandardCharsets.US_ASCII);
        Process python = new ProcessBuilder("python3", PROGRAM.toString())
                .redirectInput(input.toFile())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertTrue(python.waitFor(WAIT_SECONDS, TimeUnit.SECONDS), "python3 takes too long");
        } finally {
            python.destroyForcibly();
        }
        assertEquals(0, python.exitValue());
        List<String> theirs = Files.readAllLines(output, StandardCharsets.US_ASCII);
        assertEquals(definitions.size(), theirs.size());
        for (int i = 0; i < theirs.size(); i++) {
            PoolDefinition definition = definitions.get(i);
            assertEquals(theirs.get(i), line(definition), () -> Draws.line(definition));
        }
    }

    private static boolean pythonIsThere() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
