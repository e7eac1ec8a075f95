package io.quorumlb.ovs.install;

/**
 * Which cookies mark a flow as ours.
 *
 * @param value bits that our cookies carry under the mask
 * @param mask bits to compare, not zero
 */
public record CookieOwner(long value, long mask) {
    /** Checks that the value lies within the mask. */
    public CookieOwner {
        if (mask == 0 || (value & ~mask) != 0) {
            throw new IllegalArgumentException("cookie owner value 0x" + Long.toHexString(value)
                    + " must lie within a mask that is not zero, mask is 0x" + Long.toHexString(mask));
        }
    }

    /** Returns whether a flow with this cookie is ours. */
    public boolean owns(long cookie) {
        return (cookie & mask) == value;
    }
}
