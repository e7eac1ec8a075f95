package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterChange;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.wire.GuardCodec;
import io.quorumlb.consensus.wire.LoadBalancerCodec;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.consensus.wire.TimersCodec;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.proto.v1.ChangeKind;
import io.quorumlb.proto.v1.ClusterEvent;
import io.quorumlb.proto.v1.EmptinessEvent;
import io.quorumlb.proto.v1.GatewayEvent;
import io.quorumlb.proto.v1.GenerationEvent;
import io.quorumlb.proto.v1.ListenerEvent;
import io.quorumlb.proto.v1.LoadBalancerEvent;
import io.quorumlb.proto.v1.MemberEvent;
import io.quorumlb.proto.v1.PoolEvent;
import io.quorumlb.proto.v1.SegmentEvent;
import io.quorumlb.proto.v1.ServiceEvent;
import io.quorumlb.proto.v1.TimedMember;
import io.quorumlb.proto.v1.WatchResponse;

/** Converts committed changes for those who follow them. */
final class WatchCodec {
    private WatchCodec() {}

    static WatchResponse toWire(ChangeJournal.Entry entry) {
        var response = WatchResponse.newBuilder().setIndex(entry.index()).setRevision(entry.revision());
        entry.changes().forEach(change -> response.addEvents(toWire(change)));
        return response.build();
    }

    private static ClusterEvent toWire(ClusterChange change) {
        var event = ClusterEvent.newBuilder();
        return switch (change) {
            case ClusterChange.OfSegment(var kind, var segment) ->
                event.setSegment(SegmentEvent.newBuilder().setKind(toWire(kind)).setSegment(ModelCodec.toWire(segment)))
                        .build();
            case ClusterChange.OfPool(var kind, var pool) ->
                event.setPool(PoolEvent.newBuilder().setKind(toWire(kind)).setPool(ModelCodec.toWire(pool)))
                        .build();
            case ClusterChange.OfMember(var kind, var member, String pool, String segment) ->
                event.setMember(MemberEvent.newBuilder()
                                .setKind(toWire(kind))
                                .setMember(ModelCodec.toWire(member, pool, segment)))
                        .build();
            case ClusterChange.OfListener(var kind, var listener, String pool) ->
                event.setListener(ListenerEvent.newBuilder()
                                .setKind(toWire(kind))
                                .setListener(ModelCodec.toWire(listener, pool)))
                        .build();
            case ClusterChange.OfLoadBalancer(var kind, var owner) ->
                event.setLoadBalancer(LoadBalancerEvent.newBuilder()
                                .setKind(toWire(kind))
                                .setLoadBalancer(LoadBalancerCodec.toWire(owner)))
                        .build();
            case ClusterChange.OfGeneration(var generation, String pool) ->
                event.setGeneration(GenerationEvent.newBuilder()
                                .setPool(pool)
                                .setNumber(generation.number())
                                .setCause(GuardCodec.toWire(generation.cause()))
                                .setReason(generation.reason())
                                .setExpectedDigest(generation.expected().hex())
                                .setEligible(generation.eligible().size())
                                .setMembers(generation.members().size()))
                        .build();
            case ClusterChange.OfEmptiness(String pool, boolean empty) ->
                event.setEmptiness(EmptinessEvent.newBuilder().setPool(pool).setEmpty(empty))
                        .build();
            case ClusterChange.OfService(var node, Service service, String reason) ->
                event.setService(ServiceEvent.newBuilder()
                                .setNode(node.value())
                                .setInService(service == Service.IN)
                                .setReason(reason))
                        .build();
            case ClusterChange.OfGateway(var gateway, var owner) ->
                event.setGateway(GatewayEvent.newBuilder()
                                .setSegmentId(gateway.segmentId())
                                .setHome(gateway.home().value())
                                .setOwner(owner.value()))
                        .build();
            case ClusterChange.OfSlotFunction(var function) ->
                event.setSlotFunction(ModelCodec.toWire(function)).build();
            case ClusterChange.OfTimers(String pool, String member, var timers) ->
                event.setTimers(TimedMember.newBuilder()
                                .setPool(pool)
                                .setMember(member)
                                .setTimers(TimersCodec.toWire(timers)))
                        .build();
        };
    }

    private static ChangeKind toWire(ClusterChange.Kind kind) {
        return switch (kind) {
            case CREATED -> ChangeKind.CHANGE_KIND_CREATED;
            case CHANGED -> ChangeKind.CHANGE_KIND_CHANGED;
            case DELETED -> ChangeKind.CHANGE_KIND_DELETED;
        };
    }
}
