package io.quorumlb.maglev;

/**
 * What changes between two tables of one pool.
 *
 * @param moved slots whose owner differs, 0..M
 * @param collateral moved slots whose old owner still has slots in the new table and whose new owner had slots in the
 *     old one: moved without need
 */
public record Movement(int moved, int collateral) {
    /**
     * Compares two tables.
     *
     * @throws IllegalArgumentException if the numbers of slots differ
     */
    public static Movement between(SlotTable before, SlotTable after) {
        if (before.slots() != after.slots()) {
            throw new IllegalArgumentException(
                    "tables of %d and %d slots cannot be compared".formatted(before.slots(), after.slots()));
        }
        var ownersBefore = before.slotsByMember();
        var ownersAfter = after.slotsByMember();
        int moved = 0;
        int collateral = 0;
        for (int slot = 0; slot < before.slots(); slot++) {
            int from = before.owner(slot);
            int to = after.owner(slot);
            if (from != to) {
                moved++;
                boolean needless = ownersAfter.containsKey(from) && ownersBefore.containsKey(to);
                collateral += needless ? 1 : 0;
            }
        }
        return new Movement(moved, collateral);
    }
}
