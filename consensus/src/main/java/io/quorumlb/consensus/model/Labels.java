package io.quorumlb.consensus.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * An operator's words for an object, by key.
 *
 * @param values at most {@value #COUNT_MAX}; keys are 1..{@value #KEY_MAX} of {@code a-z 0-9 . _ / -}, a letter or digit
 *     first, values 0..{@value #VALUE_MAX} printable ASCII characters
 */
public record Labels(SortedMap<String, String> values) {
    /** Most labels of one object. */
    public static final int COUNT_MAX = 16;

    /** No labels. */
    public static final Labels NONE = new Labels(new TreeMap<>());

    private static final int KEY_MAX = 63;
    private static final int VALUE_MAX = 63;

    /** Checks keys, values and their number. */
    public Labels {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
        if (values.size() > COUNT_MAX) {
            throw new IllegalArgumentException("%d labels, at most %d are allowed".formatted(values.size(), COUNT_MAX));
        }
        values.forEach(Labels::check);
    }

    private static void check(String key, String value) {
        if (!isKey(key)) {
            throw new IllegalArgumentException(
                    "label key '%s' of %d characters: 1..%d of a-z, 0-9, '.', '_', '/' and '-', a letter or digit first, expected"
                            .formatted(shown(key, KEY_MAX), key.length(), KEY_MAX));
        }
        if (!isValue(value)) {
            throw new IllegalArgumentException(
                    "label %s: value '%s' of %d characters: 0..%d printable ASCII characters expected"
                            .formatted(key, shown(value, VALUE_MAX), value.length(), VALUE_MAX));
        }
    }

    /** Returns true if a label can have the key. */
    static boolean isKey(String key) {
        return !key.isEmpty()
                && key.length() <= KEY_MAX
                && isLetterOrDigit(key.charAt(0))
                && key.chars().allMatch(c -> isLetterOrDigit(c) || c == '.' || c == '_' || c == '/' || c == '-');
    }

    /** Returns true if a label can have the value. */
    static boolean isValue(String value) {
        return value.length() <= VALUE_MAX && value.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    private static boolean isLetterOrDigit(int c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    /** Returns text from outside as a message can have it: cut, and without characters that a terminal would obey. */
    static String shown(String text, int lengthMax) {
        return text.substring(0, Math.min(text.length(), lengthMax)).replaceAll("[^ -~]", "?");
    }

    /** Returns for example {@code site=a,tier=web}, by key; empty if there are none. */
    @Override
    public String toString() {
        return values.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }
}
