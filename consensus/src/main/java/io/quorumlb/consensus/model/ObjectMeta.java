package io.quorumlb.consensus.model;

/**
 * What every configured object has beside what it is for.
 *
 * @param labels an operator's words for it
 * @param revision of the configuration that changed it last; 0 until the state machine has taken it in
 */
public record ObjectMeta(Labels labels, long revision) {
    /** Of an object without labels that the state machine has not taken in. */
    public static final ObjectMeta NONE = new ObjectMeta(Labels.NONE, 0);

    /** Returns the same with other labels. */
    public ObjectMeta labelled(Labels wanted) {
        return new ObjectMeta(wanted, revision);
    }

    /** Returns the same, changed last by another revision. */
    public ObjectMeta at(long changed) {
        return new ObjectMeta(labels, changed);
    }
}
