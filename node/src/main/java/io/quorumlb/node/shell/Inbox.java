package io.quorumlb.node.shell;

import io.quorumlb.node.core.NodeEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What waits for the loop, in order of arrival. Safe for any number of threads that deliver.
 *
 * <p>Events that answer an effect are bounded by the effects themselves. What comes from other nodes is bounded here:
 * beyond {@link #GOSSIP_WAITING_MAX} messages it is refused and counted; later ones make up for it. The same holds for what
 * is heard of neighbours.
 */
public final class Inbox {
    private static final int GOSSIP_WAITING_MAX = 256;
    private static final int NEIGHBOURS_WAITING_MAX = 64;
    private static final int EVENTS_PER_STEP_MAX = 1024;

    private final BlockingQueue<NodeEvent> events = new LinkedBlockingQueue<>();
    private final AtomicInteger gossipWaiting = new AtomicInteger();
    private final AtomicInteger neighboursWaiting = new AtomicInteger();
    private final AtomicLong refused = new AtomicLong();

    /** Makes an empty inbox. */
    public Inbox() {}

    /** Hands in an event; never blocks. */
    public void deliver(NodeEvent event) {
        boolean full = switch (event) {
            case NodeEvent.GossipReceived _ -> full(gossipWaiting, GOSSIP_WAITING_MAX);
            case NodeEvent.NeighboursHeard _ -> full(neighboursWaiting, NEIGHBOURS_WAITING_MAX);
            default -> false;
        };
        if (full) {
            return;
        }
        events.add(event);
    }

    private boolean full(AtomicInteger waiting, int most) {
        if (waiting.incrementAndGet() <= most) {
            return false;
        }
        waiting.decrementAndGet();
        refused.incrementAndGet();
        return true;
    }

    /** Returns how many messages from other nodes and of neighbours were refused because too many waited. */
    public long refused() {
        return refused.get();
    }

    /** Moves what waits into the list: at least a tick, which comes when nothing else does for so long. */
    void take(List<NodeEvent> into, Duration tick) throws InterruptedException {
        NodeEvent first = events.poll(tick.toNanos(), TimeUnit.NANOSECONDS);
        into.add(first == null ? new NodeEvent.Tick() : first);
        events.drainTo(into, EVENTS_PER_STEP_MAX);
        for (NodeEvent event : into) {
            if (event instanceof NodeEvent.GossipReceived) {
                gossipWaiting.decrementAndGet();
            } else if (event instanceof NodeEvent.NeighboursHeard) {
                neighboursWaiting.decrementAndGet();
            }
        }
    }
}
