package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.Content;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.Entry;
import io.quorumlb.node.core.EntryKey;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.OpaqueBytes;
import io.quorumlb.node.core.Stamp;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.verify.contract.LogSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Stands between the core and its world and does there what a faulty core would do; {@link Planted} says what. */
final class Mischief {
    private static final Duration UNHEARD = Duration.ofSeconds(2);

    private static final Duration OLD = Duration.ofSeconds(1);
    private static final int GOOD_SWALLOWED = 2;
    private static final int LISTENER_TABLE = 8;

    /** What a fault remembers at one node. */
    private static final class Memory {
        private final SortedMap<Integer, Integer> goodInARow = new TreeMap<>();
        private final SortedMap<NodeId, Beat> heard = new TreeMap<>();
        private final SortedMap<NodeId, Long> heardAt = new TreeMap<>();
        private Optional<SortedMap<FlowKey, InstalledFlow>> flows = Optional.empty();
        private long forgedAt;
    }

    private final World world;
    private final Planted planted;
    private final SortedMap<NodeId, Memory> memories = new TreeMap<>();

    Mischief(World world, Planted planted) {
        this.world = world;
        this.planted = planted;
    }

    private Memory memory(SimNode node) {
        return memories.computeIfAbsent(node.id, _ -> new Memory());
    }

    /** Returns the events as the core gets them. */
    List<NodeEvent> incoming(SimNode node, List<NodeEvent> events) {
        return switch (planted) {
            case TRUSTS_MEMORY ->
                events.stream().map(event -> remembered(node, event)).toList();
            case COUNTS_NOT_CONSECUTIVELY ->
                events.stream().filter(event -> counts(node, event)).toList();
            case ORDER_OF_A_HASH_SET ->
                events.stream().map(event -> reordered(node, event)).toList();
            case MAJORITY_OF_THE_REACHABLE -> withForgedVotes(node, events);
            case GATEWAYS_STAY_AT_HOME ->
                events.stream().map(Mischief::withGatewaysAtHome).toList();
            default -> events;
        };
    }

    /** Returns the effect as it is performed; empty if it is not. */
    Optional<NodeEffect> outgoing(SimNode node, NodeEffect effect) {
        return switch (planted) {
            case TRUSTS_MEMORY -> {
                if (effect instanceof NodeEffect.ChangeSwitch(FlowDelta delta)) {
                    memory(node).flows.ifPresent(flows -> {
                        delta.delete().forEach(flows::remove);
                        delta.add()
                                .forEach(flow -> flows.put(flow.key(), new InstalledFlow(flow, 0, 0, Duration.ZERO)));
                    });
                }
                yield Optional.of(effect);
            }
            case FORGETS_AGE_WHEN_RELAYING ->
                Optional.of(beats(effect, beat -> beat.owner().equals(node.id) ? beat : renewed(beat, 0)));
            case COUNTS_STALE_OBSERVATIONS ->
                Optional.of(beats(
                        effect,
                        beat -> beat.owner().equals(node.id) || beat.age().compareTo(OLD) < 0
                                ? beat
                                : renewed(beat, 1)));
            case FORGETS_INCARNATIONS -> Optional.of(inOneLife(effect));
            case NUMBERS_BY_CLOCK ->
                Optional.of(
                        effect instanceof NodeEffect.Propose(Command.CommitGeneration command)
                                ? new NodeEffect.Propose(
                                        numbered(command, node.now().nanos() / 1_000_000_000))
                                : effect);
            case INSTALLS_BEFORE_COMMIT -> {
                if (effect instanceof NodeEffect.Propose(Command.CommitGeneration command)) {
                    ClusterState next =
                            StateMachine.apply(node.state().cluster(), command).state();
                    node.deliver(
                            node.life(), new NodeEvent.LogAdvanced(node.state().appliedIndex(), next));
                }
                yield Optional.of(effect);
            }
            case NO_BARRIER_AFTER_A_PAUSE -> {
                if (effect instanceof NodeEffect.ReadBarrier) {
                    node.deliver(node.life(), new NodeEvent.BarrierFinished(true));
                    yield Optional.empty();
                }
                yield Optional.of(effect);
            }
            case HOLDS_NEVER_END ->
                effect instanceof NodeEffect.Propose(Command.PassTime _) ? Optional.empty() : Optional.of(effect);
            default -> Optional.of(effect);
        };
    }

