package io.quorumlb.node.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a node remembers of its probes of one member, so that it can say what its word rests on.
 *
 * @param healthSince when the health became what it is; empty while there is none
 * @param ends the latest probes that were counted, newest first, at most {@value #ENDS_MAX}
 */
record ProbePast(Optional<MonotonicTime> healthSince, List<ProbeQueue.End> ends) {
    /** Most probes that are remembered. */
    static final int ENDS_MAX = 10;

    /** Remembers nothing. */
    static final ProbePast NONE = new ProbePast(Optional.empty(), List.of());

    ProbePast {
        ends = List.copyOf(ends);
    }

    /**
     * Returns the past after one more probe.
     *
     * @param turned true if it gave the member another health
     */
    ProbePast with(ProbeQueue.End end, boolean turned) {
        List<ProbeQueue.End> next = new ArrayList<>(ENDS_MAX);
        next.add(end);
        next.addAll(ends.subList(0, Math.min(ends.size(), ENDS_MAX - 1)));
        return new ProbePast(turned ? Optional.of(end.at()) : healthSince, next);
    }
}
