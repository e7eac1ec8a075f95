package io.quorumlb.node.access;

import io.quorumlb.proto.v1.AuditRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this node has refused since its start, and writes that failed: the latest {@value #COUNT_MAX} kinds of them. The same from
 * the same caller is one record with a count, so that who tries often does not push the others out. Safe from any thread.
 */
final class RefusedCalls {
    /** Most records. */
    static final int COUNT_MAX = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(RefusedCalls.class);
    private static final int TEN = 10;

    private final LongSupplier millis;
    private final Map<AuditRecord, AuditRecord> records = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<AuditRecord, AuditRecord> eldest) {
            return size() > COUNT_MAX;
        }
    };
    private long sequence;

    /**
     * Makes an empty memory.
     *
     * @param millis the clock for people, milliseconds since 1970
     */
    RefusedCalls(LongSupplier millis) {
        this.millis = millis;
    }

    /**
     * Notes one call, and says so in the log the first, tenth, hundredth ... time.
     *
     * @param refused without time, sequence and count
     */
    void note(AuditRecord refused) {
        AuditRecord kind = kind(refused);
        AuditRecord record;
        synchronized (this) {
            AuditRecord before = records.get(kind);
            record = refused.toBuilder()
                    .setTimeMillis(millis.getAsLong())
                    .setSequence(++sequence)
                    .setCount(before == null ? 1 : before.getCount() + 1)
                    .build();
            records.put(kind, record);
        }
        if (powerOfTen(record.getCount())) {
            LOG.warn(
                    "call refused status={} caller='{}' address={} method={} object='{}' times={}: {}",
                    record.getStatus(),
                    record.getCaller(),
                    record.getAddress(),
                    record.getMethod(),
                    record.getObject(),
                    record.getCount(),
                    record.getMessage());
        }
    }

    /** The port of a client is another one each time; a sentence may have numbers in it. */
    private static AuditRecord kind(AuditRecord refused) {
        String address = refused.getAddress();
        int port = address.lastIndexOf(':');
        return refused.toBuilder()
                .setAddress(port < 0 ? address : address.substring(0, port))
                .clearMessage()
                .clearRequestId()
                .build();
    }

    private static boolean powerOfTen(int count) {
        int rest = count;
        while (rest >= TEN && rest % TEN == 0) {
            rest /= TEN;
        }
        return rest == 1;
    }

    /** Returns the records in no order that counts. */
    synchronized List<AuditRecord> records() {
        return new ArrayList<>(records.values());
    }
}
