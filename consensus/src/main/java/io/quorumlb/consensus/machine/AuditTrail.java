package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.RequestId;
import java.util.ArrayList;
import java.util.List;

/**
 * The last writes that were done, so that a record is lost only together with its write.
 *
 * @param records oldest first, at most {@value #COUNT_MAX}
 */
public record AuditTrail(List<WriteRecord> records) {
    /** Most writes that are kept; one more lets the oldest go. */
    public static final int COUNT_MAX = 10_000;

    /** Copies the list. */
    public AuditTrail {
        records = List.copyOf(records);
    }

    /** Returns the trail of a cluster that was never written to. */
    public static AuditTrail none() {
        return new AuditTrail(List.of());
    }

    AuditTrail with(long millis, Authorship author, RequestId request, long revision) {
        long sequence = records.isEmpty() ? 1 : records.getLast().sequence() + 1;
        List<WriteRecord> next =
                new ArrayList<>(records.subList(Math.max(0, records.size() + 1 - COUNT_MAX), records.size()));
        next.add(new WriteRecord(sequence, millis, author, request, revision));
        return new AuditTrail(next);
    }
}
