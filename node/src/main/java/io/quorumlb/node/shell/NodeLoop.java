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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one loop of a node: takes what has happened, steps the core, hands out the effects and publishes the state.
 *
 * <p>Events that answer an effect are bounded by the effects themselves. What comes from other nodes is bounded here:
 * beyond {@link #RECORDS_WAITING_MAX} messages it is refused and counted, since newer ones replace it anyway.
 */
public final class NodeLoop {
    private static final Logger LOG = LoggerFactory.getLogger(NodeLoop.class);
    private static final int RECORDS_WAITING_MAX = 256;
    private static final int EVENTS_PER_STEP_MAX = 1024;
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Duration SLOW_STEP = Duration.ofMillis(200);

    private final BlockingQueue<NodeEvent> inbox = new LinkedBlockingQueue<>();
    private final AtomicInteger recordsWaiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();
    private final StateWatch watch;
    private final Consumer<NodeEffect> performer;
    private final Consumer<Duration> stepTimes;

    /**
     * Makes a loop that has not started.
     *
     * @param watch holds the initial state; gets each later one
     * @param performer performs effects; must not block
     * @param stepTimes hears how long each step took
     */
    public NodeLoop(StateWatch watch, Consumer<NodeEffect> performer, Consumer<Duration> stepTimes) {
        this.watch = watch;
        this.performer = performer;
        this.stepTimes = stepTimes;
    }

    /** Hands in an event; never blocks. */
    public void deliver(NodeEvent event) {
        if (event instanceof NodeEvent.RecordsReceived) {
            if (recordsWaiting.incrementAndGet() > RECORDS_WAITING_MAX) {
                recordsWaiting.decrementAndGet();
                refused.incrementAndGet();
                return;
            }
        }
        inbox.add(event);
    }

    /** Returns how many messages from other nodes were refused because too many waited. */
    public long refusedEvents() {
        return refused.get();
    }

    /** Runs until the thread is interrupted. A broken invariant of the core ends it with that exception. */
    public void run() throws InterruptedException {
        List<NodeEvent> events = new ArrayList<>();
        NodeState state = watch.current();
        while (true) {
            NodeEvent first = inbox.poll(TICK.toMillis(), TimeUnit.MILLISECONDS);
            events.add(first == null ? new NodeEvent.Tick() : first);
            inbox.drainTo(events, EVENTS_PER_STEP_MAX);
            events.forEach(event -> {
                if (event instanceof NodeEvent.RecordsReceived) {
                    recordsWaiting.decrementAndGet();
                }
            });
            long start = System.nanoTime();
            Step step = NodeCore.step(state, events, new MonotonicTime(start));
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
