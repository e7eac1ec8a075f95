package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.ovs.pipeline.PacketPath;
import java.util.Optional;

/**
 * What one node would do with a client's packet.
 *
 * @param node which node
 * @param generation of the pool that it forwards by; 0 if no pool takes the packet
 * @param predicted by the node's own reckoning; empty while it has no switch
 * @param found by its switch; empty if that could not be asked
 * @param trouble why it could not be asked, empty if it could
 */
public record NodeTrace(
        NodeId node, long generation, Optional<PacketPath> predicted, Optional<PacketPath> found, String trouble) {}
