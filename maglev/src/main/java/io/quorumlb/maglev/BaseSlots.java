package io.quorumlb.maglev;

/** The base slots of the members that release some. */
final class BaseSlots {
    private final int[] starts;
    private final int[] counts;
    private final char[] slots;
    private final char[] ascending;
    private final int size;

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
        int[] steps = new int[counts.length];
        int size = 0;
        for (int i = 0; i < counts.length; i++) {
            starts[i] = size;
            ends[i] = size;
            steps[i] = wanted[i] ? 1 : 0;
            size += wanted[i] ? counts[i] : 0;
        }
        for (int i = 0; i < counts.length; i++) {
            ends[i] = wanted[i] ? ends[i] : size;
        }
        // Without branches, which no processor could foresee: slots of others are written behind the end.
        this.slots = new char[size + 1];
        this.ascending = new char[size + 1];
        int all = 0;
        for (int slot = 0; slot < owners.length; slot++) {
            int owner = owners[slot];
            int end = ends[owner];
            slots[end] = (char) slot;
            ends[owner] = end + steps[owner];
            ascending[all] = (char) slot;
            all += steps[owner];
        }
        this.size = size;
    }

    /** Returns how many slots there are. */
    int size() {
        return size;
    }

    /** Returns the slot with an index, in ascending order of all. */
    int slot(int index) {
        return ascending[index];
    }

    /** Copies the slots of a wanted rank to the front of the list, in ascending order. */
    void copy(int rank, int[] list) {
        for (int i = 0; i < counts[rank]; i++) {
            list[i] = slots[starts[rank] + i];
        }
    }
}
