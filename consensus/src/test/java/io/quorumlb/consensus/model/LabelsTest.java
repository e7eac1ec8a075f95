package io.quorumlb.consensus.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelsTest {
    private static Labels labels(String... words) {
        var values = new TreeMap<String, String>();
        for (int i = 0; i < words.length; i += 2) {
            values.put(words[i], words[i + 1]);
        }
        return new Labels(values);
    }

    private static String refused(Map<String, String> values) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> new Labels(new TreeMap<>(values)))
                .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "0", "site", "example.org/tier_2-b", "a.", "9/9"})
    void keysThatAreAllowed(String key) {
        assertEquals("x", labels(key, "x").values().get(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", ".a", "/a", "_a", "A", "a b", "a=b", "a,b", "!a", "ä", "a\n"})
    void keysThatAreNot(String key) {
        String message = refused(Map.of(key, "x"));
        assertTrue(message.contains("1..63 of a-z"), message);
        assertTrue(message.chars().allMatch(c -> c >= ' ' && c <= '~'), message);
    }

    @Test
    void lengthsHaveLimitsThatTheMessageNames() {
        assertEquals(1, labels("k".repeat(63), "v".repeat(63)).values().size());
        String key = refused(Map.of("k".repeat(64), ""));
        assertTrue(key.contains("of 64 characters: 1..63"), key);
        String value = refused(Map.of("site", "v".repeat(64)));
        assertTrue(value.contains("label site: value 'vvv") && value.contains("of 64 characters: 0..63"), value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "A=B,c!", "~"})
    void valuesThatAreAllowed(String value) {
        assertEquals(value, labels("a", value).values().get("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u0000", "a\tb", "\u007f", "ü", "\u001b[2J"})
    void controlCharactersAreRefusedAndNotRepeated(String value) {
        String message = refused(Map.of("a", value));
        assertTrue(message.chars().allMatch(c -> c >= ' ' && c <= '~'), message);
    }

    @Test
    void sixteenAreAllowed() {
        var values = new TreeMap<String, String>();
        IntStream.range(0, 16).forEach(i -> values.put("k" + i, ""));
        assertEquals(16, new Labels(values).values().size());
        values.put("k16", "");
        assertEquals("17 labels, at most 16 are allowed", refused(values));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''               | true",
                "'  '             | true",
                "site=a           | true",
                "site=b           | false",
                "site!=b          | true",
                "site!=a          | false",
                "rack!=1          | true",
                "site             | true",
                "rack             | false",
                "!rack            | true",
                "!site            | false",
                "'site=a,!rack'   | true",
                "'site=a,rack'    | false",
                "' site = a , ! rack ' | true",
                "note=x=y         | true",
                "none=            | true",
                "site=            | false"
            })
    void aSelectorChoosesWhatFitsEveryTerm(String selector, boolean chosen) {
        var labels = labels("site", "a", "note", "x=y", "none", "");
        assertEquals(chosen, LabelSelector.parse(selector).chooses(labels));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'a,'        | term 2 ''",
                "',a'        | term 1 ''",
                "a,,b        | term 2 ''",
                "=a          | term 1 '=a'",
                "!=a         | term 1 '!=a'",
                "!           | term 1 '!'",
                "a,b c       | term 2 'b c'",
                "A=b         | term 1 'A=b'",
                "!a=b        | term 1 '!a=b'",
                "a=ü         | term 1 'a=?'"
            })
    void aTermThatCannotBeReadIsNamed(String selector, String words) {
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> LabelSelector.parse(selector))
                        .getMessage());
        assertTrue(message.startsWith(words), message);
    }

    @Test
    void aSelectorHasALimit() {
        assertTrue(
                LabelSelector.parse("a".repeat(63) + ",b".repeat(480)).terms().size() > 400);
        String message =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> LabelSelector.parse("a".repeat(1025)))
                        .getMessage());
        assertEquals("selector of 1025 characters, at most 1024 are allowed", message);
    }

    private static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** What is said of each term, said of all at once, and the opposite of each term. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void termsAreJoinedByAndAndHaveOpposites(long seed) {
        var random = new SplittableRandom(seed);
        var values = new TreeMap<String, String>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.put("k" + random.nextInt(3), "v" + random.nextInt(3));
        }
        var labels = new Labels(values);
        var terms = IntStream.range(0, random.nextInt(1, 4))
                .mapToObj(_ -> {
                    String key = "k" + random.nextInt(3);
                    return switch (random.nextInt(4)) {
                        case 0 -> key;
                        case 1 -> "!" + key;
                        case 2 -> key + "=v" + random.nextInt(3);
                        default -> key + "!=v" + random.nextInt(3);
                    };
                })
                .toList();
        boolean each = terms.stream().allMatch(term -> LabelSelector.parse(term).chooses(labels));
        assertEquals(
                each,
                LabelSelector.parse(terms.stream().collect(Collectors.joining(",")))
                        .chooses(labels));
        for (String term : terms) {
            String opposite = term.startsWith("!")
                    ? term.substring(1)
                    : term.contains("!=")
                            ? term.replace("!=", "=")
                            : term.contains("=") ? term.replace("=", "!=") : "!" + term;
            assertEquals(
                    !LabelSelector.parse(term).chooses(labels),
                    LabelSelector.parse(opposite).chooses(labels),
                    term);
        }
    }
}
