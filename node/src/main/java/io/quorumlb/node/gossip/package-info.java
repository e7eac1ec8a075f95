/** Exchange of node records and forwarding of proposals between the nodes, over gRPC. */
@NullMarked
package io.quorumlb.node.gossip;

import org.jspecify.annotations.NullMarked;
