package io.quorumlb.consensus.model;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.SlotTable;
import java.util.Optional;

/**
 * Members that share one slot table.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among pools
 * @param algorithm recipe of the table
 * @param slots number of slots M, a power of two, 256..65536
 * @param monitor how members are probed
 * @param guards how its table is kept from changing too much or too often
 * @param override the last override of guards that an operator asked for; empty if there never was one
 * @param minEligible once it has counted as empty, so many members must take traffic until it no longer does, or all that
 *     are enabled if these are fewer; 1..{@value #MIN_ELIGIBLE_MAX}
 * @param meta its labels, and what changed it last
 */
public record Pool(
        int id,
        String name,
        HashAlgoVersion algorithm,
        int slots,
        HealthMonitor monitor,
        PoolGuards guards,
        Optional<GuardOverride> override,
        int minEligible,
        ObjectMeta meta)
        implements Configured {
    /** The greatest {@link #minEligible}. */
    public static final int MIN_ELIGIBLE_MAX = 65_535;

    /** Checks name, M and the number of members. */
    public Pool {
        ObjectName.require("pool name", name);
        SlotTable.requireSlots(slots);
        if (minEligible < 1 || minEligible > MIN_ELIGIBLE_MAX) {
            throw new IllegalArgumentException(
                    "pool min_eligible %d is outside 1..%d".formatted(minEligible, MIN_ELIGIBLE_MAX));
        }
    }

    /** Makes a pool without labels. */
    public Pool(
            int id,
            String name,
            HashAlgoVersion algorithm,
            int slots,
            HealthMonitor monitor,
            PoolGuards guards,
            Optional<GuardOverride> override,
            int minEligible) {
        this(id, name, algorithm, slots, monitor, guards, override, minEligible, ObjectMeta.NONE);
    }

    /** Makes a pool that no longer counts as empty as soon as one member takes traffic. */
    public Pool(
            int id,
            String name,
            HashAlgoVersion algorithm,
            int slots,
            HealthMonitor monitor,
            PoolGuards guards,
            Optional<GuardOverride> override) {
        this(id, name, algorithm, slots, monitor, guards, override, 1);
    }

    /** Makes a pool with the guards that suit a site of three nodes. */
    public Pool(int id, String name, HashAlgoVersion algorithm, int slots, HealthMonitor monitor) {
        this(id, name, algorithm, slots, monitor, PoolGuards.DEFAULT, Optional.empty());
    }

    /** Returns this pool under the id the state machine gave. */
    public Pool withId(int given) {
        return new Pool(given, name, algorithm, slots, monitor, guards, override, minEligible, meta);
    }

    /** Returns this pool with another monitor. */
    public Pool withMonitor(HealthMonitor wanted) {
        return new Pool(id, name, algorithm, slots, wanted, guards, override, minEligible, meta);
    }

    /** Returns this pool with other guards. */
    public Pool withGuards(PoolGuards wanted) {
        return new Pool(id, name, algorithm, slots, monitor, wanted, override, minEligible, meta);
    }

    /** Returns this pool with an override of guards. */
    public Pool withOverride(GuardOverride wanted) {
        return new Pool(id, name, algorithm, slots, monitor, guards, Optional.of(wanted), minEligible, meta);
    }

    /** Returns this pool with another number of members that end its counting as empty. */
    public Pool withMinEligible(int wanted) {
        return new Pool(id, name, algorithm, slots, monitor, guards, override, wanted, meta);
    }

    /** Returns this pool with other labels, or changed last by another revision. */
    public Pool withMeta(ObjectMeta wanted) {
        return new Pool(id, name, algorithm, slots, monitor, guards, override, minEligible, wanted);
    }

    /** Returns true if an operator has said that the generation after this one may pass the guard. */
    public boolean overridden(Guard guard, long generation) {
        return override.filter(word ->
                        word.baseGeneration() == generation && word.guards().contains(guard))
                .isPresent();
    }
}
