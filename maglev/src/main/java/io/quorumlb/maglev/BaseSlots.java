package io.quorumlb.maglev;

/** The base slots of the members that release some. Keeps its memory from table to table. */
final class BaseSlots {
    private final int[] starts;
    private final int[] ends;
    private final int[] steps;
    private char[] slots = new char[0];
    private char[] ascending = new char[0];
    private int size;

    /** Creates room for members. */
    BaseSlots(int members) {
        this.starts = new int[members];
        this.ends = new int[members];
        this.steps = new int[members];
    }

    /**
     * Collects the slots of some members.
     *
     * @param owners rank of the owner of each slot in the base
     * @param counts slots of each rank in the base
     * @param wanted whose slots
     */
    void collect(int[] owners, int[] counts, boolean[] wanted) {
        size = 0;
        for (int i = 0; i < counts.length; i++) {
            starts[i] = size;
            steps[i] = wanted[i] ? 1 : 0;
            size += wanted[i] ? counts[i] : 0;
        }
        if (slots.length <= size) {
            slots = new char[size + 1];
            ascending = new char[size + 1];
        }
        for (int i = 0; i < counts.length; i++) {
            ends[i] = wanted[i] ? starts[i] : size;
        }
        // Without branches, which no processor could foresee: slots of others are written behind the end.
        int all = 0;
        for (int slot = 0; slot < owners.length; slot++) {
            int owner = owners[slot];
            int end = ends[owner];
            slots[end] = (char) slot;
            ends[owner] = end + steps[owner];
            ascending[all] = (char) slot;
            all += steps[owner];
        }
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
        for (int i = starts[rank]; i < ends[rank]; i++) {
            list[i - starts[rank]] = slots[i];
        }
    }
}
