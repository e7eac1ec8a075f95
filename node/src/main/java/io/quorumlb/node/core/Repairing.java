package io.quorumlb.node.core;

import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.node.core.SwitchState.Phase;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowDifference;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Puts right what others have done to our flows: at once when it is rare, slower when somebody fights us, so that two
 * controllers cannot keep a switch busy, and says so.
 */
final class Repairing {
    /** Many changes in a row are one reading. */
    private static final Duration BETWEEN_READINGS = Duration.ofMillis(200);

    private static final Duration BETWEEN_READINGS_IN_A_FIGHT = Duration.ofSeconds(1);

    private Repairing() {}

    /** Somebody else has changed flows: the switch is read soon, not at the next audit. */
    static void touched(Turn turn) {
        if (turn.datapath.snapshot().isEmpty()) {
            return;
        }
        Duration pause =
                turn.datapath.repairs().contested().isPresent() ? BETWEEN_READINGS_IN_A_FIGHT : BETWEEN_READINGS;
        // A reading that is under way may have passed the flow already.
        MonotonicTime last =
                turn.datapath.phase() == Phase.IDLE ? turn.datapath.reading().at() : turn.now;
        MonotonicTime at = last.plus(pause);
        turn.datapath = turn.datapath.readAgain(turn.now.reached(at) ? turn.now : at);
    }

    /**
     * Counts and tells the difference if somebody else made it.
     *
     * @return false if that was put right so often that it has to wait
     */
    static boolean putRight(Turn turn, SwitchSnapshot snapshot, SwitchIntent intent, FlowDelta delta) {
        if (!turn.datapath.comparison().held().equals(Optional.of(intent))) {
            return true;
        }
        Repairs before = turn.datapath.repairs();
        MonotonicTime at = before.nextAt(turn.now);
        if (!turn.now.reached(at)) {
            turn.datapath = turn.datapath.waiting(intent).readAgain(at);
            return false;
        }
        List<FlowDifference> found = FlowDifference.of(snapshot.own(), delta);
        turn.datapath = turn.datapath.repaired(found, turn.now);
        if (before.contested().isEmpty()) {
            turn.say(
                    Severity.WARNING,
                    "flows-repaired",
                    "somebody changed our flows: repairs %d: %s",
                    found.size(),
                    Repairs.shown(found));
            turn.datapath
                    .repairs()
                    .contested()
                    .ifPresent(flow -> turn.say(
                            Severity.WARNING,
                            "switch-contested",
                            "somebody keeps changing our flows: repairs are made every %d ms from now on flow=\"%s\"",
                            Repairs.ONE_PER.toMillis(),
                            flow));
        }
        return true;
    }

    static void due(Turn turn) {
        if (turn.datapath.repairs().isOver(turn.now)) {
            turn.datapath = turn.datapath.with(turn.datapath.repairs().calmed(turn.now));
            turn.say(
                    Severity.INFO,
                    "switch-contest-over",
                    "nobody has changed our flows for a while repaired=%d",
                    turn.datapath.repairs().counts().total());
            turn.news = true;
        }
    }
}
