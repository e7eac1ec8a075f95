package io.quorumlb.verify.sim;

import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What happened, one line per event: time, node, what. Off, it costs nothing: a seed that fails is run again with it. */
final class Transcript {
    private static final int LENGTH_MAX = 220;

    private final Consumer<String> lines;
    private final boolean on;

    private Transcript(Consumer<String> lines, boolean on) {
        this.lines = lines;
        this.on = on;
    }

    static Transcript none() {
        return new Transcript(_ -> {}, false);
    }

    static Transcript to(Consumer<String> lines) {
        return new Transcript(lines, true);
    }

    void add(long nanos, String node, Supplier<String> what) {
        if (on) {
            lines.accept(String.format(Locale.ROOT, "%11.6f %-3s %s", nanos / 1e9, node, what.get()));
        }
    }

    void events(long nanos, SimNode node, List<NodeEvent> events) {
        if (on) {
            for (NodeEvent event : events) {
                if (!(event instanceof NodeEvent.Tick)) {
                    add(nanos, node.id.value(), () -> "<- " + shortened(Words.of(event)));
                }
            }
        }
    }

    void effect(long nanos, SimNode node, NodeEffect effect) {
        if (on) {
            add(nanos, node.id.value(), () -> "-> " + shortened(Words.of(effect)));
        }
    }

    private static String shortened(String text) {
        return text.length() > LENGTH_MAX ? text.substring(0, LENGTH_MAX) + "..." : text;
    }
}
