package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What other nodes doubt, as this node has heard.
 *
 * @param byMember by member and observer
 */
record Suspicions(SortedMap<Integer, SortedMap<NodeId, Heard>> byMember) {
    static final Suspicions NONE = new Suspicions(new TreeMap<>());

    Suspicions {
        byMember = Collections.unmodifiableSortedMap(byMember);
    }

    /**
     * One observer's doubt about one member.
     *
     * @param freshUntil when it counts no longer, unless it is heard again; in the past if the observer has withdrawn it
     * @param paysAgainAt when a newer doubt of this observer may buy probes of this member again
     */
    record Heard(MonotonicTime freshUntil, MonotonicTime paysAgainAt) {
        boolean fresh(MonotonicTime now) {
            return !now.reached(freshUntil);
        }
    }

    boolean isEmpty() {
        return byMember.isEmpty();
    }

    /** Returns true if somebody else doubts the member now. */
    boolean doubted(int member, MonotonicTime now) {
        SortedMap<NodeId, Heard> observers = byMember.get(member);
        return observers != null && observers.values().stream().anyMatch(heard -> heard.fresh(now));
    }

    /** Returns these without what counts no longer and has been paid for. */
    Suspicions pruned(MonotonicTime now) {
        SortedMap<Integer, SortedMap<NodeId, Heard>> next = new TreeMap<>();
        byMember.forEach((member, observers) -> {
            SortedMap<NodeId, Heard> kept = new TreeMap<>(observers);
            kept.values().removeIf(heard -> !heard.fresh(now) && now.reached(heard.paysAgainAt()));
            if (!kept.isEmpty()) {
                next.put(member, kept);
            }
        });
        return new Suspicions(next);
    }
}
