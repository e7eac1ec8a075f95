package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.SlotTable;

/**
 * The table built from a generation, kept so that it is built once.
 *
 * @param generation what it was built from
 * @param table the table
 * @param digest its digest
 */
record BuiltTable(PoolGeneration generation, SlotTable table, Digest digest) {
    static BuiltTable of(PoolGeneration generation) {
        SlotTable table = generation.build();
        return new BuiltTable(generation, table, table.digest());
    }

    boolean asExpected() {
        return digest.equals(generation.expected());
    }
}