    /** Returns what the operator is told of a write. */
    ProposeOutcome told(ProposeOutcome outcome) {
        return planted == Planted.UNKNOWN_IS_DONE && outcome instanceof ProposeOutcome.Unknown
                ? new ProposeOutcome.Committed(
                        new Outcome.Done(0, world.checks.canon.latest().revision() + 1))
                : outcome;
    }

    /** Returns what a switch makes of a bundle. */
    FlowDelta bundle(FlowDelta delta) {
        if (planted == Planted.OPENS_WITHOUT_NEED) {
            return new FlowDelta(
                    delta.putGroups(),
                    delta.add().stream().map(Mischief::opened).toList(),
                    delta.delete(),
                    delta.deleteGroups());
        }
        return planted == Planted.HALF_A_BUNDLE && delta.add().size() > 2
                ? new FlowDelta(
                        delta.putGroups(),
                        delta.add().subList(0, delta.add().size() / 2),
                        delta.delete(),
                        delta.deleteGroups())
                : delta;
    }

    /** Returns a listener's row that leads to the slots of all enabled members; any other flow as it is. */
    private static Flow opened(Flow flow) {
        if (flow.key().table() != LISTENER_TABLE) {
            return flow;
        }
        List<Instruction> instructions = flow.instructions().stream()
                .map(instruction -> instruction instanceof Instruction.ApplyActions(var actions)
                        ? new Instruction.ApplyActions(actions.stream()
                                .map(action -> action instanceof Action.SetField set && set.field() == Field.REG0
                                        ? new Action.SetField(Field.REG0, set.value() | SwitchChecks.FAIL_OPEN)
                                        : action)
                                .toList())
                        : instruction)
                .toList();
        return new Flow(flow.key(), flow.cookie(), instructions);
    }

    LogSettings quorum(LogSettings settings) {
        return planted == Planted.LOG_WITHOUT_MAJORITY
                ? settings.withQuorum(voters -> Math.max(1, voters / 2))
                : settings;
    }

    Applied apply(ClusterState state, Command command) {
        if (planted == Planted.NUMBERS_BY_CLOCK && command instanceof Command.CommitGeneration commit) {
            long current = state.generationNumber(commit.poolId());
            if (commit.number() > current) {
                Applied applied = StateMachine.apply(state, numbered(commit, current + 1));
                return new Applied(last(applied.state(), commit.poolId(), commit.number()), applied.outcome());
            }
        }
        boolean forgets = planted == Planted.FORGETS_REQUESTS;
        return forgets && command instanceof Command.Requested(var _, Command asked)
                ? StateMachine.apply(state, asked)
                : StateMachine.apply(state, command);
    }

    private static Command.CommitGeneration numbered(Command.CommitGeneration command, long number) {
        return new Command.CommitGeneration(
                command.poolId(),
                number,
                command.revision(),
                command.effectiveWeights(),
                command.expected(),
                command.reason(),
                command.cause(),
                command.footing(),
                command.evidence());
    }

    private static ClusterState last(ClusterState state, int pool, long number) {
        return CoreEdge.withHistory(state, (id, generations) -> {
            if (id != pool || generations.isEmpty()) {
                return generations;
            }
            List<PoolGeneration> changed = new ArrayList<>(generations);
            changed.add(CoreEdge.with(changed.removeLast(), number));
            return changed;
        });
    }

