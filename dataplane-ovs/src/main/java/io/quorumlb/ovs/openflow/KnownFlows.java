package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Flow;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Flows that a switch has listed before, by the bytes that describe them. Of a list of a hundred thousand nearly all were in
 * the last one: they need not be understood again, nor kept twice. What is no longer listed is forgotten after a few lists.
 * Used by one thread.
 */
final class KnownFlows {
    private static final int LISTS = 4;
    private static final int LOOKUPS_MIN = 1024;

    // Text of one byte for each: compared and hashed quickly, and the hash is kept.
    private Map<String, Flow> recent = new HashMap<>();
    private Map<String, Flow> older = new HashMap<>();
    private long lookups;

    /**
     * Returns the flow of a description.
     *
     * @param description all bytes that describe the flow, and none that count its packets
     * @param decoded makes the flow of them
     */
    Flow get(byte[] description, Supplier<Flow> decoded) {
        if (++lookups > LOOKUPS_MIN + (long) LISTS * recent.size()) {
            older = recent;
            recent = new HashMap<>(older.size());
            lookups = 0;
        }
        var key = new String(description, StandardCharsets.ISO_8859_1);
        Flow known = recent.get(key);
        if (known == null) {
            Flow before = older.get(key);
            known = before == null ? decoded.get() : before;
            recent.put(key, known);
        }
        return known;
    }
}
