package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HeldAs;
import io.quorumlb.proto.v1.MemberTimers;
import java.util.ArrayList;
import java.util.List;

/** Says what is to become of a member by time, and how much of the time is left. */
final class TimersText {
    private TimersText() {}

    /** Returns one phrase for each; none if nothing is to become of it. */
    static List<String> phrases(MemberTimers timers) {
        List<String> phrases = new ArrayList<>();
        if (timers.hasHold()) {
            String reason = timers.getHold().getReason();
            phrases.add("held %s by an operator, %s left%s"
                    .formatted(
                            timers.getHold().getHeldAs() == HeldAs.HELD_AS_UP ? "UP" : "DOWN",
                            Age.ofMillis(timers.getHold().getLeftMillis()),
                            reason.isEmpty() ? "" : ": " + reason));
        }
        if (timers.hasDrainEnd()) {
            phrases.add(
                    "deleted in %s".formatted(Age.ofMillis(timers.getDrainEnd().getLeftMillis())));
        }
        if (timers.hasRamp()) {
            phrases.add("ramps, step %d of %d, %s left"
                    .formatted(
                            timers.getRamp().getDone(),
                            timers.getRamp().getSteps(),
                            Age.ofMillis(timers.getRamp().getLeftMillis())));
        }
        return phrases;
    }
}
