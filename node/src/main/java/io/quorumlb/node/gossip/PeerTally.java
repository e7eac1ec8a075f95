package io.quorumlb.node.gossip;

import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what passes between this node and its peers. Safe for any number of threads. */
public final class PeerTally {
    private final Map<PeerRefusal, LongAdder> refused = new EnumMap<>(PeerRefusal.class);
    private final LongAdder dropped = new LongAdder();
    private final LongAdder sent = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder received = new LongAdder();

    /** Starts at zero. */
    public PeerTally() {
        for (PeerRefusal reason : PeerRefusal.values()) {
            refused.put(reason, new LongAdder());
        }
    }

    /** Returns the counts so far. */
    public PeerCounters counters() {
        SortedMap<PeerRefusal, Long> byReason = new TreeMap<>();
        refused.forEach((reason, count) -> byReason.put(reason, count.sum()));
        return new PeerCounters(byReason, dropped.sum(), sent.sum(), sentBytes.sum(), received.sum());
    }

    void refused(PeerRefusal reason) {
        LongAdder count = refused.get(reason);
        if (count == null) {
            throw new IllegalStateException("no counter for %s".formatted(reason));
        }
        count.increment();
    }

    void dropped() {
        dropped.increment();
    }

    void sent(int bytes) {
        sent.increment();
        sentBytes.add(bytes);
    }

    void received() {
        received.increment();
    }
}
