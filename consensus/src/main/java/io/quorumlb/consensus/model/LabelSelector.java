package io.quorumlb.consensus.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Chooses objects by their labels: those that fit every term.
 *
 * @param terms none chooses all
 */
public record LabelSelector(List<Term> terms) {
    /** Most characters of a selector. */
    public static final int LENGTH_MAX = 1024;

    /** Chooses every object. */
    public static final LabelSelector ALL = new LabelSelector(List.of());

    /** One condition. */
    public sealed interface Term {
        /** The object has the key with the value. */
        record Equal(String key, String value) implements Term {}

        /** The object has not the key with the value: another value, or not the key. */
        record Unequal(String key, String value) implements Term {}

        /** The object has the key. */
        record Present(String key) implements Term {}

        /** The object has not the key. */
        record Absent(String key) implements Term {}
    }

    /** Copies the list. */
    public LabelSelector {
        terms = List.copyOf(terms);
    }

    /**
     * Returns the selector of a text, for example {@code site=a,tier!=db,rack,!old}; blanks around terms and their parts do
     * not count. An empty text chooses all. A value with a comma in it cannot be written here.
     *
     * @throws IllegalArgumentException naming the term and what was expected
     */
    public static LabelSelector parse(String text) {
        if (text.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "selector of %d characters, at most %d are allowed".formatted(text.length(), LENGTH_MAX));
        }
        if (text.isBlank()) {
            return ALL;
        }
        List<Term> terms = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            terms.add(term(part.strip(), terms.size() + 1));
        }
        return new LabelSelector(terms);
    }

    private static Term term(String text, int number) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            return text.startsWith("!")
                    ? new Term.Absent(key(text.substring(1), text, number))
                    : new Term.Present(key(text, text, number));
        }
        boolean unequal = equals > 0 && text.charAt(equals - 1) == '!';
        String key = key(text.substring(0, unequal ? equals - 1 : equals), text, number);
        String value = text.substring(equals + 1).strip();
        if (!Labels.isValue(value)) {
            throw wrong(text, number);
        }
        return unequal ? new Term.Unequal(key, value) : new Term.Equal(key, value);
    }

    private static String key(String text, String term, int number) {
        String key = text.strip();
        if (!Labels.isKey(key)) {
            throw wrong(term, number);
        }
        return key;
    }

    private static IllegalArgumentException wrong(String term, int number) {
        return new IllegalArgumentException(
                "term %d '%s': KEY=VALUE, KEY!=VALUE, KEY or !KEY expected, as labels have them"
                        .formatted(number, Labels.shown(term, LENGTH_MAX)));
    }

    /** Returns true if an object with the labels is chosen. */
    public boolean chooses(Labels labels) {
        return terms.stream().allMatch(term -> fits(term, labels));
    }

    private static boolean fits(Term term, Labels labels) {
        return switch (term) {
            case Term.Equal(String key, String value) ->
                Objects.equals(labels.values().get(key), value);
            case Term.Unequal(String key, String value) ->
                !Objects.equals(labels.values().get(key), value);
            case Term.Present(String key) -> labels.values().containsKey(key);
            case Term.Absent(String key) -> !labels.values().containsKey(key);
        };
    }
}
