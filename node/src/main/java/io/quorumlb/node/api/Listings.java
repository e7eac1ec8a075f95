package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Compaction;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.FlapPenalty;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.wire.LoadBalancerCodec;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.consensus.wire.MonitorCodec;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.wire.RecordCodec;
import io.quorumlb.proto.v1.CompactPoolResponse;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.ListListenersResponse;
import io.quorumlb.proto.v1.ListLoadBalancersResponse;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import io.quorumlb.proto.v1.MemberObservation;
import io.quorumlb.proto.v1.MemberShare;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.PoolMonitor;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Answers from the state that this node has applied. */
final class Listings {
    private Listings() {}

    static ListSegmentsResponse segments(NodeState state, ListQuery query) {
        ClusterState cluster = state.cluster();
        var page = query.page(List.copyOf(cluster.model().segments().values()));
        var response = ListSegmentsResponse.newBuilder()
                .setRevision(cluster.revision())
                .setNextPageToken(page.next());
        page.objects()
                .forEach(segment -> response.addSegments(
                        ModelCodec.toWire(segment, home -> cluster.ownerOf(new GatewayId(segment.id(), home)))));
        return response.build();
    }

    static ListPoolsResponse pools(NodeState state, ListQuery query) {
        var page = query.page(List.copyOf(state.cluster().model().pools().values()));
        return ListPoolsResponse.newBuilder()
                .setRevision(state.cluster().revision())
                .setNextPageToken(page.next())
                .addAllPools(page.objects().stream().map(ModelCodec::toWire).toList())
                .build();
    }

    static ListHealthMonitorsResponse monitors(NodeState state, ListQuery query) {
        var page = query.page(List.copyOf(state.cluster().model().pools().values()));
        return ListHealthMonitorsResponse.newBuilder()
                .setRevision(state.cluster().revision())
                .setNextPageToken(page.next())
                .addAllMonitors(page.objects().stream().map(Listings::monitor).toList())
                .build();
    }

    private static PoolMonitor monitor(Pool pool) {
        return PoolMonitor.newBuilder()
                .setPool(pool.name())
                .setPoolId(pool.id())
                .setMonitor(MonitorCodec.toWire(pool.monitor()))
                .putAllLabels(pool.meta().labels().values())
                .setRevision(pool.meta().revision())
                .build();
    }

    static ListListenersResponse listeners(NodeState state, ListQuery query) {
        Model model = state.cluster().model();
        var page = query.page(List.copyOf(model.listeners().values()));
        return ListListenersResponse.newBuilder()
                .setRevision(state.cluster().revision())
                .setNextPageToken(page.next())
                .addAllListeners(page.objects().stream()
                        .map(listener -> ModelCodec.toWire(listener, model))
                        .toList())
                .build();
    }

    static ListLoadBalancersResponse loadBalancers(NodeState state, ListQuery query) {
        var page =
                query.page(List.copyOf(state.cluster().model().loadBalancers().values()));
        return ListLoadBalancersResponse.newBuilder()
                .setRevision(state.cluster().revision())
                .setNextPageToken(page.next())
                .addAllLoadBalancers(
                        page.objects().stream().map(LoadBalancerCodec::toWire).toList())
                .build();
    }

    /** Lists members of the pool that the query names, or of all. */
    static ListMembersResponse members(NodeState state, ListQuery query, MonotonicTime now) {
        ClusterState cluster = state.cluster();
        var page = query.page(
                query.scope().isEmpty()
                        ? cluster.model().members().values().stream()
                                .filter(member -> !member.retired())
                                .toList()
                        : cluster.model()
                                .presentMembersOf(
                                        pool(state, "pool", query.scope()).id()));
        Collection<Member> members = page.objects();
        SortedMap<Integer, Integer> slots = new TreeMap<>();
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        members.stream()
                .map(Member::poolId)
                .distinct()
                .forEach(poolId -> cluster.generation(poolId).ifPresent(generation -> {
                    slots.putAll(generation.build().slotsByMember());
                    generation.members().forEach(member -> weights.put(member.id(), member.effectiveWeight()));
                }));
        var response =
                ListMembersResponse.newBuilder().setRevision(cluster.revision()).setNextPageToken(page.next());
        members.forEach(member -> response.addMembers(timed(state, member, now)
                .setMember(ModelCodec.toWire(member, cluster.model()))
                .setEffectiveWeight(weights.getOrDefault(member.id(), 0))
                .setSlots(slots.getOrDefault(member.id(), 0))
                .setHeldDown(weights.getOrDefault(member.id(), 0) == 0 ? heldDown(state, member, now) : "")
                .addAllObservations(observed(state, state.observations(member.id(), now)))));
        return response.build();
    }

