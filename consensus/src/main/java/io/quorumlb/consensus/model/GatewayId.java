package io.quorumlb.consensus.model;

import java.util.Comparator;

/**
 * The gateway addresses that one node has in one segment. They stay together: where one goes, all go.
 *
 * @param segmentId segment
 * @param home node that the configuration gives them to
 */
public record GatewayId(int segmentId, NodeId home) implements Comparable<GatewayId> {
    private static final Comparator<GatewayId> ORDER =
            Comparator.comparingInt(GatewayId::segmentId).thenComparing(GatewayId::home);

    /** Orders by segment, then by node. */
    @Override
    public int compareTo(GatewayId other) {
        return ORDER.compare(this, other);
    }
}
