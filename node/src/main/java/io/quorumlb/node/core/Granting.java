package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.ClusterView.NodeView;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The leader lets nodes leave and return, one at a time. A node may leave only while another one stays that is heard,
 * announces and wants to stay: a dead node is nobody who stays, and if all want to leave, traffic is no better off
 * elsewhere.
 */
final class Granting {
    private static final Duration PROPOSAL_LOST = Duration.ofSeconds(5);
    private static final Duration RETRY = Duration.ofMillis(200);
    private static final Duration REFUSED_RETRY = Duration.ofSeconds(2);

    /** When none of the nodes in service announces for so long, those that left are better than nothing. */
    private static final Duration NOBODY_SERVES = Duration.ofSeconds(3);

    private Granting() {}

    static void proposalFinished(Turn turn, Command.SetService command, ProposeOutcome outcome) {
        if (!turn.office.proposed().equals(Optional.of(command))) {
            return;
        }
        switch (outcome) {
            case ProposeOutcome.Committed(Outcome.Done _) -> {
                // The entry itself comes through the log; until then it must not be proposed again.
            }
            case ProposeOutcome.Committed(Outcome.Refused refused) -> {
                turn.say(
                        Severity.WARNING,
                        "service-refused",
                        "change of service refused node=%s service=%s reason=\"%s\"",
                        command.node(),
                        command.service(),
                        refused.message());
                turn.office = turn.office.blocked(turn.now.plus(REFUSED_RETRY));
            }
            case ProposeOutcome.NotLeader _, ProposeOutcome.Unknown _ ->
                turn.office = turn.office.blocked(turn.now.plus(RETRY));
        }
    }

    static void due(Turn turn) {
        boolean settled = turn.office
                .proposed()
                .filter(command -> turn.log.cluster().inService(command.node()) == (command.service() == Service.IN)
                        || turn.now.reached(turn.office.blockedUntil()))
                .isPresent();
        if (settled) {
            turn.office = turn.office.settled();
        }
        boolean leads = turn.log.leadership() instanceof Leadership.Leading && turn.log.caughtUp();
        if (!leads || turn.office.proposed().isPresent() || nobodyAsks(turn)) {
            return;
        }
        List<NodeView> nodes = turn.settings.voters().stream()
                .map(node -> ClusterViews.view(turn.state(), node, turn.now))
                .toList();
        noticeService(turn, nodes);
        next(turn, nodes).ifPresent(command -> {
            turn.office = turn.office.proposing(command, turn.now.plus(PROPOSAL_LOST));
            turn.want(new NodeEffect.Propose(command));
        });
    }

    /** Almost always everybody serves and wants to. */
    private static boolean nobodyAsks(Turn turn) {
        return turn.log.cluster().outOfService().isEmpty()
                && turn.service.wantsOut().isEmpty()
                && turn.gossip.held().values().stream()
                        .flatMap(held -> held.report().stream())
                        .allMatch(report -> report.wantsOut().isEmpty());
    }

    private static void noticeService(Turn turn, List<NodeView> nodes) {
        boolean served = nodes.stream().anyMatch(node -> serves(turn, node));
        Optional<MonotonicTime> since =
                served ? Optional.empty() : turn.office.nobodyServesSince().or(() -> Optional.of(turn.now));
        turn.office = turn.office.nobodyServes(since);
    }

    private static boolean serves(Turn turn, NodeView node) {
        return node.reachable()
                && turn.log.cluster().inService(node.node())
                && node.record()
                        .filter(heard -> heard.report().announced() || Announcing.allWithdrawn(turn.log.cluster()))
                        .isPresent();
    }

    private static Optional<Command.SetService> next(Turn turn, List<NodeView> nodes) {
        SortedSet<NodeId> staying = new TreeSet<>();
        nodes.stream()
                .filter(node -> serves(turn, node) && wantsOut(node).isEmpty())
                .forEach(node -> staying.add(node.node()));
        boolean nobodyServes = turn.office
                .nobodyServesSince()
                .filter(since -> turn.now.since(since).compareTo(NOBODY_SERVES) > 0)
                .isPresent();
        for (NodeView node : nodes) {
            boolean in = turn.log.cluster().inService(node.node());
            Optional<String> wish = wantsOut(node);
            if (!node.reachable()) {
                continue;
            }
            boolean returns =
                    node.record().filter(heard -> heard.report().wantsIn()).isPresent();
            if (!in && (returns || nobodyServes)) {
                String reason = returns ? "sees what is committed again" : "no other node serves";
                return Optional.of(new Command.SetService(node.node(), Service.IN, reason, staying));
            }
            if (in && wish.isPresent() && staying.stream().anyMatch(other -> !other.equals(node.node()))) {
                return Optional.of(new Command.SetService(node.node(), Service.OUT, wish.get(), staying));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> wantsOut(NodeView node) {
        return node.record().map(heard -> heard.report().wantsOut()).filter(wish -> !wish.isEmpty());
    }
}