    private static MemberStatus.Builder timed(NodeState state, Member member, MonotonicTime now) {
        var status = MemberStatus.newBuilder();
        if (state.cluster().timers().members().containsKey(member.id())) {
            status.setTimers(Timings.left(state, member.id(), now));
        }
        return status;
    }

    /** Returns the table of the pool's current generation; without owners before its first. */
    static GetPoolSlotsResponse slots(NodeState state, String name) {
        Pool pool = pool(state, "pool", name);
        var response = GetPoolSlotsResponse.newBuilder()
                .setPoolId(pool.id())
                .setAlgorithm(ModelCodec.toWire(pool.algorithm()));
        state.cluster().generation(pool.id()).ifPresent(generation -> fill(response, generation, state));
        return response.build();
    }

    /**
     * Returns the pool with the name.
     *
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND and the names that exist
     */
    static Pool pool(NodeState state, String field, String name) {
        Model model = state.cluster().model();
        return model.pool(name)
                .orElseThrow(() -> Refusals.notFound(
                        field,
                        "pool '%s' does not exist: %s"
                                .formatted(
                                        name,
                                        model.pools().isEmpty()
                                                ? "there is none"
                                                : model.pools().values().stream()
                                                        .map(Pool::name)
                                                        .collect(Collectors.joining(", ", "there are ", "")))));
    }

    private static void fill(GetPoolSlotsResponse.Builder response, PoolGeneration generation, NodeState state) {
        SlotTable table = generation.build();
        SortedMap<Integer, Integer> slots = table.slotsByMember();
        response.setGeneration(generation.number())
                .setAlgorithm(ModelCodec.toWire(generation.algorithm()))
                .setExpectedDigest(generation.expected().hex())
                .setReason(generation.reason());
        for (int slot = 0; slot < table.slots(); slot++) {
            response.addOwners(table.owner(slot));
        }
        SortedMap<Integer, Member> members = state.cluster().model().members();
        generation
                .members()
                .forEach(member -> response.addMembers(MemberShare.newBuilder()
                        .setId(member.id())
                        .setName(Optional.ofNullable(members.get(member.id()))
                                .map(Member::name)
                                .orElse(""))
                        .setAddress(member.key().toString())
                        .setWeight(member.weight())
                        .setEffectiveWeight(member.effectiveWeight())
                        .setSlots(slots.getOrDefault(member.id(), 0))
                        .setRetired(Optional.ofNullable(members.get(member.id()))
                                .filter(Member::retired)
                                .isPresent())));
    }

    /** Says what compacting the pool with the name would do now. */
    static CompactPoolResponse compaction(NodeState state, String name) {
        return compacted(Compaction.of(state.cluster(), pool(state, "pool", name)), 0);
    }

    /** Says what compacting did, or would do. */
    static CompactPoolResponse compacted(Compaction compaction, long revision) {
        return CompactPoolResponse.newBuilder()
                .setRevision(revision)
                .addAllRetired(compaction.retired().stream().map(Member::name).toList())
                .setMoved(compaction.movement().moved())
                .setCollateral(compaction.movement().collateral())
                .build();
    }

    private static String heldDown(NodeState state, Member member, MonotonicTime now) {
        FlapPenalty penalty = state.penalty(member, now);
        return penalty.heldDown() ? "flapping, penalty %.0f".formatted(penalty.points()) : "";
    }

    /** Returns what each node has found of one member; also those that have not seen enough of it. */
    private static List<MemberObservation> observed(NodeState state, List<Observation> observations) {
        return state.settings().voters().stream()
                .map(node -> observations.stream()
                        .filter(seen -> seen.observer().equals(node))
                        .findFirst()
                        .map(Listings::toWire)
                        .orElseGet(() -> MemberObservation.newBuilder()
                                .setObserver(node.value())
                                .setDetail("not enough probes yet")
                                .build()))
                .toList();
    }

    private static MemberObservation toWire(Observation observation) {
        return MemberObservation.newBuilder()
                .setObserver(observation.observer().value())
                .setHealth(RecordCodec.toWire(observation.health()))
                .setAgeMillis(RecordCodec.millis(observation.age()))
                .setDetail(observation.detail())
                .setSuspicion(RecordCodec.toWire(observation.suspicion()))
                .build();
    }
}
