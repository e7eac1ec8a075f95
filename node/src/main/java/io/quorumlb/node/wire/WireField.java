package io.quorumlb.node.wire;

import io.quorumlb.maglev.Digest;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Reads and makes single fields of wire messages; every error names the field and its value. */
final class WireField {
    private static final long MILLIS_MAX = 0xffff_ffffL;

    private WireField() {}

    /** Returns what the parser makes of the text; its complaint is put behind the field's name. */
    static <T> T parse(String field, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(field, e.getMessage()), e);
        }
    }

    /** Returns an unsigned field as a number min..max. */
    static int number(String field, int value, int min, int max) {
        long unsigned = Integer.toUnsignedLong(value);
        if (unsigned < min || unsigned > max) {
            throw new IllegalArgumentException("%s %d is outside %d..%d".formatted(field, unsigned, min, max));
        }
        return value;
    }

    /** Returns an unsigned field as a number 0..9223372036854775807. */
    static long number(String field, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "%s %s is outside 0..%d".formatted(field, Long.toUnsignedString(value), Long.MAX_VALUE));
        }
        return value;
    }

    /** Returns the digest of 64 hexadecimal digits; an empty text is no digest. */
    static Optional<Digest> digest(String field, String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(parse(field, text, Digest::new));
    }

    /** Returns an unsigned number of milliseconds as a duration. */
    static Duration duration(int millis) {
        return Duration.ofMillis(Integer.toUnsignedLong(millis));
    }

    /**
     * Returns the duration in whole milliseconds, rounded up: each hop may make a record look older than it is, never
     * fresher. What does not fit 32 bits (49 days) stays at the largest value, what is negative at 0.
     */
    static int millis(Duration duration) {
        long millis = duration.toMillis();
        long up = duration.compareTo(Duration.ofMillis(millis)) > 0 ? millis + 1 : millis;
        return (int) Math.clamp(up, 0L, MILLIS_MAX);
    }

    /** Checks that no key is given twice, and returns the items. */
    static <T, K extends Comparable<K>> List<T> distinct(String field, Collection<T> items, Function<T, K> key) {
        TreeSet<K> seen = new TreeSet<>();
        for (T item : items) {
            if (!seen.add(key.apply(item))) {
                throw new IllegalArgumentException("%s %s is given twice".formatted(field, key.apply(item)));
            }
        }
        return List.copyOf(items);
    }

    /** Returns the error of an enum field that is unset or holds a value this version does not know. */
    static IllegalArgumentException unknownEnum(String field, Enum<?> value) {
        String message = "%s is %s: a value that this version knows expected".formatted(field, value);
        return value.name().equals("UNRECOGNIZED")
                ? new UnknownValueException(message)
                : new IllegalArgumentException(message);
    }

    /** Checks that a message field is set. */
    static void require(String field, boolean present) {
        if (!present) {
            throw new IllegalArgumentException("%s is not set".formatted(field));
        }
    }
}
