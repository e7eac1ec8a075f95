package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.pipeline.SlotSets;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a node says of itself. */
final class Reporting {
    /** An election takes less. */
    static final Duration FROZEN_AFTER = Duration.ofSeconds(3);

    private Reporting() {}

    static NodeReport report(NodeState state, MonotonicTime now) {
        SortedMap<NodeId, Duration> peers = new TreeMap<>();
        state.gossip().held().forEach((node, held) -> held.age(now).ifPresent(age -> peers.put(node, age)));
        AnnounceState announcement = state.announcement();
        return new NodeReport(
                state.leadership(),
                state.appliedIndex(),
                datapath(state, now),
                pools(state, now),
                announcement.announced(),
                announcement.announced() ? "" : announcement.reason(),
                state.service().wantsOut(),
                state.service().returning(),
                peers,
                gateways(state),
                state.certificateEnd(),
                problems(state));
    }

    private static GatewayReport gateways(NodeState state) {
        SortedSet<IpAddress> answersFor = new TreeSet<>();
        if (state.log().caughtUp()) {
            state.datapath().proven().stream()
                    .flatMap(proven -> proven.segments().values().stream())
                    .forEach(segment -> answersFor.addAll(segment.gateways()));
        }
        return new GatewayReport(
                Looking.ownAddresses(state.settings(), state.network().view()), Looking.answering(state), answersFor);
    }

    private static SwitchReport datapath(NodeState state, MonotonicTime now) {
        SwitchState datapath = state.datapath();
        return new SwitchReport(
                datapath.snapshot().isPresent(),
                datapath.reading().isUntried(),
                datapath.reading().failure(),
                datapath.setup().database().map(SwitchDatabase::version).orElse(""),
                datapath.setup().database().map(Configuring::datapath).orElse(""),
                datapath.snapshot().map(snapshot -> snapshot.foreign().size()).orElse(0),
                datapath.repairs().counts(),
                datapath.repairs().contested().isPresent(),
                datapath.reading().flowModsSent(),
                datapath.reading().failClosed(),
                datapath.outage().restarts(),
                datapath.outage().last(),
                datapath.snapshot().isPresent() ? now.since(datapath.reading().at()) : Duration.ZERO,
                state.fingerprint().known());
    }

    private static List<PoolReport> pools(NodeState state, MonotonicTime now) {
        SortedMap<Integer, ServedPool> proven = state.datapath().comparison().provenPools();
        return state.cluster().model().pools().values().stream()
                .map(pool -> pool(state, pool, Optional.ofNullable(proven.get(pool.id())), now))
                .toList();
    }

    static PoolReport pool(NodeState state, Pool pool, MonotonicTime now) {
        return pool(
                state,
                pool,
                Optional.ofNullable(state.datapath().comparison().provenPools().get(pool.id())),
                now);
    }

    private static PoolReport pool(NodeState state, Pool pool, Optional<ServedPool> inSwitch, MonotonicTime now) {
        SwitchState datapath = state.datapath();
        Optional<PoolGeneration> generation = state.cluster().generation(pool.id());
        // What was built from an earlier generation says nothing about this one.
        Optional<BuiltTable> built = Optional.ofNullable(datapath.built().get(pool.id()))
                .filter(table -> generation.equals(Optional.of(table.generation())));
        Optional<Digest> installed =
                Optional.ofNullable(datapath.reading().installed().get(pool.id()));
        Optional<Digest> expected = generation.map(PoolGeneration::expected);
        InstallState proven = installState(state, pool, inSwitch, generation, built, installed);
        InstallState install = proven == InstallState.CONVERGED ? service(state, now) : proven;
        return new PoolReport(
                pool.id(),
                state.cluster().generationNumber(pool.id()),
                expected,
                built.map(BuiltTable::digest),
                installed,
                install,
                detail(state, install, built),
                state.lead().pool(pool.id()).holds(),
                Optional.ofNullable(datapath.reading().installed().get(SlotSets.failOpen(pool.id()))));
    }

    private static InstallState installState(
            NodeState state,
            Pool pool,
            Optional<ServedPool> proven,
            Optional<PoolGeneration> generation,
            Optional<BuiltTable> built,
            Optional<Digest> installed) {
        SwitchState datapath = state.datapath();
        if (datapath.snapshot().isEmpty()) {
            return InstallState.NO_SWITCH;
        }
        if (!state.log().caughtUp()) {
            return InstallState.LAGGING;
        }
        if (generation.isEmpty()) {
            return datapath.proven().isPresent() ? InstallState.CONVERGED : InstallState.INSTALLING;
        }
        if (built.isPresent() && !built.get().asExpected()) {
            return Agreement.diverged(state, pool, generation.get()).isPresent()
                    ? InstallState.DIVERGED
                    : InstallState.MISMATCH;
        }
        if (proven.map(ServedPool::generation)
                        .equals(Optional.of(generation.get().number()))
                && failOpenProven(datapath, pool.id(), proven)
                && installed.equals(Optional.of(generation.get().expected()))) {
            return InstallState.CONVERGED;
        }
        ServedPool serving = datapath.serving().get(pool.id());
        boolean held =
                serving == null || serving.generation() != generation.get().number();
        return built.isPresent() && held ? InstallState.WAITING_NEIGHBOUR : InstallState.INSTALLING;
    }

