package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.List;

/**
 * Everything one node publishes of itself.
 *
 * @param owner whose record it is
 * @param incarnation grows with each start of the owner
 * @param sequence grows with each record of one incarnation
 * @param age time since the owner made it, in the hands of its forwarders and here
 * @param observations what the owner has found of members, by member; their age is that at the making of the record
 * @param report what the owner says of itself
 */
public record NodeRecord(
        NodeId owner,
        long incarnation,
        long sequence,
        Duration age,
        List<Observation> observations,
        NodeReport report) {
    /** Copies the list. */
    public NodeRecord {
        observations = List.copyOf(observations);
    }

    /** Returns this record with another age. */
    public NodeRecord withAge(Duration other) {
        return new NodeRecord(owner, incarnation, sequence, other, observations, report);
    }

    /** Returns true if this record replaces the other one of the same owner. */
    public boolean newerThan(NodeRecord other) {
        return incarnation > other.incarnation || (incarnation == other.incarnation && sequence > other.sequence);
    }
}
