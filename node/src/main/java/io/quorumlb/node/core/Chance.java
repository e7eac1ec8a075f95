package io.quorumlb.node.core;

/** Spreads choices evenly and without luck: the same node and count always choose the same. */
final class Chance {
    private Chance() {}

    /** Returns a number 0..bound-1. */
    static int pick(String who, long count, int bound) {
        return (int) Math.floorMod(mixed(who + "/" + count), (long) bound);
    }

    /** FNV-1a, 64 bits, and a final mix. */
    static long mixed(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 33);
    }
}
