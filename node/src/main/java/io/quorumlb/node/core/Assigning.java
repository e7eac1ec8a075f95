package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The leader lets gateways go from a node that is lost to the others, and home again once that node has been well for a while.
 *
 * <p>A node is lost when it is out of service, when it says that it has no switch for longer than a restart of the switch
 * takes, or when it is silent and its data path is too. A controller that died alone takes nothing with it: its
 * switch goes on, and its successor finds it as it must be.
 */
final class Assigning {
    private static final Duration PERIOD = Duration.ofMillis(50);

    /** A restart of the switch takes less. */
    private static final Duration SWITCH_RESTARTS = Duration.ofSeconds(1);

    /** By then the supervisor has withdrawn the routes: nobody brings this switch up to date any more. */
    private static final Duration ABANDONED = Duration.ofSeconds(20);

    /** Nodes do not all start at once. */
    private static final Duration NEVER_HEARD = Duration.ofSeconds(10);

    /** As long as routes take a node for reachable. */
    private static final Duration HEARD = Duration.ofSeconds(2);

    /** A node that comes and goes gets its own back only between two of its troubles. */
    private static final Duration SETTLED = Duration.ofSeconds(10);

    private static final Duration PROPOSAL_LOST = Duration.ofSeconds(2);
    private static final Duration RETRY = Duration.ofMillis(200);

    private Assigning() {}

    static void proposalFinished(Turn turn, Command.AssignGateways command, ProposeOutcome outcome) {
        boolean done = outcome instanceof ProposeOutcome.Committed(Outcome.Done _);
        if (!done && turn.gateways.proposed().equals(Optional.of(command))) {
            turn.gateways = turn.gateways.blocked(turn.now.plus(RETRY));
        }
    }

    /** However short its trouble was: a node must be well for a while after its gateways have gone. */
    static void advanced(Turn turn, ClusterState old, ClusterState cluster) {
        SortedMap<NodeId, Standing> standings = new TreeMap<>(turn.gateways.standings());
        for (GatewayId gateway : cluster.movedGateways().keySet()) {
            if (!old.movedGateways().containsKey(gateway)) {
                standings.put(gateway.home(), Standing.NONE);
            }
        }
        turn.gateways = turn.gateways.withStandings(standings, turn.gateways.nextLook());
    }

    static void due(Turn turn) {
        if (!turn.now.reached(turn.gateways.nextLook())) {
            return;
        }
        SortedMap<NodeId, Standing> standings = new TreeMap<>();
        for (NodeId node : turn.settings.voters()) {
            Standing before = turn.gateways.standings().getOrDefault(node, Standing.NONE);
            standings.put(node, before.next(withoutSwitch(turn, node), steady(turn, node), turn.now));
        }
        turn.gateways = turn.gateways.withStandings(standings, turn.now.plus(PERIOD));
        boolean settled = turn.gateways
                .proposed()
                .filter(command -> command.moved().equals(turn.log.cluster().movedGateways())
                        || turn.now.reached(turn.gateways.blockedUntil()))
                .isPresent();
        if (settled) {
            turn.gateways = turn.gateways.settled();
        }
        boolean leads = turn.log.leadership() instanceof Leadership.Leading && turn.log.caughtUp();
        if (leads && turn.gateways.proposed().isEmpty()) {
            assign(turn);
        }
    }

    private static void assign(Turn turn) {
        SortedMap<NodeId, Fitness> fitness = new TreeMap<>();
        List<String> reasons = new ArrayList<>();
        for (NodeId node : turn.settings.voters()) {
            Optional<String> lost = lost(turn, node);
            lost.ifPresent(why -> reasons.add(node + " " + why));
            fitness.put(node, lost.isPresent() ? Fitness.LOST : alive(turn, node));
        }
        SortedMap<GatewayId, NodeId> before = turn.log.cluster().movedGateways();
        SortedMap<GatewayId, NodeId> next = GatewayPlan.next(turn.log.cluster(), fitness);
        if (!next.equals(before)) {
            String reason = reasons.isEmpty() ? "all homes are well" : String.join("; ", reasons);
            var command = new Command.AssignGateways(before, next, reason);
            turn.gateways = turn.gateways.proposing(command, turn.now.plus(PROPOSAL_LOST));
            turn.say(
                    Severity.INFO, "gateways-proposed", "gateways proposed away=%d reason=\"%s\"", next.size(), reason);
            turn.want(new NodeEffect.Propose(command));
        }
    }

    /** Returns why the node must not keep gateways, if it must not. */
    private static Optional<String> lost(Turn turn, NodeId node) {
        if (!turn.log.cluster().inService(node)) {
            return Optional.of("is out of service");
        }
        Optional<MonotonicTime> trouble =
                turn.gateways.standings().getOrDefault(node, Standing.NONE).troubleSince();
        if (trouble.filter(since -> turn.now.since(since).compareTo(SWITCH_RESTARTS) > 0)
                .isPresent()) {
            return Optional.of("has no switch");
        }
        return Looking.silent(turn, node) ? dead(turn, node) : Optional.empty();
    }

    private static Optional<String> dead(Turn turn, NodeId node) {
        Duration silence = Looking.silence(turn, node);
        if (report(turn, node).isEmpty()) {
            return silence.compareTo(NEVER_HEARD) > 0 ? Optional.of("has not been heard of") : Optional.empty();
        }
        String silent = "silent for %d ms".formatted(silence.toMillis());
        if (silence.compareTo(ABANDONED) > 0) {
            return Optional.of(silent + ", its controller does not come back");
        }
        return Looking.finding(turn, node) == PathTrack.Finding.DEAD
                ? Optional.of(silent + ", its data path does not answer")
                : Optional.empty();
    }

    private static Fitness alive(Turn turn, NodeId node) {
        Optional<MonotonicTime> steady =
                turn.gateways.standings().getOrDefault(node, Standing.NONE).steadySince();
        if (steady.isEmpty() || Looking.silent(turn, node)) {
            return Fitness.HOLDS;
        }
        return turn.now.since(steady.get()).compareTo(SETTLED) >= 0 ? Fitness.SETTLED : Fitness.TAKES;
    }

    private static Optional<NodeReport> report(Turn turn, NodeId node) {
        return Optional.ofNullable(turn.gossip.held().get(node)).flatMap(HeldRecord::report);
    }

    private static boolean withoutSwitch(Turn turn, NodeId node) {
        return node.equals(turn.settings.self())
                ? turn.datapath.snapshot().isEmpty() && !turn.datapath.reading().isUntried()
                : report(turn, node).filter(said -> said.datapath().failed()).isPresent();
    }

    private static boolean steady(Turn turn, NodeId node) {
        if (!turn.log.cluster().inService(node)) {
            return false;
        }
        if (node.equals(turn.settings.self())) {
            return turn.log.caughtUp()
                    && turn.datapath.snapshot().isPresent()
                    && turn.service.wantsOut().isEmpty();
        }
        return Looking.silence(turn, node).compareTo(HEARD) < 0
                && report(turn, node).filter(Assigning::forwards).isPresent();
    }

    /** A node that is on its way from one generation to the next forwards by one of them. */
    private static boolean forwards(NodeReport report) {
        return report.datapath().connected()
                && report.wantsOut().isEmpty()
                && report.pools().stream()
                        .allMatch(pool ->
                                pool.state() == InstallState.CONVERGED || pool.state() == InstallState.INSTALLING);
    }
}
