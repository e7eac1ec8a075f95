package io.quorumlb.consensus.wire;

import io.quorumlb.maglev.Digest;
import java.util.function.Function;

/** Reads single fields of wire messages; every error names the field and its value. */
final class WireField {
    private WireField() {}

    /** Returns what the parser makes of the text; its complaint is put behind the field's name. */
    static <T> T parse(String field, String text, Function<String, T> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("%s: %s".formatted(field, e.getMessage()), e);
        }
    }

    /** Returns the digest of 64 hexadecimal digits. */
    static Digest digest(String field, String text) {
        return parse(field, text, Digest::new);
    }

    /** Returns an unsigned field as a number 0..2147483647; the model checks narrower ranges. */
    static int number(String field, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(
                    "%s %s is outside 0..%d".formatted(field, Integer.toUnsignedString(value), Integer.MAX_VALUE));
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

    /** Returns the error of an enum field that is unset or holds a value this version does not know. */
    static IllegalArgumentException unknownEnum(String field, Enum<?> value, String known) {
        return new IllegalArgumentException("%s is %s: %s expected".formatted(field, value, known));
    }

    /** Returns the error of a message field that is unset. */
    static IllegalArgumentException missing(String field) {
        return new IllegalArgumentException("%s is not set".formatted(field));
    }
}
