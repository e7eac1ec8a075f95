package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.pool.PoolSettings;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.proto.v1.ClusterSnapshot;
import io.quorumlb.proto.v1.SnapshotEmptyPool;
import io.quorumlb.proto.v1.SnapshotGeneration;
import io.quorumlb.proto.v1.SnapshotListener;
import io.quorumlb.proto.v1.SnapshotMember;
import io.quorumlb.proto.v1.SnapshotMemberSetting;
import io.quorumlb.proto.v1.SnapshotOutOfService;
import io.quorumlb.proto.v1.SnapshotTableMember;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Converts the whole replicated state. */
public final class SnapshotCodec {
    private SnapshotCodec() {}

    /** Returns the state as a message; equal states give equal messages. */
    public static ClusterSnapshot toWire(ClusterState state) {
        Model model = state.model();
        ClusterSnapshot.Builder message = ClusterSnapshot.newBuilder()
                .setRevision(state.revision())
                .setSlotFunction(EnumCodec.toWire(state.slotFunction()))
                .setLastSegmentId(state.lastIds().segment())
                .setLastPoolId(state.lastIds().pool())
                .setLastMemberId(state.lastIds().member())
                .setLastListenerId(state.lastIds().listener())
                .setLastLoadBalancerId(state.lastIds().loadBalancer());
        model.segments().values().forEach(segment -> message.addSegments(ModelCodec.toWire(segment)));
        model.pools().values().forEach(pool -> message.addPools(ModelCodec.toWire(pool)));
        model.members().values().forEach(member -> message.addMembers(toWire(member, model)));
        model.listeners().values().forEach(listener -> message.addListeners(toWire(listener, model)));
        model.loadBalancers().values().forEach(owner -> message.addLoadBalancers(LoadBalancerCodec.toWire(owner)));
        state.history().values().forEach(generations -> addTo(message, generations));
        state.outOfService()
                .forEach((node, reason) -> message.addOutOfService(
                        SnapshotOutOfService.newBuilder().setNode(node.value()).setReason(reason)));
        state.emptySince()
                .forEach((pool, generation) -> message.addEmptyPools(
                        SnapshotEmptyPool.newBuilder().setPoolId(pool).setSince(generation)));
        message.addAllMovedGateways(EntryCodec.toWire(state.movedGateways()));
        OriginCodec.toWire(state.requests(), message);
        message.addAllTimers(TimersCodec.toWire(state.timers()));
        return message.build();
    }

    /**
     * Returns the state of a message.
     *
     * @throws IllegalArgumentException naming the field and its value
     */
    public static ClusterState fromWire(ClusterSnapshot message) {
        SortedMap<Integer, Segment> segments = new TreeMap<>();
        message.getSegmentsList().stream()
                .map(ModelCodec::fromWire)
                .forEach(segment -> put(segments, "segments", segment.id(), segment));
        SortedMap<Integer, Pool> pools = new TreeMap<>();
        message.getPoolsList().stream().map(ModelCodec::fromWire).forEach(pool -> put(pools, "pools", pool.id(), pool));
        SortedMap<Integer, Member> members = new TreeMap<>();
        message.getMembersList().stream()
                .map(SnapshotCodec::fromWire)
                .forEach(member -> put(members, "members", member.id(), member));
        SortedMap<Integer, Listener> listeners = new TreeMap<>();
        message.getListenersList().stream()
                .map(SnapshotCodec::fromWire)
                .forEach(listener -> put(listeners, "listeners", listener.id(), listener));
        SortedMap<Integer, LoadBalancer> loadBalancers = new TreeMap<>();
        message.getLoadBalancersList().stream()
                .map(LoadBalancerCodec::fromWire)
                .forEach(owner -> put(loadBalancers, "load_balancers", owner.id(), owner));
        SortedMap<Integer, List<PoolGeneration>> history = new TreeMap<>();
        message.getGenerationsList()
                .forEach(generation ->
                        addTo(history.computeIfAbsent(generation.getPoolId(), _ -> new ArrayList<>()), generation));
        history.replaceAll((_, generations) -> List.copyOf(generations));
        SortedMap<NodeId, String> outOfService = new TreeMap<>();
        message.getOutOfServiceList()
                .forEach(out -> outOfService.put(
                        WireField.parse("snapshot.out_of_service.node", out.getNode(), NodeId::new), out.getReason()));
        SortedMap<Integer, Long> emptySince = new TreeMap<>();
        message.getEmptyPoolsList().forEach(pool -> put(emptySince, "empty_pools", pool.getPoolId(), pool.getSince()));
        return new ClusterState(
                WireField.number("snapshot.revision", message.getRevision()),
                new Model(segments, pools, members, listeners, loadBalancers),
                new LastIds(
                        WireField.number("snapshot.last_segment_id", message.getLastSegmentId()),
                        WireField.number("snapshot.last_pool_id", message.getLastPoolId()),
                        WireField.number("snapshot.last_member_id", message.getLastMemberId()),
                        WireField.number("snapshot.last_listener_id", message.getLastListenerId()),
                        WireField.number("snapshot.last_load_balancer_id", message.getLastLoadBalancerId())),
                IdMap.of(history),
                outOfService,
                EntryCodec.gateways("snapshot.moved_gateways", message.getMovedGatewaysList()),
                IdMap.of(emptySince),
                EnumCodec.fromWire("snapshot.slot_function", message.getSlotFunction()),
                OriginCodec.fromWire(message),
                TimersCodec.fromWire(message.getTimersList()));
    }

