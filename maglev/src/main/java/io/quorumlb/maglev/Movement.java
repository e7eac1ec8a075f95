package io.quorumlb.maglev;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What changes between two tables of one pool.
 *
 * @param moved slots whose owner differs, 0..M
 * @param collateral moved slots that nothing asked to move: the old owner's effective weight did not fall and the new
 *     owner's did not rise
 * @param usual how much collateral is usual for such a change in tables of this size
 * @param transfers moved slots by old and new owner, in this order
 */
public record Movement(int moved, int collateral, UsualBand usual, List<Transfer> transfers) {
    /** Copies the list. */
    public Movement {
        transfers = List.copyOf(transfers);
    }

    /**
     * Slots that pass from one member to another.
     *
     * @param from id of the old owner, or {@link SlotTable#NOBODY}
     * @param to id of the new owner, or {@link SlotTable#NOBODY}
     * @param slots how many, at least 1
     */
    public record Transfer(int from, int to, int slots) {}

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
        SortedMap<Integer, Integer> weightsBefore = effectiveWeights(before);
        SortedMap<Integer, Integer> weightsAfter = effectiveWeights(after);
        List<Transfer> transfers = transfers(before, after);
        int moved = 0;
        int collateral = 0;
        for (Transfer transfer : transfers) {
            moved += transfer.slots();
            boolean given = transfer.from() == SlotTable.NOBODY
                    || weightsAfter.getOrDefault(transfer.from(), 0) < weightsBefore.getOrDefault(transfer.from(), 0);
            boolean wanted = transfer.to() == SlotTable.NOBODY
                    || weightsAfter.getOrDefault(transfer.to(), 0) > weightsBefore.getOrDefault(transfer.to(), 0);
            collateral += given || wanted ? 0 : transfer.slots();
        }
        return new Movement(moved, collateral, UsualBand.between(before.definition(), after.definition()), transfers);
    }

    private static SortedMap<Integer, Integer> effectiveWeights(SlotTable table) {
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        table.definition().members().forEach(member -> weights.put(member.id(), member.effectiveWeight()));
        return weights;
    }

    private static List<Transfer> transfers(SlotTable before, SlotTable after) {
        SortedMap<Long, Integer> counts = new TreeMap<>();
        for (int slot = 0; slot < before.slots(); slot++) {
            int from = before.owner(slot);
            int to = after.owner(slot);
            if (from != to) {
                counts.merge(((long) from << Integer.SIZE) | Integer.toUnsignedLong(to), 1, Integer::sum);
            }
        }
        List<Transfer> transfers = new ArrayList<>();
        counts.forEach(
                (pair, slots) -> transfers.add(new Transfer((int) (pair >> Integer.SIZE), pair.intValue(), slots)));
        return Collections.unmodifiableList(transfers);
    }

    /** Returns the slots that had to move: everything but the collateral. */
    public int forced() {
        return moved - collateral;
    }

    /** Returns false if there is more collateral than is usual; less than usual is no reason to worry. */
    public boolean isUsual() {
        return collateral <= usual.high();
    }

    /** Returns one sentence for people: how many slots moved, and how many are usual. */
    public String summary() {
        return "%d slots moved, %d to %d is usual".formatted(moved, forced() + usual.low(), forced() + usual.high());
    }
}
