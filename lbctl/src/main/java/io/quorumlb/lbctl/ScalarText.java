package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads and writes single values as proto3 JSON has them. */
final class ScalarText {
    private static final long UINT32_MAX = 0xffff_ffffL;

    private ScalarText() {}

    /**
     * Returns the value of a field.
     *
     * @throws IllegalArgumentException saying what was expected
     */
    static Object parse(FieldDescriptor field, String text) {
        return switch (field.getType()) {
            case STRING -> text;
            case UINT32 -> (int) number(text, UINT32_MAX);
            case UINT64 -> number(text, Long.MAX_VALUE);
            case BOOL ->
                switch (text) {
                    case "true" -> true;
                    case "false" -> false;
                    default -> throw new IllegalArgumentException("'%s' is neither true nor false".formatted(text));
                };
            case BYTES -> bytes(text);
            case ENUM -> word(field, text);
            default -> throw new IllegalStateException("no site has a field of type " + field.getType());
        };
    }

    private static long number(String text, long max) {
        try {
            long number = Long.parseLong(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new IllegalArgumentException("'%s' is not a whole number 0..%d".formatted(text, max));
    }

    private static ByteString bytes(String text) {
        try {
            return ByteString.copyFrom(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'%s' is not Base64, for example cGluZw==".formatted(text), e);
        }
    }

    private static EnumValueDescriptor word(FieldDescriptor field, String text) {
        EnumValueDescriptor known = field.getEnumType().findValueByName(text);
        if (known != null) {
            return known;
        }
        List<String> words = field.getEnumType().getValues().stream()
                .map(EnumValueDescriptor::getName)
                .toList();
        Optional<String> near = Nearest.of(text, words)
                .or(() -> words.stream()
                        .filter(word -> word.endsWith("_" + text.toUpperCase(Locale.ROOT)))
                        .findFirst());
        throw new IllegalArgumentException("'%s' is not known, %s"
                .formatted(
                        text,
                        near.map("did you mean %s?"::formatted).orElse("there are: " + String.join(", ", words))));
    }
}
