package io.quorumlb.node.shell;

import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeCore;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.Step;
import io.quorumlb.node.state.StateWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The one loop of a node: takes what has happened, steps the core, publishes the state and hands out the effects. */
public final class NodeLoop {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLoop.class);
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration SLOW_STEP = Duration.ofMillis(200);

    private final Inbox inbox;
    private final StateWatch watch;
    private final Consumer<NodeEffect> performer;
    private final Consumer<Duration> stepTimes;
    private final Heartbeat heartbeat = new Heartbeat(System::nanoTime);

    /**
     * Makes a loop that has not started.
     *
     * @param inbox what has happened
     * @param watch holds the initial state; gets each later one
     * @param performer performs effects; must not block
     * @param stepTimes hears how long each step took
     */
    public NodeLoop(Inbox inbox, StateWatch watch, Consumer<NodeEffect> performer, Consumer<Duration> stepTimes) {
        this.inbox = inbox;
        this.watch = watch;
        this.performer = performer;
        this.stepTimes = stepTimes;
    }

    /** Runs until the thread is interrupted. A broken invariant of the core ends it with that exception. */
    public void run() throws InterruptedException {
        Thread beats = heartbeat.start();
        try {
            loop();
        } finally {
            beats.interrupt();
        }
    }

    private void loop() throws InterruptedException {
        List<NodeEvent> events = new ArrayList<>();
        NodeState state = watch.current();
        while (true) {
            inbox.take(events, TICK);
            Duration stoodStill = heartbeat.longestGap();
            long start = System.nanoTime();
            Step step = NodeCore.step(state, events, new MonotonicTime(start), stoodStill);
            state = step.state();
            watch.publish(state);
            step.effects().forEach(performer);
            noteTime(Duration.ofNanos(System.nanoTime() - start), events.size());
            events.clear();
        }
    }

    private void noteTime(Duration took, int events) {
        stepTimes.accept(took);
        if (took.compareTo(SLOW_STEP) > 0) {
            LOG.warn("slow step took_ms={} events={}", took.toMillis(), events);
        }
    }
}
