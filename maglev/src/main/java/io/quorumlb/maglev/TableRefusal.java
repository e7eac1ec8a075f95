package io.quorumlb.maglev;

import java.util.OptionalInt;

/** Why a definition or one of its parts is refused: what is wrong, its value, its limit and what would do. */
public sealed interface TableRefusal {
    /** Returns one sentence for people. */
    String message();

    /** Returns the exception that carries this. */
    default TableRefusedException exception() {
        return new TableRefusedException(this);
    }

    /**
     * The number of slots is not a power of two in 256..65536.
     *
     * @param slots the number given
     */
    record SlotsNotAllowed(int slots) implements TableRefusal {
        @Override
        public String message() {
            return "slots %d: a power of two in %d..%d expected"
                    .formatted(slots, SlotTable.SLOTS_MIN, SlotTable.SLOTS_MAX);
        }
    }

    /**
     * The pool id is outside 1..65535.
     *
     * @param poolId the id given
     */
    record PoolIdOutOfRange(int poolId) implements TableRefusal {
        @Override
        public String message() {
            return "pool id %d is outside 1..%d".formatted(poolId, SlotTable.POOL_ID_MAX);
        }
    }

    /**
     * The member id is outside 1..16777215.
     *
     * @param member whose id
     * @param id the id given
     */
    record MemberIdOutOfRange(MemberKey member, int id) implements TableRefusal {
        @Override
        public String message() {
            return "id %d of member %s is outside 1..%d".formatted(id, member, TableMember.ID_MAX);
        }
    }

    /**
     * The configured weight is outside 0..1000.
     *
     * @param member whose weight
     * @param weight the weight given
     */
    record WeightOutOfRange(MemberKey member, int weight) implements TableRefusal {
        @Override
        public String message() {
            return "weight %d of member %s is outside 0..%d".formatted(weight, member, TableMember.WEIGHT_MAX);
        }
    }

    /**
     * The effective weight is negative or above the configured weight.
     *
     * @param member whose weight
     * @param effectiveWeight the effective weight given
     * @param weight its configured weight, the limit
     */
    record EffectiveOutOfRange(MemberKey member, int effectiveWeight, int weight) implements TableRefusal {
        @Override
        public String message() {
            return "effective weight %d of member %s is outside 0..%d (its weight)"
                    .formatted(effectiveWeight, member, weight);
        }
    }

    /**
     * Two members have one key.
     *
     * @param member the key
     */
    record DuplicateKey(MemberKey member) implements TableRefusal {
        @Override
        public String message() {
            return "member %s is given twice".formatted(member);
        }
    }

    /**
     * Two members have one id.
     *
     * @param id the id
     */
    record DuplicateId(int id) implements TableRefusal {
        @Override
        public String message() {
            return "member id %d is given twice".formatted(id);
        }
    }

    /**
     * There are more members than the largest table has slots.
     *
     * @param members how many they are
     */
    record TooManyMembers(int members) implements TableRefusal {
        @Override
        public String message() {
            return "%d members: at most %d expected, a slot for each in the largest table"
                    .formatted(members, SlotTable.SLOTS_MAX);
        }
    }

    /**
     * Version 2: a configured weight stands for less than one slot.
     *
     * @param member the lightest such member
     * @param weight its configured weight
     * @param weights sum of all configured weights
     * @param slots number of slots M
     * @param leastSlots the least M with a slot for everybody; empty if 65536 is not enough
     */
    record ShareUnderOneSlot(MemberKey member, int weight, long weights, int slots, OptionalInt leastSlots)
            implements TableRefusal {
        @Override
        public String message() {
            return "member %s with weight %d of %d has less than one of %d slots: %s"
                    .formatted(member, weight, weights, slots, advice(leastSlots));
        }
    }

    /**
     * Version 1: one slot for each member and the proportional shares add up to more than the table has.
     *
     * @param member the lightest member, which gets more than its share
     * @param weight its weight
     * @param quotas what the quotas add up to
     * @param slots number of slots M, the limit
     * @param leastSlots the least M in which they fit; empty if 65536 is not enough
     */
    record QuotasOverSlots(MemberKey member, int weight, long quotas, int slots, OptionalInt leastSlots)
            implements TableRefusal {
        @Override
        public String message() {
            return "quotas of at least one slot, as for member %s with weight %d, add up to %d of %d slots: %s"
                    .formatted(member, weight, quotas, slots, advice(leastSlots));
        }
    }

    private static String advice(OptionalInt leastSlots) {
        return leastSlots.isPresent()
                ? "at least %d slots would do".formatted(leastSlots.getAsInt())
                : "not even %d slots would do, so raise its weight or take members away".formatted(SlotTable.SLOTS_MAX);
    }
}
