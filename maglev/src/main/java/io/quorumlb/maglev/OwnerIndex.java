package io.quorumlb.maglev;

import java.util.Arrays;

/** Numbers the ids of owners in the order in which they are met, from 0 on: a hash table without objects. */
final class OwnerIndex {
    private static final int SPREAD = 0x9e37_79b9;
    private static final int SIZE_MIN = 16;

    private int[] ids;
    private int[] places;
    private int size;

    /** Creates an index that expects so many ids; more make it grow. */
    OwnerIndex(int expected) {
        int room = Integer.highestOneBit(Math.max(SIZE_MIN, expected)) * 2;
        this.ids = new int[room];
        this.places = new int[2 * room];
    }

    /** Returns how many ids have a number. */
    int size() {
        return size;
    }

    /** Returns the id with a number. */
    int id(int number) {
        return ids[number];
    }

    /** Returns the number of an id, -1 if it has none. */
    int find(int id) {
        return places[place(id)] - 1;
    }

    /** Returns the number of an id, a new one if it has none. */
    int number(int id) {
        int place = place(id);
        if (places[place] == 0) {
            if (size == ids.length) {
                grow();
                place = place(id);
            }
            ids[size] = id;
            places[place] = ++size;
        }
        return places[place] - 1;
    }

    private int place(int id) {
        int place = (id * SPREAD) >>> Integer.numberOfLeadingZeros(places.length - 1);
        while (places[place] != 0 && ids[places[place] - 1] != id) {
            place = (place + 1) & (places.length - 1);
        }
        return place;
    }

    private void grow() {
        ids = Arrays.copyOf(ids, 2 * ids.length);
        places = new int[2 * ids.length];
        for (int number = 0; number < size; number++) {
            places[place(ids[number])] = number + 1;
        }
    }
}
