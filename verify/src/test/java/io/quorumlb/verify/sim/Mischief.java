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
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.verify.contract.LogSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Stands between the core and its world and does there what a faulty core would do; {@link Planted} says what. */
final class Mischief {
    private static final Duration UNHEARD = Duration.ofSeconds(2);

    private static final Duration OLD = Duration.ofSeconds(1);
    private static final int GOOD_SWALLOWED = 2;

    /** What a fault remembers at one node. */
    private static final class Memory {
        private final SortedMap<Integer, Integer> goodInARow = new TreeMap<>();
        private final SortedMap<NodeId, NodeRecord> heard = new TreeMap<>();
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
            case TRUSTS_MEMORY -> events.stream().map(event -> remembered(node, event)).toList();
            case COUNTS_NOT_CONSECUTIVELY ->
                events.stream().filter(event -> counts(node, event)).toList();
            case ORDER_OF_A_HASH_SET ->
                events.stream().map(event -> reordered(node, event)).toList();
            case MAJORITY_OF_THE_REACHABLE -> withForgedVotes(node, events);
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
                        delta.add().forEach(flow -> flows.put(flow.key(), new InstalledFlow(flow, 0, 0, Duration.ZERO)));
                    });
                }
                yield Optional.of(effect);
            }
            case FORGETS_AGE_WHEN_RELAYING -> Optional.of(records(effect, record ->
                    record.owner().equals(node.id) ? record : record.withAge(Duration.ZERO)));
            case COUNTS_STALE_OBSERVATIONS -> Optional.of(records(effect, record ->
                    record.owner().equals(node.id) || record.age().compareTo(OLD) < 0
                            ? record
                            : renewed(record, record.incarnation(), 1)));
            case FORGETS_INCARNATIONS -> Optional.of(records(effect, record -> renewed(record, 1, 0)));
            case NUMBERS_BY_CLOCK -> Optional.of(
                    effect instanceof NodeEffect.Propose(Command.CommitGeneration command)
                            ? new NodeEffect.Propose(numbered(command, node.now().nanos() / 1_000_000_000))
                            : effect);
            case INSTALLS_BEFORE_COMMIT -> {
                if (effect instanceof NodeEffect.Propose(Command.CommitGeneration command)) {
                    ClusterState next =
                            StateMachine.apply(node.state().cluster(), command).state();
                    node.deliver(node.life(), new NodeEvent.LogAdvanced(node.state().appliedIndex(), next));
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
            default -> Optional.of(effect);
        };
    }

    /** Returns what the operator is told of a write. */
    ProposeOutcome told(ProposeOutcome outcome) {
        return planted == Planted.UNKNOWN_IS_DONE && outcome instanceof ProposeOutcome.Unknown
                ? new ProposeOutcome.Committed(new Outcome.Done(
                        0, world.checks.canon.latest().revision() + 1))
                : outcome;
    }

    /** Returns what a switch makes of a bundle. */
    FlowDelta bundle(FlowDelta delta) {
        return planted == Planted.HALF_A_BUNDLE && delta.add().size() > 2
                ? new FlowDelta(delta.add().subList(0, delta.add().size() / 2), delta.delete())
                : delta;
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
        return StateMachine.apply(state, command);
    }

    private static Command.CommitGeneration numbered(Command.CommitGeneration command, long number) {
        return new Command.CommitGeneration(
                command.poolId(),
                number,
                command.revision(),
                command.effectiveWeights(),
                command.expected(),
                command.reason());
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

    private static NodeEffect records(NodeEffect effect, java.util.function.UnaryOperator<NodeRecord> change) {
        return effect instanceof NodeEffect.Gossip(var records)
                ? new NodeEffect.Gossip(records.stream().map(change).toList())
                : effect;
    }

    private static NodeRecord renewed(NodeRecord record, long incarnation, long later) {
        return new NodeRecord(
                record.owner(),
                incarnation,
                record.sequence() + later,
                later > 0 ? Duration.ZERO : record.age(),
                record.observations(),
                record.report());
    }

    private NodeEvent remembered(SimNode node, NodeEvent event) {
        if (!(event instanceof NodeEvent.SwitchRead(SwitchSnapshot snapshot, long flowMods))) {
            return event;
        }
        Memory memory = memory(node);
        if (memory.flows.isEmpty()) {
            memory.flows = Optional.of(new TreeMap<>(snapshot.own()));
        }
        return new NodeEvent.SwitchRead(
                new SwitchSnapshot(memory.flows.get(), snapshot.foreign(), snapshot.ports()), flowMods);
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
                CoreEdge.withHistory(state, (_, generations) -> generations.stream()
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
            shuffled.add(
                    new TableMember(members.get(i).id(), other.key(), other.weight(), other.effectiveWeight()));
        }
        return shuffled;
    }

    private List<NodeEvent> withForgedVotes(SimNode node, List<NodeEvent> events) {
        Memory memory = memory(node);
        for (NodeEvent event : events) {
            if (event instanceof NodeEvent.RecordsReceived(var records)) {
                records.stream().filter(record -> newer(memory, record)).forEach(record -> {
                    memory.heard.put(record.owner(), record);
                    memory.heardAt.put(record.owner(), world.now());
                });
            }
        }
        if (world.now() - memory.forgedAt < OLD.toNanos() || !disagrees(node)) {
            return events;
        }
        memory.forgedAt = world.now();
        List<Observation> own = node.state().observations(node.now()).stream()
                .filter(seen -> seen.observer().equals(node.id))
                .toList();
        List<NodeRecord> votes = new ArrayList<>();
        memory.heard.forEach((owner, record) -> {
            if (world.now() - memory.heardAt.getOrDefault(owner, 0L) > UNHEARD.toNanos()) {
                votes.add(new NodeRecord(
                        owner, record.incarnation(), record.sequence() + 1, Duration.ZERO, own, record.report()));
            }
        });
        List<NodeEvent> more = new ArrayList<>(events);
        more.add(new NodeEvent.RecordsReceived(votes));
        return more;
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

    private static boolean newer(Memory memory, NodeRecord record) {
        NodeRecord known = memory.heard.get(record.owner());
        return known == null || record.newerThan(known);
    }
}