    private static <T> void put(SortedMap<Integer, T> objects, String field, int id, T object) {
        if (objects.putIfAbsent(id, object) != null) {
            throw new IllegalArgumentException("snapshot.%s has id %d twice".formatted(field, id));
        }
    }

    private static SnapshotMember toWire(Member member, Model model) {
        return SnapshotMember.newBuilder()
                .setMember(ModelCodec.toWire(member, model))
                .setPoolId(member.poolId())
                .setSegmentId(member.segmentId())
                .build();
    }

    private static Member fromWire(SnapshotMember message) {
        Member member = ModelCodec.fromWire(message.getMember());
        return new Member(
                member.id(),
                WireField.number("snapshot.members.pool_id", message.getPoolId()),
                WireField.number("snapshot.members.segment_id", message.getSegmentId()),
                member.name(),
                member.key(),
                member.weight(),
                member.admin(),
                member.ceiling(),
                member.staticMac(),
                member.meta());
    }

    private static SnapshotListener toWire(Listener listener, Model model) {
        return SnapshotListener.newBuilder()
                .setListener(ModelCodec.toWire(listener, model))
                .setPoolId(listener.poolId())
                .build();
    }

    private static Listener fromWire(SnapshotListener message) {
        Listener listener = ModelCodec.fromWire(message.getListener());
        return listener.placed(listener.id(), WireField.number("snapshot.listeners.pool_id", message.getPoolId()));
    }

    /** What a generation has like the one before is not said twice. */
    private static void addTo(ClusterSnapshot.Builder message, List<PoolGeneration> generations) {
        PoolSettings before = PoolSettings.NONE;
        for (PoolGeneration generation : generations) {
            var one = toWire(generation).toBuilder();
            if (generation.settings().equals(before)) {
                one.setSettingsAsBefore(true);
            } else {
                generation
                        .settings()
                        .members()
                        .forEach((id, member) -> one.addSettings(SnapshotMemberSetting.newBuilder()
                                .setMemberId(id)
                                .setWeight(member.weight())
                                .setAdmin(EnumCodec.toWire(member.admin()))
                                .setCeiling(member.ceiling())));
            }
            message.addGenerations(one);
            before = generation.settings();
        }
    }

    private static void addTo(List<PoolGeneration> generations, SnapshotGeneration message) {
        PoolGeneration generation = fromWire(message);
        if (message.getSettingsAsBefore()) {
            PoolSettings before = generations.isEmpty()
                    ? PoolSettings.NONE
                    : generations.getLast().settings();
            generations.add(generation.withSettings(before));
            return;
        }
        SortedMap<Integer, PoolSettings.OfMember> members = new TreeMap<>();
        message.getSettingsList()
                .forEach(member -> put(
                        members,
                        "generations.settings",
                        member.getMemberId(),
                        new PoolSettings.OfMember(
                                member.getWeight(),
                                EnumCodec.fromWire("snapshot.generations.settings.admin", member.getAdmin()),
                                member.getCeiling())));
        generations.add(generation.withSettings(new PoolSettings(members)));
    }

    private static SnapshotGeneration toWire(PoolGeneration generation) {
        SnapshotGeneration.Builder message = SnapshotGeneration.newBuilder()
                .setPoolId(generation.poolId())
                .setNumber(generation.number())
                .setRevision(generation.revision())
                .setAlgorithm(ModelCodec.toWire(generation.algorithm()))
                .setSlots(generation.slots())
                .setExpectedDigest(generation.expected().hex())
                .setReason(generation.reason())
                .setCause(EnumCodec.toWire(generation.cause()));
        generation.evidence().forEach(evidence -> message.addEvidence(GuardCodec.toWire(evidence)));
        generation
                .members()
                .forEach(member -> message.addMembers(SnapshotTableMember.newBuilder()
                        .setId(member.id())
                        .setAddress(member.key().toString())
                        .setWeight(member.weight())
                        .setEffectiveWeight(member.effectiveWeight())));
        return message.build();
    }

    private static PoolGeneration fromWire(SnapshotGeneration message) {
        return new PoolGeneration(
                WireField.number("snapshot.generations.pool_id", message.getPoolId()),
                WireField.number("snapshot.generations.number", message.getNumber()),
                WireField.number("snapshot.generations.revision", message.getRevision()),
                EnumCodec.fromWire("snapshot.generations.algorithm", message.getAlgorithm()),
                WireField.number("snapshot.generations.slots", message.getSlots()),
                message.getMembersList().stream()
                        .map(member -> new TableMember(
                                member.getId(),
                                WireField.parse(
                                        "snapshot.generations.members.address", member.getAddress(), MemberKey::parse),
                                member.getWeight(),
                                member.getEffectiveWeight()))
                        .toList(),
                WireField.digest("snapshot.generations.expected_digest", message.getExpectedDigest()),
                message.getReason(),
                EnumCodec.fromWire("snapshot.generations.cause", message.getCause()),
                message.getEvidenceList().stream().map(GuardCodec::fromWire).toList(),
                PoolSettings.NONE);
    }
}
