package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;

/** What the links between nodes do to a message; one for gossip, one for the log. */
final class Network {
    /** Longest time that a message may be under way. */
    static final Duration DELAY_MAX = Duration.ofMillis(300);

    /**
     * Trouble on some links.
     *
     * @param hits which, from and to
     * @param lossPercent messages lost; 100 cuts the link
     * @param delayMax longest added delay; messages overtake each other
     * @param twicePercent messages that come twice
     */
    record Trouble(BiPredicate<NodeId, NodeId> hits, int lossPercent, Duration delayMax, int twicePercent) {}

    private final Dice dice;
    private final List<Trouble> troubles = new ArrayList<>();

    Network(Dice dice) {
        this.dice = dice;
    }

    void add(Trouble trouble) {
        troubles.add(trouble);
    }

    void remove(Trouble trouble) {
        troubles.remove(trouble);
    }

    /** Returns when the message arrives, once for each time that it does. */
    List<Duration> delays(NodeId from, NodeId to) {
        Duration delay = dice.between(Duration.ofNanos(100_000), Duration.ofMillis(3));
        boolean twice = false;
        for (Trouble trouble : troubles) {
            if (trouble.hits.test(from, to)) {
                if (dice.percent(trouble.lossPercent)) {
                    return List.of();
                }
                delay = delay.plus(dice.between(Duration.ZERO, trouble.delayMax));
                twice |= dice.percent(trouble.twicePercent);
            }
        }
        delay = delay.compareTo(DELAY_MAX) > 0 ? DELAY_MAX : delay;
        return twice ? List.of(delay, delay.plus(dice.millis(0, 50))) : List.of(delay);
    }

    /** Returns true if nothing passes from one to the other. */
    boolean cut(NodeId from, NodeId to) {
        return troubles.stream().anyMatch(trouble -> trouble.lossPercent == 100 && trouble.hits.test(from, to));
    }
}
