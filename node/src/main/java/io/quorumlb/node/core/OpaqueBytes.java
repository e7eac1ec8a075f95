package io.quorumlb.node.core;

import java.util.Arrays;
import java.util.HexFormat;

/** Bytes that this version does not understand and hands on as they came. */
public final class OpaqueBytes {
    /** No bytes. */
    public static final OpaqueBytes NONE = new OpaqueBytes(new byte[0]);

    private final byte[] bytes;

    private OpaqueBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Copies the bytes. */
    public static OpaqueBytes of(byte[] bytes) {
        return bytes.length == 0 ? NONE : new OpaqueBytes(bytes.clone());
    }

    /** Returns a copy. */
    public byte[] copy() {
        return bytes.clone();
    }

    /** Returns true if there are none. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof OpaqueBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
