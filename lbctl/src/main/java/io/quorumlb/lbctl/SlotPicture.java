package io.quorumlb.lbctl;

import java.util.Locale;
import java.util.function.IntUnaryOperator;

/** A picture of a slot table with a coloured letter for each slot. */
final class SlotPicture {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String NOBODY = ".";
    private static final int CELLS_PER_LINE = 64;
    private static final int CELLS_MAX = 4096;

    private SlotPicture() {}

    /** Returns the letter of a member; letters repeat after 62 members. */
    static String letter(int index) {
        return LETTERS.substring(index % LETTERS.length(), (index % LETTERS.length()) + 1);
    }

    /** Returns how many slots one cell stands for, so that a picture has at most 4096 cells. */
    static int step(int slots) {
        return Math.max(1, slots / CELLS_MAX);
    }

    /**
     * Draws lines of 64 cells.
     *
     * @param slots how many slots there are
     * @param owner index of the member that owns a slot, negative for nobody
     */
    static void draw(int slots, IntUnaryOperator owner, Page page) {
        int digits = Integer.toString(slots).length();
        int step = step(slots);
        for (int start = 0; start < slots; start += step * CELLS_PER_LINE) {
            StringBuilder line = new StringBuilder(String.format(Locale.ROOT, "%" + digits + "d  ", start));
            int end = Math.min(start + step * CELLS_PER_LINE, slots);
            for (int slot = start; slot < end; slot += step) {
                int index = owner.applyAsInt(slot);
                line.append(index < 0 ? NOBODY : page.palette().paint(index, letter(index)));
            }
            page.line(line.toString());
        }
    }
}
