package io.quorumlb.maglev;

/** Thrown for a table that cannot be; says why in a form that programs can read. */
public final class TableRefusedException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // exceptions of this kind are never serialized
    private final TableRefusal refusal;

    TableRefusedException(TableRefusal refusal) {
        super(refusal.message());
        this.refusal = refusal;
    }

    /** Returns why. */
    public TableRefusal refusal() {
        return refusal;
    }
}
