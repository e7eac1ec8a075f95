package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.MemberTimers;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The leader has the log's time pass while something waits for it: when the first of it is due, once when it begins to lead,
 * and from time to time, so that a node that starts reckons from a time that is not long ago.
 */
final class Timing {
    /** An entry that did not come through the log is asked for again. */
    private static final Duration RETRY = Duration.ofMillis(500);

    private static final Duration REFRESH = Duration.ofMinutes(1);

    private Timing() {}

    static void advanced(Turn turn, ClusterState old, ClusterState cluster) {
        turn.log = turn.log.with(turn.log.clock().advanced(old, cluster, turn.now));
        if (turn.log.caughtUp()) {
            old.timers().members().forEach((id, timers) -> say(turn, cluster, id, timers));
        }
    }

    private static void say(Turn turn, ClusterState cluster, int memberId, MemberTimers before) {
        MemberTimers after = cluster.timers().of(memberId);
        Optional.ofNullable(cluster.model().members().get(memberId)).ifPresent(member -> {
            if (before.hold().isPresent() && after.hold().isEmpty()) {
                turn.say(Severity.INFO, "hold-over", "member is no longer held member=%s", member.name());
            }
            long clock = cluster.requests().clockMillis();
            boolean due =
                    before.drain().filter(end -> end.untilMillis() <= clock).isPresent();
            if (due && after.drain().isEmpty() && !member.retired() && !member.wanted()) {
                turn.say(
                        Severity.WARNING,
                        "drain-not-ended",
                        "drained member could not be deleted at its deadline, it stays drained member=%s",
                        member.name());
            }
        });
    }

    static void due(Turn turn) {
        ClusterState cluster = turn.log.cluster();
        OptionalLong next = cluster.timers().nextMillis();
        if (next.isEmpty()
                || !(turn.log.leadership() instanceof Leadership.Leading(long term))
                || !turn.log.caughtUp()
                || !turn.now.reached(turn.log.clock().again())) {
            return;
        }
        LogClock clock = turn.log.clock();
        long millis = clock.reckoned(cluster, turn.now);
        boolean old = turn.now.since(clock.at()).compareTo(REFRESH) >= 0;
        if (millis >= next.getAsLong() || clock.term() != term || old) {
            turn.log = turn.log.with(clock.asked(term, turn.now.plus(RETRY)));
            turn.want(new NodeEffect.Propose(new Command.PassTime(millis)));
        }
    }
}
