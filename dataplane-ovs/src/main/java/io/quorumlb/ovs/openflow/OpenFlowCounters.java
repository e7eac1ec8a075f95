package io.quorumlb.ovs.openflow;

import java.util.concurrent.atomic.LongAdder;

/** What happened on all connections to one switch, one after the other. Safe for any number of threads. */
final class OpenFlowCounters {
    private final LongAdder flowModsSent = new LongAdder();
    private final LongAdder protocolErrors = new LongAdder();
    private final LongAdder strayErrors = new LongAdder();
    private final LongAdder foreignChanges = new LongAdder();

    long flowModsSent() {
        return flowModsSent.sum();
    }

    long protocolErrors() {
        return protocolErrors.sum();
    }

    long strayErrors() {
        return strayErrors.sum();
    }

    long foreignChanges() {
        return foreignChanges.sum();
    }

    void countForeignChanges(int changes) {
        foreignChanges.add(changes);
    }

    void countFlowMod() {
        flowModsSent.increment();
    }

    void countProtocolError() {
        protocolErrors.increment();
    }

    void countStrayError() {
        strayErrors.increment();
    }
}
