package io.quorumlb.maglev;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes being written, numbers most significant byte first. */
final class BigEndian {
    private byte[] bytes;
    private int size;

    /**
     * Creates an empty sequence.
     *
     * @param expected bytes expected; more make it grow
     */
    BigEndian(int expected) {
        this.bytes = new byte[Math.max(Long.BYTES, expected)];
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }

    BigEndian u8(int value) {
        room(Byte.BYTES);
        bytes[size++] = (byte) value;
        return this;
    }

    BigEndian u16(int value) {
        room(Short.BYTES);
        bytes[size++] = (byte) (value >>> 8);
        bytes[size++] = (byte) value;
        return this;
    }

    BigEndian u32(int value) {
        return u16(value >>> 16).u16(value);
    }

    BigEndian ascii(String text) {
        byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
        room(ascii.length);
        System.arraycopy(ascii, 0, bytes, size, ascii.length);
        size += ascii.length;
        return this;
    }

    /** Writes the length as u16, then the text. */
    BigEndian text(String text) {
        return u16(text.length()).ascii(text);
    }

    /** Returns what was written; a fresh array. */
    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    /** Returns the number at a position of an array. */
    static int u32(byte[] bytes, int at) {
        return ((bytes[at] & 0xff) << 24)
                | ((bytes[at + 1] & 0xff) << 16)
                | ((bytes[at + 2] & 0xff) << 8)
                | (bytes[at + 3] & 0xff);
    }
}
