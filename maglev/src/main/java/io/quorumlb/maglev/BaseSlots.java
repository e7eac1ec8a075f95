package io.quorumlb.maglev;

/** The base slots of the members that release some. */
final class BaseSlots {
    private final int[] starts;
    private final int[] counts;
    private final char[] slots;

    /**
     * Collects them in one pass.
     *
     * @param owners rank of the owner of each slot in the base
     * @param counts slots of each rank in the base
     * @param wanted whose slots
     */
    BaseSlots(int[] owners, int[] counts, boolean[] wanted) {
        this.counts = counts;
        this.starts = new int[counts.length];
        int[] ends = new int[counts.length];
        int size = 0;
        for (int i = 0; i < counts.length; i++) {
            starts[i] = size;
            ends[i] = size;
            size += wanted[i] ? counts[i] : 0;
        }
        this.slots = new char[size];
        for (int slot = 0; slot < owners.length; slot++) {
            int owner = owners[slot];
            if (wanted[owner]) {
                slots[ends[owner]++] = (char) slot;
            }
        }
    }

    /** Copies the slots of a wanted rank to the front of the list, in ascending order. */
    void copy(int rank, int[] list) {
        for (int i = 0; i < counts[rank]; i++) {
            list[i] = slots[starts[rank] + i];
        }
    }
}
