package io.quorumlb.ovs.install;

/**
 * Which cookies mark a flow as ours. Groups have no cookie: the number of one of ours looks like the upper half of a cookie
 * of ours.
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

    /** Returns whether a group with this number is ours. */
    public boolean ownsGroup(int group) {
        return owns((long) group << Integer.SIZE);
    }

    /** Returns whether a flow with this cookie is ours. */
    public boolean owns(long cookie) {
        return (cookie & mask) == value;
    }
}
