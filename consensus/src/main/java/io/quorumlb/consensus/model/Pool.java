package io.quorumlb.consensus.model;

import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.SlotTable;

/**
 * Members that share one slot table.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among pools
 * @param algorithm recipe of the table
 * @param slots number of slots M, a power of two, 256..65536
 * @param monitor how members are probed
 */
public record Pool(int id, String name, HashAlgoVersion algorithm, int slots, HealthMonitor monitor) {
    /** Checks name and M. */
    public Pool {
        ObjectName.require("pool name", name);
        SlotTable.requireSlots(slots);
    }

    /** Returns this pool under the id the state machine gave. */
    public Pool withId(int given) {
        return new Pool(given, name, algorithm, slots, monitor);
    }
}
