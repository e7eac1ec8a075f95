package io.quorumlb.node.core;

/**
 * One entry of a node's record.
 *
 * @param key what it is about
 * @param version the owner's at which it last changed, 1 or more; no two entries of a record have the same
 * @param content what it says, as far as this version understands it
 * @param original what was received, if the content does not say all of it; else empty
 */
public record Entry(EntryKey key, long version, Content content, OpaqueBytes original) {
    /** Checks the version. */
    public Entry {
        if (version < 1) {
            throw new IllegalArgumentException("entry %s version %d: 1 or more expected".formatted(key, version));
        }
    }

    static Entry own(EntryKey key, long version, Content content) {
        return new Entry(key, version, content, OpaqueBytes.NONE);
    }

    boolean gone() {
        return content instanceof Content.Gone;
    }
}
