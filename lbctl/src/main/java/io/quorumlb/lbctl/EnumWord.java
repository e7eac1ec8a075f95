package io.quorumlb.lbctl;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.ProtocolMessageEnum;
import java.util.List;
import java.util.Locale;

/** The words that people read and write for the values of wire enums: INSTALL_STATE_NO_SWITCH is NO_SWITCH. */
final class EnumWord {
    private EnumWord() {}

    /**
     * Returns the value's name without that of its type.
     *
     * @param number wire number of the value; one that this build does not know gives the number itself
     */
    static String upper(EnumDescriptor type, int number) {
        EnumValueDescriptor value = type.findValueByNumber(number);
        return value == null
                ? Integer.toString(number)
                : value.getName().substring(prefix(type).length());
    }

    /** Returns {@link #upper} in lower case. */
    static String lower(EnumDescriptor type, int number) {
        return lower(upper(type, number));
    }

    /** Returns the text in lower case. */
    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the known value of a word.
     *
     * @param values all constants of one type, unspecified and unrecognized ones too
     * @param word in any case
     * @param option what it was given for, for the error
     * @throws CommandFailure if no value has the word
     */
    static <E extends Enum<E> & ProtocolMessageEnum> E parse(E[] values, String word, String option) {
        // The protobuf runtime names the catch-all constant UNRECOGNIZED; it has no number.
        List<E> known = List.of(values).stream()
                .filter(value -> !value.name().equals("UNRECOGNIZED") && value.getNumber() != 0)
                .toList();
        for (E value : known) {
            if (wordOf(value).equals(EnumWord.lower(word))) {
                return value;
            }
        }
        throw new CommandFailure(
                ExitCode.USAGE,
                "%s: '%s' is none of %s"
                        .formatted(
                                option,
                                word,
                                known.stream().map(EnumWord::wordOf).toList()));
    }

    private static <E extends Enum<E> & ProtocolMessageEnum> String wordOf(E value) {
        return lower(value.getDescriptorForType(), value.getNumber());
    }

    private static String prefix(EnumDescriptor type) {
        return type.getName().replaceAll("(?<=[a-z])(?=[A-Z])", "_").toUpperCase(Locale.ROOT) + "_";
    }
}