    private static NodeEffect beats(NodeEffect effect, UnaryOperator<Beat> change) {
        return effect instanceof NodeEffect.Gossip(NodeId to, var message)
                ? new NodeEffect.Gossip(
                        to,
                        new GossipMessage(
                                message.beats().stream().map(change).toList(),
                                message.deltas(),
                                message.held(),
                                message.wanted()))
                : effect;
    }

    /** Returns the beat as if it had been made now. */
    private static Beat renewed(Beat beat, long later) {
        return new Beat(
                beat.owner(),
                beat.incarnation(),
                beat.sequence() + later,
                beat.version(),
                Duration.ZERO,
                beat.bounds(),
                beat.peers(),
                beat.readBackAge(),
                beat.extra());
    }

    private static NodeEffect inOneLife(NodeEffect effect) {
        if (!(effect instanceof NodeEffect.Gossip(NodeId to, var message))) {
            return effect;
        }
        return new NodeEffect.Gossip(
                to,
                new GossipMessage(
                        message.beats().stream()
                                .map(beat -> new Beat(
                                        beat.owner(),
                                        1,
                                        beat.sequence(),
                                        beat.version(),
                                        beat.age(),
                                        beat.bounds(),
                                        beat.peers(),
                                        beat.readBackAge(),
                                        beat.extra()))
                                .toList(),
                        message.deltas().stream()
                                .map(delta -> new Delta(
                                        delta.owner(),
                                        1,
                                        delta.base(),
                                        delta.version(),
                                        delta.whole(),
                                        delta.entries()))
                                .toList(),
                        message.held().stream().map(Mischief::inOneLife).toList(),
                        message.wanted().stream().map(Mischief::inOneLife).toList()));
    }

    private static Stamp inOneLife(Stamp stamp) {
        return new Stamp(stamp.owner(), Math.min(1, stamp.incarnation()), stamp.version());
    }

    private NodeEvent remembered(SimNode node, NodeEvent event) {
        if (event instanceof NodeEvent.PoolsRead(SortedSet<Integer> pools, SwitchSnapshot part, long flowMods)) {
            FlowMap<InstalledFlow> old = memory(node)
                    .flows
                    .map(FlowMap::of)
                    .orElse(part.own())
                    .filtered(held -> pools.contains(Cookie.pool(held.flow().cookie())));
            return new NodeEvent.PoolsRead(
                    pools, new SwitchSnapshot(old, part.foreign(), part.ports(), part.groups()), flowMods);
        }
        if (!(event instanceof NodeEvent.SwitchRead(SwitchSnapshot snapshot, long flowMods))) {
            return event;
        }
        Memory memory = memory(node);
        if (memory.flows.isEmpty()) {
            memory.flows = Optional.of(new TreeMap<>(snapshot.own()));
        }
        return new NodeEvent.SwitchRead(
                new SwitchSnapshot(
                        FlowMap.of(memory.flows.get()), snapshot.foreign(), snapshot.ports(), snapshot.groups()),
                flowMods);
    }

    private static NodeEvent withGatewaysAtHome(NodeEvent event) {
        return event instanceof NodeEvent.LogAdvanced(long index, ClusterState state)
                ? new NodeEvent.LogAdvanced(index, CoreEdge.withGatewaysAtHome(state))
                : event;
    }

    private boolean counts(SimNode node, NodeEvent event) {
        if (!(event instanceof NodeEvent.ProbeFinished(int member, long _, var result))) {
            return true;
        }
        SortedMap<Integer, Integer> good = memory(node).goodInARow;
        if (!result.success()) {
            good.put(member, 0);
            return true;
        }
        return good.merge(member, 1, Integer::sum) > GOOD_SWALLOWED;
    }

