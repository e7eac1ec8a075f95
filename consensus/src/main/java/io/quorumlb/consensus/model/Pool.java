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
 */
public record Pool(
        int id,
        String name,
        HashAlgoVersion algorithm,
        int slots,
        HealthMonitor monitor,
        PoolGuards guards,
        Optional<GuardOverride> override) {
    /** Checks name and M. */
    public Pool {
        ObjectName.require("pool name", name);
        SlotTable.requireSlots(slots);
    }

    /** Makes a pool with the guards that suit a site of three nodes. */
    public Pool(int id, String name, HashAlgoVersion algorithm, int slots, HealthMonitor monitor) {
        this(id, name, algorithm, slots, monitor, PoolGuards.DEFAULT, Optional.empty());
    }

    /** Returns this pool under the id the state machine gave. */
    public Pool withId(int given) {
        return new Pool(given, name, algorithm, slots, monitor, guards, override);
    }

    /** Returns this pool with other guards. */
    public Pool withGuards(PoolGuards wanted) {
        return new Pool(id, name, algorithm, slots, monitor, wanted, override);
    }

    /** Returns this pool with an override of guards. */
    public Pool withOverride(GuardOverride wanted) {
        return new Pool(id, name, algorithm, slots, monitor, guards, Optional.of(wanted));
    }

    /** Returns true if an operator has said that the generation after this one may pass the guard. */
    public boolean overridden(Guard guard, long generation) {
        return override.filter(word ->
                        word.baseGeneration() == generation && word.guards().contains(guard))
                .isPresent();
    }
}
