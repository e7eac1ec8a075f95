package io.quorumlb.maglev;

/**
 * A configured member as the table sees it.
 *
 * @param id 1..16777215, what slots hold
 * @param key where it serves
 * @param weight configured weight, 0..1000: its part of the base
 * @param effectiveWeight 0 (down, drained, disabled, retired) up to {@code weight}; only this takes slots
 */
public record TableMember(int id, MemberKey key, int weight, int effectiveWeight) {
    /** Largest member id: what fits the flow cookie. */
    public static final int ID_MAX = 0xff_ffff;

    /** Largest weight. */
    public static final int WEIGHT_MAX = 1000;

    /**
     * Checks the ranges.
     *
     * @throws TableRefusedException naming member, value and limit
     */
    public TableMember {
        if (id < 1 || id > ID_MAX) {
            throw new TableRefusal.MemberIdOutOfRange(key, id).exception();
        }
        if (weight < 0 || weight > WEIGHT_MAX) {
            throw new TableRefusal.WeightOutOfRange(key, weight).exception();
        }
        if (effectiveWeight < 0 || effectiveWeight > weight) {
            throw new TableRefusal.EffectiveOutOfRange(key, effectiveWeight, weight).exception();
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
