package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.SlotFunction;

/** One difference between two committed states, as who follows the cluster is told of it. */
public sealed interface ClusterChange {
    /** What became of an object. */
    enum Kind {
        CREATED,
        CHANGED,
        DELETED
    }

    /** A segment, as it is or was. */
    record OfSegment(Kind kind, Segment segment) implements ClusterChange {}

    /** A pool, as it is or was. */
    record OfPool(Kind kind, Pool pool) implements ClusterChange {}

    /**
     * A member, as it is or was. One that retires is deleted: only its place in a table's base is left.
     *
     * @param kind what became of it
     * @param member the member
     * @param pool name of its pool
     * @param segment name of its segment
     */
    record OfMember(Kind kind, Member member, String pool, String segment) implements ClusterChange {}

    /**
     * A listener, as it is or was.
     *
     * @param kind what became of it
     * @param listener the listener
     * @param pool name of its pool
     */
    record OfListener(Kind kind, Listener listener, String pool) implements ClusterChange {}

    /** A load balancer, as it is or was. */
    record OfLoadBalancer(Kind kind, LoadBalancer loadBalancer) implements ClusterChange {}

    /**
     * A pool has a new generation.
     *
     * @param generation the generation
     * @param pool name of the pool
     */
    record OfGeneration(PoolGeneration generation, String pool) implements ClusterChange {}

    /**
     * A pool begins or ends to count as empty.
     *
     * @param pool name
     * @param empty true if it begins
     */
    record OfEmptiness(String pool, boolean empty) implements ClusterChange {}

    /**
     * A node may no longer be sent traffic, or may again.
     *
     * @param node which
     * @param service where it is now
     * @param reason why it is out, for people; empty if it is in
     */
    record OfService(NodeId node, Service service, String reason) implements ClusterChange {}

    /** Another node answers for a gateway. */
    record OfGateway(GatewayId gateway, NodeId owner) implements ClusterChange {}

    /** TCP connections get their slots by another hash. */
    record OfSlotFunction(SlotFunction function) implements ClusterChange {}

    /**
     * What is to become of a member by time is another.
     *
     * @param pool name of its pool
     * @param member its name
     * @param timers what it is now
     */
    record OfTimers(String pool, String member, MemberTimers timers) implements ClusterChange {}
}
