package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Field;

/** The places of a field in an array of header values: its low word, and far behind all of those its high word. */
final class FieldIndex {
    static final int WORDS = 2 * Field.values().length;

    private FieldIndex() {}

    @SuppressWarnings(
            "EnumOrdinal") // arrays live as long as one process, and an EnumMap of boxes costs ten times as much
    static int of(Field field) {
        return field.ordinal();
    }

    static int high(Field field) {
        return WORDS / 2 + of(field);
    }
}
