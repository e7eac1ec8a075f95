package io.quorumlb.ovs.openflow;

/**
 * Flows by some bits of their cookies.
 *
 * @param value bits that the cookie has under the mask
 * @param mask bits to compare; 0 is every flow
 */
public record CookieMatch(long value, long mask) {
    /** Every flow, whoever owns it. */
    public static final CookieMatch ANY = new CookieMatch(0, 0);
}
