package io.quorumlb.consensus.model;

import java.util.Arrays;
import java.util.HexFormat;

/** What a probe sends, or wants to see in the answer: 0..1024 bytes. */
public final class ProbeBytes {
    /** Most bytes: they fit into one datagram on any path. */
    public static final int LENGTH_MAX = 1024;

    /** No bytes. */
    public static final ProbeBytes NONE = new ProbeBytes(new byte[0]);

    private final byte[] bytes;

    private ProbeBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Copies the bytes. */
    public static ProbeBytes of(byte[] bytes) {
        if (bytes.length > LENGTH_MAX) {
            throw new IllegalArgumentException("%d bytes are outside 0..%d".formatted(bytes.length, LENGTH_MAX));
        }
        return new ProbeBytes(bytes.clone());
    }

    /** Returns a copy. */
    public byte[] copy() {
        return bytes.clone();
    }

    /** Returns how many there are. */
    public int length() {
        return bytes.length;
    }

    /** Returns true if these bytes occur, in a row, among the first {@code length} of the answer; none always do. */
    public boolean occurIn(byte[] answer, int length) {
        for (int start = 0; start + bytes.length <= length; start++) {
            if (Arrays.equals(bytes, 0, bytes.length, answer, start, start + bytes.length)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProbeBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns hexadecimal digits. */
    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
