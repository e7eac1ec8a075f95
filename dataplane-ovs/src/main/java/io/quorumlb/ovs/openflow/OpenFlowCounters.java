package io.quorumlb.ovs.openflow;

import java.util.concurrent.atomic.LongAdder;

/** What happened on all connections to one switch, one after the other. Safe for any number of threads. */
public final class OpenFlowCounters {
    private final LongAdder flowModsSent = new LongAdder();
    private final LongAdder protocolErrors = new LongAdder();
    private final LongAdder strayErrors = new LongAdder();

    /** Starts at zero. */
    public OpenFlowCounters() {}

    /** Returns the number of flow-mods sent. */
    public long flowModsSent() {
        return flowModsSent.sum();
    }

    /** Returns the number of connections that ended because of bytes that were no OpenFlow 1.5. */
    public long protocolErrors() {
        return protocolErrors.sum();
    }

    /** Returns the number of errors from the switch that belong to no request of ours. */
    public long strayErrors() {
        return strayErrors.sum();
    }

    void countFlowMods(int sent) {
        flowModsSent.add(sent);
    }

    void countProtocolError() {
        protocolErrors.increment();
    }

    void countStrayError() {
        strayErrors.increment();
    }
}
