package io.quorumlb.node.gossip;

import io.quorumlb.proto.v1.AuditRecord;
import java.util.List;

/** What a peer says of the calls of clients that it has refused. */
public sealed interface PeerRefusals {
    /** It has told them, in no order. */
    record Told(List<AuditRecord> records) implements PeerRefusals {
        /** Copies the list. */
        public Told {
            records = List.copyOf(records);
        }
    }

    /** It has not answered, and why. */
    record Silent(String reason) implements PeerRefusals {}
}