    /** Returns what becomes of a proven pool: a node may have it in its switch and still take no part. */
    private static InstallState service(NodeState state, MonotonicTime now) {
        if (!state.cluster().inService(state.settings().self())) {
            return InstallState.NOT_SERVING;
        }
        boolean frozen = state.log().searches()
                && now.since(state.log().leadershipSince()).compareTo(FROZEN_AFTER) > 0;
        return frozen ? InstallState.FROZEN : InstallState.CONVERGED;
    }

    /** The table over all enabled members changes also without a generation: when a member is drained that is down. */
    private static boolean failOpenProven(SwitchState datapath, int poolId, Optional<ServedPool> proven) {
        Optional<SlotTable> wanted =
                Optional.ofNullable(datapath.serving().get(poolId)).flatMap(ServedPool::failOpen);
        return proven.flatMap(ServedPool::failOpen).equals(wanted);
    }

    private static String detail(NodeState state, InstallState install, Optional<BuiltTable> built) {
        return switch (install) {
            case NO_SWITCH -> state.datapath().reading().failure();
            case LAGGING -> "has not caught up with the log yet";
            case MISMATCH, DIVERGED ->
                "built %s"
                        .formatted(built.map(table -> table.digest().toString()).orElse("nothing"));
            case WAITING_NEIGHBOUR ->
                built.map(table -> waitingFor(state, table)).orElse("");
            case NOT_SERVING ->
                state.cluster().outOfService().getOrDefault(state.settings().self(), "");
            case FROZEN -> "no leader: keeps forwarding by the last generation";
            case INSTALLING ->
                state.fingerprint().accepted()
                        ? ""
                        : state.fingerprint().trouble().isEmpty()
                                ? "waits for the fingerprints of this switch and of the others"
                                : state.fingerprint().trouble();
            case CONVERGED -> "";
        };
    }

    private static String waitingFor(NodeState state, BuiltTable table) {
        var turn = new Turn(state, state.steppedAt());
        Optional<ServedPool> before = Optional.ofNullable(
                state.datapath().serving().get(table.generation().poolId()));
        List<ServedMember> missing = Intents.withoutMac(Intents.served(turn, table, before, new TreeMap<>()), table);
        return "no MAC address for %s"
                .formatted(missing.stream()
                        .map(member -> member.address().toString())
                        .toList());
    }

    private static List<String> problems(NodeState state) {
        List<String> problems = new ArrayList<>();
        if (state.log().searches()) {
            problems.add("no leader: nothing can be committed; forwarding goes on with the last generation");
        }
        state.datapath()
                .snapshot()
                .ifPresentOrElse(
                        snapshot -> {
                            if (!snapshot.foreign().isEmpty()) {
                                problems.add("%d flows of others in the switch, first: %s"
                                        .formatted(
                                                snapshot.foreign().size(),
                                                snapshot.foreign().getFirst().flow()));
                            }
                        },
                        () -> problems.add(
                                "switch: " + state.datapath().reading().failure()));
        state.datapath()
                .repairs()
                .contested()
                .ifPresent(flow -> problems.add(
                        "somebody keeps changing our flows, among them %s: find the other controller or script and stop it"
                                .formatted(flow)));
        SwitchSetup setup = state.datapath().setup();
        setup.problems().forEach(problem -> problems.add(problem.sentence()));
        if (!setup.failure().isEmpty()) {
            problems.add("the switch's database cannot be read: " + setup.failure());
        }
        if (!state.announcement().problem().isEmpty()) {
            problems.add("announcer: " + state.announcement().problem());
        }
        if (!state.fingerprint().trouble().isEmpty()) {
            problems.add("slot function: " + state.fingerprint().trouble());
        }
        problems.addAll(Attachments.missing(
                state.settings(),
                state.cluster().model(),
                state.network().view(),
                state.datapath().snapshot()));
        problems.addAll(Announcing.problems(state));
        for (Segment segment : state.cluster().model().segments().values()) {
            if (!state.settings().segments().containsKey(segment.name())) {
                problems.add("segment %s is not in this node's configuration: its members cannot be reached from here"
                        .formatted(segment.name()));
            }
        }
        state.service().blind().values().forEach(blind -> problems.add(blind.text()));
        if (!state.service().wantsOut().isEmpty()
                && state.cluster().inService(state.settings().self())) {
            problems.add(
                    "wants to leave service, not granted: " + state.service().wantsOut());
        }
        return problems;
    }
}
