package io.quorumlb.node.core;

import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.flow.SwitchSnapshot;

/** Follows a switch that goes away and comes back, and says how long it did not forward. */
final class Outages {
    private Outages() {}

    static void gone(Turn turn) {
        // A switch that was never read is not gone: the node has only just started.
        if (turn.datapath.snapshot().isPresent()) {
            turn.datapath = turn.datapath.with(turn.datapath.outage().gone(turn.now));
        }
    }

    static void read(Turn turn, SwitchSnapshot snapshot) {
        SwitchOutage outage = turn.datapath.outage();
        if (outage.goneSince().isPresent() && !outage.empty() && snapshot.own().isEmpty()) {
            turn.datapath = turn.datapath.with(outage.foundEmpty());
            turn.say(
                    Severity.WARNING,
                    "switch-restarted",
                    "switch has restarted and holds none of our flows: they are installed anew gone_ms=%d",
                    turn.now.since(outage.goneSince().get()).toMillis());
            turn.news = true;
        }
    }

    /** The switch is proven to hold what it should. */
    static void over(Turn turn) {
        SwitchOutage outage = turn.datapath.outage();
        outage.goneSince().ifPresent(since -> {
            turn.datapath = turn.datapath.with(outage.over(turn.now));
            turn.say(
                    Severity.INFO,
                    "switch-back",
                    outage.empty()
                            ? "switch forwards again as committed, proven down_ms=%d"
                            : "switch is back and has kept its flows, proven gone_ms=%d",
                    turn.now.since(since).toMillis());
            turn.news = true;
        });
    }
}
