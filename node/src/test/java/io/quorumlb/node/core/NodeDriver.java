package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import io.quorumlb.ovs.packet.NeighbourSighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Runs one real core against a switch, a kernel and a log in memory; answers to effects come with the next step. An
 * effect of a muted kind is recorded and never answered.
 */
final class NodeDriver {
    final NodeId self;
    final FakeSwitch ovs;

    /** Members that answer this node's probes. */
    final SortedSet<Integer> answering = new TreeSet<>(List.of(1, 2, 3, 4));

    /** Kinds of effects that are not performed. */
    final Set<Class<? extends NodeEffect>> muted = new HashSet<>();

    /** What the kernel says. */
    NetworkView network;

    /** Stations that answer questions for an address, in the order of their answers; nobody answers for others. */
    final SortedMap<IpAddress, List<MacAddress>> stations = new TreeMap<>();

    /** Takes what this node sends to its peers. */
    BiConsumer<NodeId, GossipMessage> gossip = (_, _) -> {};

    /** Members that take this node's probes and never answer: they fail at the timeout. */
    final SortedSet<Integer> silent = new TreeSet<>();

    /** How long a probe of a member takes that answers; none is at once. */
    final SortedMap<Integer, Duration> latency = new TreeMap<>();

    /** Says whose data paths answer this node. */
    Predicate<NodeId> pathAnswers = _ -> true;

    /** True while the process stands still. */
    boolean frozen;

    private record Timed(MonotonicTime at, NodeEffect effect) {}

    private record Later(MonotonicTime at, NodeEvent event) {}

    private final List<Later> later = new ArrayList<>();

    private static final Duration LOOK_TIMEOUT = Duration.ofMillis(300);

    private final FakeLog log;
    private final List<NodeEvent> inbox = new ArrayList<>();
    private List<NodeEvent> events = List.of();
    private final List<Timed> effects = new ArrayList<>();
    private NodeState state;
    private long flowModsSent;

    NodeDriver(NodeId self, long incarnation, FakeSwitch ovs, FakeLog log, MonotonicTime now) {
        this.self = self;
        this.ovs = ovs;
        this.log = log;
        this.network = Site.network(self);
        this.state = NodeState.initial(Site.settings(self, incarnation), now);
        log.join(self, inbox::add);
    }

    /** A node of a cluster with other voters. */
    NodeDriver(NodeSettings settings, FakeSwitch ovs, FakeLog log, MonotonicTime now) {
        this.self = settings.self();
        this.ovs = ovs;
        this.log = log;
        this.network = Site.network(self);
        this.state = NodeState.initial(settings, now);
        log.join(self, inbox::add);
    }

    NodeState state() {
        return state;
    }

    void deliver(NodeEvent event) {
        inbox.add(event);
    }

    /** Takes one step, if the process runs. */
    void step(MonotonicTime now) {
        if (!frozen) {
            prepare(now);
            finish(compute(now), now);
        }
    }

    /** Takes what has come in. */
    void prepare(MonotonicTime now) {
        later.removeIf(event -> now.reached(event.at()) && inbox.add(event.event()));
        events = List.copyOf(inbox);
        inbox.clear();
    }

    /** Returns the step that what has come in leads to; changes nothing. */
    Step compute(MonotonicTime now) {
        return NodeCore.step(state, events, now);
    }

    void finish(Step step, MonotonicTime now) {
        state = step.state();
        step.effects().forEach(effect -> {
            effects.add(new Timed(now, effect));
            if (!muted.contains(effect.getClass())) {
                perform(effect, now);
            }
        });
    }

