package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Sees everything that happens and holds it against the invariants. */
final class Checks {
    /** What is committed may be applied first so long after the last moment at which a majority could talk. */
    private static final Duration COMMIT_LINGERS = Duration.ofSeconds(1);

    /** Operators and flapping members give reason for a few a second at most. */
    private static final int STORM = 60;

    private static final Duration STORM_WITHIN = Duration.ofSeconds(10);

    /** Time in which routes that were withdrawn for want of members are back. */
    private static final Duration ROUTES_BACK = Duration.ofSeconds(15);

    final Canon canon = new Canon();
    final ProbeBook book;
    final SwitchChecks switches;
    private final GatewayChecks gateways;
    private final VerdictChecks verdicts;
    private final World world;
    private final Deque<Long> generationsAt = new ArrayDeque<>();
    private long majorityTalkedAt;
    private long withdrawnAt = -ROUTES_BACK.toNanos();
    private boolean generationsForbidden;
    private boolean setUp;

    Checks(World world) {
        this.world = world;
        this.book = new ProbeBook(world.settings.monitor());
        this.switches = new SwitchChecks(world, canon);
        this.gateways = new GatewayChecks(canon);
        this.verdicts = new VerdictChecks(world, book);
    }

    /** The site is configured and has converged for the first time. */
    void setUp() {
        setUp = true;
    }

    /** From now on nothing gives reason for a generation. */
    void forbidGenerations() {
        generationsForbidden = true;
    }

    /** Nodes that could serve may leave, but not all. */
    void service() {
        boolean allLeft = world.nodes().stream().noneMatch(SimNode::announced);
        boolean withdrawn = world.settings.whenEmpty() instanceof EmptyPolicy.Withdraw
                && !canon.latest().emptySince().isEmpty();
        if (withdrawn) {
            withdrawnAt = world.now();
        }
        boolean back = world.now() - withdrawnAt > ROUTES_BACK.toNanos();
        if (setUp && allLeft && back && world.nodes().stream().allMatch(SimNode::couldServe)) {
            throw new Violation(
                    Invariant.SOMEBODY_SERVES,
                    "no node is announced: "
                            + world.nodes().stream()
                                    .map(node -> node.id + " "
                                            + node.state().report(node.now()).notAnnouncedReason())
                                    .toList());
        }
    }

    void started(SimNode node) {
        book.restarted(node);
        canon.started(node.id);
    }

    /** Something changed in who can talk to whom. */
    void reachabilityChanges() {
        if (world.majorityCanTalk()) {
            majorityTalkedAt = world.now();
        }
    }

    void log(SimNode node, LogEvent event) {
        if (event instanceof LogEvent.Advanced(long index, ClusterState state)) {
            boolean allOut = world.nodes().stream().noneMatch(other -> state.inService(other.id));
            if (allOut) {
                throw new Violation(Invariant.SOMEBODY_SERVES, "all nodes are out of service: " + state.outOfService());
            }
            long generation = generation(canon.latest());
            if (canon.applied(node.id, index, state)) {
                committed(node, index, generation(state) != generation);
            }
        }
    }

    private static long generation(ClusterState state) {
        return state.history().keySet().stream()
                .mapToLong(state::generationNumber)
                .sum();
    }

    private void committed(SimNode node, long index, boolean generation) {
        reachabilityChanges();
        Duration since = Duration.ofNanos(world.now() - majorityTalkedAt);
        if (since.compareTo(COMMIT_LINGERS.plus(world.longestRecentStall())) > 0) {
            throw new Violation(
                    Invariant.NOTHING_WITHOUT_MAJORITY,
                    "%s applies index %d although no majority could talk for %d ms"
                            .formatted(node.id, index, since.toMillis()));
        }
        if (generation) {
            generationsAt.addLast(world.now());
            while (world.now() - generationsAt.getFirst() > STORM_WITHIN.toNanos()) {
                generationsAt.removeFirst();
            }
            if (generationsAt.size() > STORM) {
                throw new Violation(
                        Invariant.NO_STORM_OF_GENERATIONS,
                        "%d generations within %d ms".formatted(generationsAt.size(), STORM_WITHIN.toMillis()));
            }
        }
        if (generation && generationsForbidden) {
            throw new Violation(
                    world.settings.kind() == Settings.Kind.BLIND_MAJORITY
                            ? Invariant.BLIND_MAJORITY_IS_HELD
                            : Invariant.BLIND_OBSERVER_CHANGES_NOTHING,
                    "a generation is committed although only blind observers see trouble: "
                            + canon.latest().history().values().stream()
                                    .map(history -> history.getLast().reason())
                                    .toList());
        }
    }

    /** Applies a command as the state machine does, and remembers what it made. */
    Applied apply(ClusterState before, Command command) {
        Applied applied = world.mischief.apply(before, command);
        if (applied.outcome() instanceof Outcome.Done) {
            canon.configured(before.revision(), applied.state().revision(), command);
        }
        if (command instanceof Command.Requested(Origin origin, var _)) {
            canon.answered(origin.request(), before.revision(), applied);
        }
        return applied;
    }

    void before(SimNode node, List<NodeEvent> events) {
        for (NodeEvent event : events) {
            if (event instanceof NodeEvent.ProbeFinished(int member, long number, var result)) {
                book.ended(node, member, number, result.success());
            }
        }
        book.settle(node);
    }

    void wanted(SimNode node, NodeEffect effect) {
        if (effect instanceof NodeEffect.Probe(var target)) {
            book.started(node, target.memberId(), target.number());
        } else if (effect instanceof NodeEffect.Propose(Command.CommitGeneration command)) {
            verdicts.proposed(node, command);
        } else if (effect instanceof NodeEffect.ChangeSwitch(var delta)) {
            switches.changeWanted(node, delta);
        } else if (effect instanceof NodeEffect.SendFrames send) {
            gateways.told(node, send);
        }
    }

    void after(SimNode node, List<NodeEvent> events) {
        boolean mayClaim = events.stream()
                .anyMatch(event -> event instanceof NodeEvent.SwitchRead
                        || event instanceof NodeEvent.PoolsRead
                        || event instanceof NodeEvent.SwitchChanged
                        || event instanceof NodeEvent.LogAdvanced
                        || event instanceof NodeEvent.BarrierFinished);
        if (mayClaim) {
            switches.claims(node);
        }
    }
}
