package io.quorumlb.consensus.model;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A page of an {@link IdMap}: up to 32 values, or pages of the level below, of which it holds those that are there. Never changed. */
final class IdPage {
    static final IdPage NONE = new IdPage(0, new Object[0]);

    /** One bit for each that is there. */
    final int present;

    /** Those that are there, in order. */
    final Object[] slots;

    IdPage(int present, Object[] slots) {
        this.present = present;
        this.slots = slots;
    }

    /** Returns where the number's slot is, or below 0 if it is not there. */
    int find(int number) {
        return (present >>> number & 1) == 0 ? -1 : rank(number);
    }

    private int rank(int number) {
        return Integer.bitCount(present & ((1 << number) - 1));
    }

    @Nullable
    Object get(int number) {
        int at = find(number);
        return at < 0 ? null : slots[at];
    }

    IdPage with(int number, Object slot) {
        int at = find(number);
        if (at >= 0) {
            Object[] next = slots.clone();
            next[at] = slot;
            return new IdPage(present, next);
        }
        int rank = rank(number);
        Object[] next = new Object[slots.length + 1];
        System.arraycopy(slots, 0, next, 0, rank);
        next[rank] = slot;
        System.arraycopy(slots, rank, next, rank + 1, slots.length - rank);
        return new IdPage(present | 1 << number, next);
    }

    IdPage without(int number) {
        int at = rank(number);
        Object[] next = Arrays.copyOf(slots, slots.length - 1);
        System.arraycopy(slots, at + 1, next, at, slots.length - 1 - at);
        return new IdPage(present & ~(1 << number), next);
    }
}
