package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Field;

/** The place of a field in an array of header values. */
final class FieldIndex {
    static final int FIELDS = Field.values().length;

    private FieldIndex() {}

    @SuppressWarnings(
            "EnumOrdinal") // arrays live as long as one process, and an EnumMap of boxes costs ten times as much
    static int of(Field field) {
        return field.ordinal();
    }
}
