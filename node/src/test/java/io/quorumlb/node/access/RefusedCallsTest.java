package io.quorumlb.node.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.AuditRecord;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusedCallsTest {
    private final AtomicLong millis = new AtomicLong(1_000);
    private final RefusedCalls refused = new RefusedCalls(millis::incrementAndGet);

    private static AuditRecord of(String caller, String address) {
        return AuditRecord.newBuilder()
                .setCaller(caller)
                .setAddress(address)
                .setMethod("DrainMember")
                .setObject("web/be1")
                .setStatus("PERMISSION_DENIED")
                .build();
    }

    @Test
    void theSameAgainIsOneRecordWithACount() {
        refused.note(of("anna", "10.40.0.9:50001"));
        refused.note(of("ben", "10.40.0.9:50002"));
        refused.note(of("anna", "10.40.0.9:50003").toBuilder()
                .setMessage("another sentence")
                .build());
        List<AuditRecord> records = refused.records();
        assertEquals(2, records.size());
        AuditRecord anna = records.getLast();
        assertEquals(2, anna.getCount());
        assertEquals("10.40.0.9:50003", anna.getAddress());
        assertEquals("another sentence", anna.getMessage());
        assertEquals(1_003, anna.getTimeMillis());
        assertEquals(3, anna.getSequence());
        assertEquals(1, records.getFirst().getCount());
    }

    @Test
    void onlyTheLatestAreKept() {
        for (int i = 0; i < RefusedCalls.COUNT_MAX + 10; i++) {
            refused.note(of("first", "10.40.0.9:1"));
            refused.note(of("user " + i, "10.40.0.9:1"));
        }
        List<AuditRecord> records = refused.records();
        assertEquals(RefusedCalls.COUNT_MAX, records.size());
        assertTrue(records.stream().noneMatch(record -> record.getCaller().equals("user 0")));
        assertTrue(records.stream().anyMatch(record -> record.getCount() == RefusedCalls.COUNT_MAX + 10));
    }
}