    private static NodeEvent reordered(SimNode node, NodeEvent event) {
        if (!(event instanceof NodeEvent.LogAdvanced(long index, ClusterState state))) {
            return event;
        }
        return new NodeEvent.LogAdvanced(
                index,
                CoreEdge.withHistory(
                        state,
                        (_, generations) -> generations.stream()
                                .map(generation -> CoreEdge.with(generation, shuffled(node, generation.members())))
                                .toList()));
    }

    /** Each node has the members' places in an order of its own. */
    private static List<TableMember> shuffled(SimNode node, List<TableMember> members) {
        List<TableMember> order = new ArrayList<>(members);
        order.sort(Comparator.comparingInt(member -> (member.key() + node.id.value()).hashCode() * 0x9e3779b9));
        List<TableMember> shuffled = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            TableMember other = order.get(i);
            shuffled.add(new TableMember(members.get(i).id(), other.key(), other.weight(), other.effectiveWeight()));
        }
        return shuffled;
    }

    private List<NodeEvent> withForgedVotes(SimNode node, List<NodeEvent> events) {
        Memory memory = memory(node);
        for (NodeEvent event : events) {
            if (event instanceof NodeEvent.GossipReceived(NodeId _, var message)) {
                message.beats().stream().filter(beat -> newer(memory, beat)).forEach(beat -> {
                    memory.heard.put(beat.owner(), beat);
                    memory.heardAt.put(beat.owner(), world.now());
                });
            }
        }
        if (world.now() - memory.forgedAt < OLD.toNanos() || !disagrees(node)) {
            return events;
        }
        memory.forgedAt = world.now();
        List<NodeEvent> more = new ArrayList<>(events);
        memory.heard.forEach((owner, beat) -> {
            if (!owner.equals(node.id) && world.now() - memory.heardAt.getOrDefault(owner, 0L) > UNHEARD.toNanos()) {
                more.add(forged(node, owner, beat));
            }
        });
        return more;
    }

    /** Returns a message as if the owner had just found what the node itself has found. */
    private NodeEvent forged(SimNode node, NodeId owner, Beat beat) {
        List<Entry> entries = new ArrayList<>();
        for (Observation seen : node.state().observations(node.now())) {
            if (seen.observer().equals(node.id)) {
                var vote = new Observation(
                        owner, seen.memberId(), seen.health(), seen.suspicion(), Duration.ZERO, "forged");
                entries.add(new Entry(
                        new EntryKey(EntryKey.MEMBER, seen.memberId()),
                        beat.version() + entries.size() + 1,
                        new Content.OfMember(vote, world.settings.monitor().interval()),
                        OpaqueBytes.NONE));
            }
        }
        long version = beat.version() + entries.size();
        SortedMap<Duration, Duration> bounds = new TreeMap<>();
        bounds.put(world.settings.monitor().interval(), Duration.ZERO);
        var now = new Beat(
                owner,
                beat.incarnation(),
                beat.sequence() + 1,
                version,
                Duration.ZERO,
                bounds,
                beat.peers(),
                beat.readBackAge(),
                beat.extra());
        var delta = new Delta(owner, beat.incarnation(), beat.version(), version, version, entries);
        return new NodeEvent.GossipReceived(
                owner, new GossipMessage(List.of(now), List.of(delta), List.of(), List.of()));
    }

    /** Returns true if the node itself has found something else than is committed. */
    private static boolean disagrees(SimNode node) {
        ClusterState state = node.state().cluster();
        return node.state().observations(node.now()).stream()
                .filter(seen -> seen.observer().equals(node.id))
                .anyMatch(seen -> state.history().values().stream()
                        .flatMap(history -> history.getLast().member(seen.memberId()).stream())
                        .anyMatch(member -> (member.effectiveWeight() > 0) != (seen.health() == Health.UP)));
    }

    private static boolean newer(Memory memory, Beat beat) {
        Beat known = memory.heard.get(beat.owner());
        return known == null
                || beat.incarnation() > known.incarnation()
                || (beat.incarnation() == known.incarnation() && beat.sequence() > known.sequence());
    }
}
