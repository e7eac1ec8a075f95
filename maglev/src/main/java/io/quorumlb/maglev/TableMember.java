package io.quorumlb.maglev;

/**
 * A configured member as the table sees it.
 *
 * @param id 1..16777215, what slots hold
 * @param key where it serves
 * @param weight configured weight, 0..1000
 * @param effectiveWeight 0 (down, drained) up to {@code weight}; only this takes slots
 */
public record TableMember(int id, MemberKey key, int weight, int effectiveWeight) {
    /** Largest member id: what fits the flow cookie. */
    public static final int ID_MAX = 0xff_ffff;

    /** Largest weight. */
    public static final int WEIGHT_MAX = 1000;

    /** Checks the ranges. */
    public TableMember {
        if (id < 1 || id > ID_MAX) {
            throw new IllegalArgumentException("member id %d is outside 1..%d".formatted(id, ID_MAX));
        }
        if (weight < 0 || weight > WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "weight %d of member %s is outside 0..%d".formatted(weight, key, WEIGHT_MAX));
        }
        if (effectiveWeight < 0 || effectiveWeight > weight) {
            throw new IllegalArgumentException("effective weight %d of member %s is outside 0..%d (its weight)"
                    .formatted(effectiveWeight, key, weight));
        }
    }

    /** Returns a member that takes its whole configured weight. */
    public static TableMember full(int id, MemberKey key, int weight) {
        return new TableMember(id, key, weight, weight);
    }

    /** Returns this member with another effective weight. */
    public TableMember withEffective(int weightNow) {
        return new TableMember(id, key, weight, weightNow);
    }
}
