package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many slots move between members that did not change, when one of equal members goes out or comes back: nine
 * changes in ten lie in the band. Measured over random addresses, not derived.
 *
 * @param low slots, the 5th of 100 changes
 * @param high slots, the 95th of 100 changes
 */
public record UsualBand(int low, int high) {
    private static final UsualBand NONE = new UsualBand(0, 0);

    /** Members that take traffic before the change, a column each; the rows below are M = 256, 512, ... 65536. */
    private static final int[] MEMBERS = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 512, 1024, 4096};

    private static final int[][] VERSION_1_LOW = rows("""
        0 0 2 5 7 9 11 14 13 10 7 4 3
        0 1 2 7 10 14 16 19 25 22 17 12 9 6 4
        0 1 4 10 14 20 24 30 31 41 37 28 22 16 12 5
        0 1 5 13 20 29 34 42 46 53 66 58 49 35 27 14 7
        0 2 6 18 27 38 46 59 65 79 79 104 97 73 59 31 16
        0 2 8 24 35 53 64 80 91 110 114 134 164 147 123 71 34
        0 3 11 31 49 71 87 106 126 144 155 190 188 256 231 145 79 20
        0 3 14 45 64 101 124 149 163 192 203 256 258 307 391 293 166 46
        0 3 19 55 88 142 164 201 229 257 290 328 353 426 432 550 346 97
        """);

    private static final int[][] VERSION_1_HIGH = rows("""
        0 8 11 15 20 23 24 27 26 21 18 14 12
        0 10 17 21 28 30 35 35 42 38 32 25 21 17 14
        0 13 20 27 31 42 43 51 52 62 58 46 38 29 25 16
        0 16 30 41 40 51 58 67 72 82 91 84 72 55 45 28 17
        0 22 47 52 60 67 73 87 93 107 113 138 128 101 85 52 31
        0 34 58 81 80 91 100 112 124 141 150 173 204 185 155 97 56
        0 40 59 81 121 128 138 153 169 185 198 234 237 303 282 186 112 37
        0 37 111 149 163 170 188 205 225 237 262 310 310 362 449 340 209 71
        0 56 90 142 215 235 357 284 289 329 348 380 422 506 511 633 399 141
        """);

    /** Version 2 with one other member out already; with nobody else out there is no collateral at all. */
    private static final int[][] VERSION_2_SECOND_HIGH = rows("""
        0 0 0 0 1 1 2 4 4 3 3 2 2
        0 0 0 0 0 2 3 5 5 5 4 3 3 2 2
        0 0 0 0 0 1 3 4 7 8 7 5 5 3 3 2
        0 0 0 0 0 0 1 3 8 9 11 9 8 6 5 3 2
        0 0 0 0 0 0 0 3 4 8 10 16 13 10 9 5 3
        0 0 0 0 0 0 0 1 2 8 12 16 23 18 15 9 4
        0 0 0 0 0 0 0 0 1 8 10 18 20 31 25 15 9 2
        0 0 0 0 0 0 0 0 0 7 7 17 18 47 38 32 16 6
        0 0 0 0 0 0 0 0 0 5 6 22 22 27 38 42 29 9
        """);

    private static int[][] rows(String text) {
        return text.strip()
                .lines()
                .map(line -> Arrays.stream(line.strip().split(" "))
                        .mapToInt(Integer::parseInt)
                        .toArray())
                .toArray(int[][]::new);
    }

    /** Returns what is usual between the tables of two definitions of one size. */
    static UsualBand between(PoolDefinition before, PoolDefinition after) {
        int changes = changes(before, after);
        if (changes == 0 && before.version() == after.version()) {
            return NONE;
        }
        int taking = Math.max(taking(before), taking(after));
        boolean sameBase = after.version() == HashAlgoVersion.V2 && base(before).equals(base(after));
        UsualBand one = sameBase ? second(before, after, taking) : plain(taking, after.slots());
        return new UsualBand(changes == 1 ? one.low : 0, changes * one.high);
    }

    private static UsualBand second(PoolDefinition before, PoolDefinition after, int taking) {
        int out = Math.min(out(before), out(after));
        return switch (out) {
            case 0 -> NONE;
            case 1 -> new UsualBand(0, at(VERSION_2_SECOND_HIGH, taking, after.slots()));
            // Not measured for every number; without a base it would be this, and it is less.
            default -> new UsualBand(0, plain(taking, after.slots()).high);
        };
    }

    private static UsualBand plain(int taking, int slots) {
        return new UsualBand(at(VERSION_1_LOW, taking, slots), at(VERSION_1_HIGH, taking, slots));
    }

    /** Returns the value between the nearest columns. */
    private static int at(int[][] rows, int taking, int slots) {
        int[] row = rows[Integer.numberOfTrailingZeros(slots / SlotTable.SLOTS_MIN)];
        int right = 0;
        while (right < row.length - 1 && MEMBERS[right] < taking) {
            right++;
        }
        if (right == 0 || MEMBERS[right] <= taking) {
            return taking <= 1 ? 0 : row[right];
        }
        int width = MEMBERS[right] - MEMBERS[right - 1];
        int into = taking - MEMBERS[right - 1];
        return row[right - 1] + (row[right] - row[right - 1]) * into / width;
    }

    private static int changes(PoolDefinition before, PoolDefinition after) {
        SortedMap<MemberKey, Integer> weights = new TreeMap<>();
        before.members().forEach(member -> weights.put(member.key(), member.effectiveWeight()));
        int changes = 0;
        for (TableMember member : after.members()) {
            Integer old = weights.remove(member.key());
            changes += (old == null ? 0 : old) == member.effectiveWeight() ? 0 : 1;
        }
        return changes
                + (int) weights.values().stream().filter(weight -> weight > 0).count();
    }

    private static int taking(PoolDefinition definition) {
        return (int) definition.members().stream()
                .filter(member -> member.effectiveWeight() > 0)
                .count();
    }

    private static int out(PoolDefinition definition) {
        return (int) definition.members().stream()
                .filter(member -> member.effectiveWeight() < member.weight())
                .count();
    }

    private static List<String> base(PoolDefinition definition) {
        return definition.members().stream()
                .filter(member -> member.weight() > 0)
                .map(member -> definition.version() + " " + member.key() + " " + member.weight())
                .toList();
    }
}
