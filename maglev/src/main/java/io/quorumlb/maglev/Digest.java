package io.quorumlb.maglev;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A SHA-256 over a table.
 *
 * @param hex all 64 lower-case hexadecimal digits
 */
public record Digest(String hex) {
    private static final int HEX_LENGTH = 64;
    private static final int SHORT_LENGTH = 16;

    /** Checks the form. */
    public Digest {
        boolean lowerHex = hex.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
        if (hex.length() != HEX_LENGTH || !lowerHex) {
            throw new IllegalArgumentException("digest '%s' is not 64 lower-case hexadecimal digits".formatted(hex));
        }
    }

    /** Returns the digest of the bytes. */
    static Digest of(byte[] bytes) {
        return new Digest(HexFormat.of().formatHex(sha256().digest(bytes)));
    }

    /** Returns a fresh SHA-256. */
    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /** Returns the first 8 bytes as a number, for a flow that marks its generation. */
    public long prefix() {
        return Long.parseUnsignedLong(shortHex(), 16);
    }

    /** Returns the first 16 digits, the form for people. */
    public String shortHex() {
        return hex.substring(0, SHORT_LENGTH);
    }

    /** Returns the first 16 digits. */
    @Override
    public String toString() {
        return shortHex();
    }
}