    private void perform(NodeEffect effect, MonotonicTime now) {
        switch (effect) {
            case NodeEffect.Probe(ProbeTarget target) -> probe(target, now);
            case NodeEffect.Gossip(var to, var message) -> gossip.accept(to, message);
            case NodeEffect.Propose(var command) -> {
                var outcome = log.propose(self, command);
                deliver(new NodeEvent.ProposalFinished(command, outcome));
            }
            case NodeEffect.ReadBarrier _ -> deliver(new NodeEvent.BarrierFinished(log.barrier(self)));
            case NodeEffect.HandOver(var to, String _) -> log.handOver(self, to);
            case NodeEffect.ReadSwitch _ -> deliver(ovs.readBack(flowModsSent));
            case NodeEffect.ReadPools(var pools) -> deliver(ovs.readBack(pools, flowModsSent));
            case NodeEffect.ChangeSwitch(var delta) -> {
                flowModsSent += delta.size();
                deliver(ovs.change(delta));
            }
            case NodeEffect.TakeFingerprint(long number, var _, var _) ->
                deliver(new NodeEvent.FingerprintTaken(number, ovs.fingerprint));
            case NodeEffect.SendFrames _ -> {
                // Kept with the others.
            }
            case NodeEffect.LookAtPath(var node, var _, var _) ->
                later.add(new Later(
                        now.plus(pathAnswers.test(node) ? Duration.ofMillis(2) : LOOK_TIMEOUT),
                        new NodeEvent.PathLooked(node, pathAnswers.test(node))));
            case NodeEffect.ReadNetwork _ -> deliver(new NodeEvent.NetworkRead(network));
            case NodeEffect.AskNeighbours(var questions) -> ask(questions);
            case NodeEffect.CorrectNeighbour(var entry) ->
                neighbours(entry.interfaceName(), macs -> macs.put(entry.address(), entry.mac()));
            case NodeEffect.Announce _ -> deliver(new NodeEvent.AnnouncementRead(true, ""));
            case NodeEffect.KeepAnnounced _, NodeEffect.RestoreAnnounced _ ->
                deliver(new NodeEvent.AnnouncementRead(true, ""));
            case NodeEffect.Withdraw _ -> deliver(new NodeEvent.AnnouncementRead(false, ""));
            case NodeEffect.Say _ -> {
                // Kept with the others.
            }
        }
    }

    private void ask(List<NeighbourQuestion> questions) {
        List<NeighbourSighting> answers = new ArrayList<>();
        for (NeighbourQuestion question : questions) {
            for (MacAddress mac : stations.getOrDefault(question.target(), List.of())) {
                answers.add(new NeighbourSighting(
                        question.interfaceName(), question.target(), mac, NeighbourSighting.Origin.NETWORK));
            }
        }
        if (!answers.isEmpty()) {
            deliver(new NodeEvent.NeighboursHeard(answers));
        }
    }

    private void probe(ProbeTarget target, MonotonicTime now) {
        int member = target.memberId();
        boolean answers = answering.contains(member) && !silent.contains(member);
        var event = new NodeEvent.ProbeFinished(member, target.number(), new ProbeResult(answers, "probe"));
        Duration takes =
                silent.contains(member) ? target.monitor().timeout() : latency.getOrDefault(member, Duration.ZERO);
        if (takes.isZero()) {
            deliver(event);
        } else {
            later.add(new Later(now.plus(takes), event));
        }
    }

    /** Returns the effects of a kind since the last {@link #forget()}. */
    <T extends NodeEffect> List<T> wanted(Class<T> kind) {
        return effects.stream()
                .map(Timed::effect)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    /** Returns when probes of the member were started since the last {@link #forget()}. */
    List<MonotonicTime> probesOf(int member) {
        return effects.stream()
                .filter(timed ->
                        timed.effect() instanceof NodeEffect.Probe(ProbeTarget target) && target.memberId() == member)
                .map(Timed::at)
                .toList();
    }

    /** Returns everything said since the last {@link #forget()} that contains the text. */
    List<String> said(String text) {
        return wanted(NodeEffect.Say.class).stream()
                .map(NodeEffect.Say::message)
                .filter(message -> message.contains(text))
                .toList();
    }

    void forget() {
        effects.clear();
    }

    /** Returns what the node reports of pool web. */
    PoolReport web() {
        return Reporting.report(state, state.steppedAt()).pools().getFirst();
    }

    NodeReport report() {
        return Reporting.report(state, state.steppedAt());
    }

    /** Makes the kernel forget or learn neighbours on an interface. */
    void neighbours(String interfaceName, Consumer<SortedMap<IpAddress, MacAddress>> change) {
        var all = new TreeMap<>(network.neighbours());
        var macs = new TreeMap<>(all.getOrDefault(interfaceName, new TreeMap<>()));
        change.accept(macs);
        all.put(interfaceName, macs);
        network = new NetworkView(network.interfaces(), all);
    }
}
