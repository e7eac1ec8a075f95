package io.quorumlb.verify.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page on the protocol names the tests that hold its invariants: they exist, and no invariant is left out. */
class ProtocolPageTest {
    private static final Path ROOT = Path.of(System.getProperty("quorumlb.root", ".."));
    private static final Pattern NAMED = Pattern.compile("`(\\w+Test)?(?:\\.(\\w+))?`");
    private static final Pattern ROW = Pattern.compile("^\\| `([A-Z_]+)` \\|", Pattern.MULTILINE);
    private static final List<String> MODULES =
            List.of("maglev", "consensus", "dataplane-ovs", "node", "lbctl", "verify");

    private static String page() throws IOException {
        return Files.readString(ROOT.resolve("docs/protocol.md"));
    }

    @Test
    void everyTestThatThePageNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (String line : page().lines().filter(one -> one.startsWith("|")).toList()) {
            Optional<String> source = Optional.empty();
            Matcher found = NAMED.matcher(line);
            while (found.find()) {
                if (found.group(1) != null) {
                    named++;
                    source = source(found.group(1));
                    if (source.isEmpty()) {
                        missing.add(found.group(1));
                    }
                }
                String method = found.group(2);
                if (method != null
                        && source.filter(text -> text.contains(" " + method + "("))
                                .isEmpty()) {
                    missing.add(found.group());
                }
            }
        }
        assertEquals(List.of(), missing);
        assertTrue(named > 20, "only " + named + " tests are named");
    }

    @Test
    void everyInvariantOfTheSimulationIsOnThePage() throws IOException {
        SortedSet<String> rows = new TreeSet<>();
        ROW.matcher(page()).results().forEach(row -> rows.add(row.group(1)));
        SortedSet<String> invariants =
                Stream.of(Invariant.values()).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(invariants, rows);
    }

    private static Optional<String> source(String test) throws IOException {
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test/java"))) {
                Optional<Path> file =
                        files.filter(path -> path.endsWith(test + ".java")).findFirst();
                if (file.isPresent()) {
                    return Optional.of(Files.readString(file.get()));
                }
            }
        }
        return Optional.empty();
    }
}
