package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.List;

/**
 * What changed in a node's record from one version to another. It says something only to who holds the base or more
 * of the same incarnation; with base 0 it is the whole record.
 *
 * <p>Large ones are cut into parts, each the base of the next. Between two parts the record is not what the owner ever
 * said: an entry that changed twice is in the later part only. So nothing counts as recent before the last part.
 *
 * @param owner whose record
 * @param incarnation life of the owner
 * @param base version before
 * @param version version after
 * @param whole version after the last part; the version itself if there are no further parts
 * @param entries all that changed after the base and up to the version, by version; a removed one is {@link
 *     Content.Gone}
 */
public record Delta(NodeId owner, long incarnation, long base, long version, long whole, List<Entry> entries) {
    /** Copies the entries and checks that their versions grow from above base to at most version. */
    public Delta {
        entries = List.copyOf(entries);
        long last = base;
        for (Entry entry : entries) {
            if (entry.version() <= last || entry.version() > version) {
                throw new IllegalArgumentException("delta of %s from %d to %d: version %d of entry %s is out of order"
                        .formatted(owner, base, version, entry.version(), entry.key()));
            }
            last = entry.version();
        }
        if (base < 0 || version < base || whole < version) {
            throw new IllegalArgumentException(
                    "delta of %s goes from %d to %d of %d".formatted(owner, base, version, whole));
        }
    }

    Stamp stamp() {
        return new Stamp(owner, incarnation, version);
    }
}
