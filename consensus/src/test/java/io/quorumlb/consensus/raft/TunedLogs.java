package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.LogEvent;
import java.util.function.Consumer;

/** Opens real logs with other housekeeping than the product's, for tests of other modules. */
public final class TunedLogs {
    private TunedLogs() {}

    /**
     * Opens a log as {@link RatisLog#open} does.
     *
     * @param snapshotEntries entries after which a snapshot is taken
     * @param segmentBytes size of one file of the log
     */
    public static GenerationLog open(
            RaftSettings settings, long snapshotEntries, long segmentBytes, Consumer<LogEvent> events)
            throws RaftStartException {
        return RatisLog.open(settings, new RaftTuning(snapshotEntries, segmentBytes), events);
    }
}
