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
     * @param asked true if a change of an effective weight asked for it: the old owner's fell, or the new owner's rose; from and to
     *     nobody counts as asked for
     */
    public record Transfer(int from, int to, int slots, boolean asked) {}

    /**
     * What a change does to one member.
     *
     * @param gained slots that it gets
     * @param lost slots that it had
     * @param collateral those of the lost ones that nothing asked to move; over all members the collateral of the change
     */
    public record Share(int gained, int lost, int collateral) {
        /** Of a member that the change leaves alone. */
        public static final Share NONE = new Share(0, 0, 0);
    }

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
        List<Transfer> transfers = transfers(before, after);
        int moved = 0;
        int collateral = 0;
        for (Transfer transfer : transfers) {
            moved += transfer.slots();
            collateral += transfer.asked() ? 0 : transfer.slots();
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
        SortedMap<Integer, Integer> weightsBefore = effectiveWeights(before);
        SortedMap<Integer, Integer> weightsAfter = effectiveWeights(after);
        List<Transfer> transfers = new ArrayList<>();
        counts.forEach((pair, slots) -> {
            int from = (int) (pair >> Integer.SIZE);
            int to = pair.intValue();
            boolean given = from == SlotTable.NOBODY
                    || weightsAfter.getOrDefault(from, 0) < weightsBefore.getOrDefault(from, 0);
            boolean wanted =
                    to == SlotTable.NOBODY || weightsAfter.getOrDefault(to, 0) > weightsBefore.getOrDefault(to, 0);
            transfers.add(new Transfer(from, to, slots, given || wanted));
        });
        return Collections.unmodifiableList(transfers);
    }

    /** Returns what the change does to a member. */
    public Share of(int memberId) {
        int gained = 0;
        int lost = 0;
        int needless = 0;
        for (Transfer transfer : transfers) {
            if (transfer.to() == memberId) {
                gained += transfer.slots();
            }
            if (transfer.from() == memberId) {
                lost += transfer.slots();
                needless += transfer.asked() ? 0 : transfer.slots();
            }
        }
        return new Share(gained, lost, needless);
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
