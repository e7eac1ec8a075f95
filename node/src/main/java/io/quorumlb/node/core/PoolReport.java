package io.quorumlb.node.core;

import io.quorumlb.consensus.plan.Hold;
import io.quorumlb.maglev.Digest;
import java.util.List;
import java.util.Optional;

/**
 * What a node says of one pool.
 *
 * @param poolId pool
 * @param generation generation it has applied, 0 before the first
 * @param expected digest the leader committed
 * @param built digest of the table built here
 * @param installed digest computed from the flows read back from the switch
 * @param state how far it is
 * @param detail for people, may be empty
 * @param holds what the node holds back as the leader; empty on all others
 * @param failOpen digest, from the flows read back, of the table over all enabled members; empty if no listener needs it
 */
public record PoolReport(
        int poolId,
        long generation,
        Optional<Digest> expected,
        Optional<Digest> built,
        Optional<Digest> installed,
        InstallState state,
        String detail,
        List<Hold> holds,
        Optional<Digest> failOpen) {
    /** Copies the list. */
    public PoolReport {
        holds = List.copyOf(holds);
    }

    /** Makes the report of a pool of which no listener fails open. */
    public PoolReport(
            int poolId,
            long generation,
            Optional<Digest> expected,
            Optional<Digest> built,
            Optional<Digest> installed,
            InstallState state,
            String detail,
            List<Hold> holds) {
        this(poolId, generation, expected, built, installed, state, detail, holds, Optional.empty());
    }

    /** Makes the report of a node that holds nothing back. */
    public PoolReport(
            int poolId,
            long generation,
            Optional<Digest> expected,
            Optional<Digest> built,
            Optional<Digest> installed,
            InstallState state,
            String detail) {
        this(poolId, generation, expected, built, installed, state, detail, List.of());
    }
}
