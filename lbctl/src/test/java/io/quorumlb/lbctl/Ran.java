package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What one run of the command line ended with and wrote. */
record Ran(int status, String out, String err) {
    /** Runs against the node, with the words of a line. */
    static Ran at(FakeNode node, String line) {
        return with(Map.of(GlobalOptions.ENDPOINTS_VARIABLE, node.endpoint()), Console.Colour.OFF, line);
    }

    /** Runs without an environment. */
    static Ran line(String line) {
        return with(Map.of(), Console.Colour.OFF, line);
    }

    static Ran with(Map<String, String> environment, Console.Colour colour, String line) {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int status = Lbctl.run(
                List.of(line.split(" ")).stream()
                        .filter(word -> !word.isEmpty())
                        .toArray(String[]::new),
                new Console(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8),
                        colour,
                        new TreeMap<>(environment)));
        return new Ran(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    Ran endsWith(ExitCode code) {
        assertEquals(code.status(), status, this::toString);
        return this;
    }

    Ran writes(String expected) {
        assertEquals(expected, out);
        return this;
    }

    Ran says(String part) {
        assertEquals(true, err.contains(part), () -> "'%s' is not in: %s".formatted(part, err));
        return this;
    }

    /** Compares standard output with a golden file; what was written lies in target/golden for review. */
    Ran writesGolden(String name) {
        try (var golden = Ran.class.getResourceAsStream("/golden/" + name)) {
            Path written = Path.of("target", "golden", name);
            Files.createDirectories(Objects.requireNonNull(written.getParent()));
            Files.writeString(written, out);
            assertEquals(new String(Objects.requireNonNull(golden, name).readAllBytes(), StandardCharsets.UTF_8), out);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
