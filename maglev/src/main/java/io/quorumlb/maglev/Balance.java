package io.quorumlb.maglev;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;

/**
 * How evenly a table spreads its slots over the members that take traffic, measured by their effective weights.
 *
 * @param shares of each member with effective weight, by key
 * @param average slots per such member, 0 without any
 * @param deviation standard deviation of their slots, all of them being the population
 * @param variation coefficient of variation: deviation / average, 0 without members
 * @param overprovision the greatest slots / exact share of a member: what capacity must allow for, 0 without members
 * @param surplus how many slots the member furthest above its exact share is above it, at least 0
 * @param shortfall how many slots the member furthest below its exact share is below it, at least 0
 */
public record Balance(
        List<Share> shares,
        double average,
        double deviation,
        double variation,
        double overprovision,
        double surplus,
        double shortfall) {
    /** Copies the list. */
    public Balance {
        shares = List.copyOf(shares);
    }

    /**
     * What one member has and should have.
     *
     * @param member the member
     * @param slots slots it owns
     * @param exact M x effective weight / sum of effective weights
     */
    public record Share(TableMember member, int slots, double exact) {
        /** Returns slots above the exact share, negative if below. */
        public double excess() {
            return slots - exact;
        }
    }

    /** Measures a table. */
    public static Balance of(SlotTable table) {
        List<TableMember> taking = table.definition().members().stream()
                .filter(member -> member.effectiveWeight() > 0)
                .toList();
        if (taking.isEmpty()) {
            return new Balance(Collections.emptyList(), 0, 0, 0, 0, 0, 0);
        }
        SortedMap<Integer, Integer> slots = table.slotsByMember();
        double weights = taking.stream().mapToLong(TableMember::effectiveWeight).sum();
        List<Share> shares = taking.stream()
                .map(member -> new Share(
                        member,
                        slots.getOrDefault(member.id(), 0),
                        table.slots() * (double) member.effectiveWeight() / weights))
                .toList();
        double average = shares.stream().mapToInt(Share::slots).average().orElse(0);
        double deviation = Math.sqrt(shares.stream()
                .mapToDouble(share -> (share.slots() - average) * (share.slots() - average))
                .average()
                .orElse(0));
        return new Balance(
                shares,
                average,
                deviation,
                average == 0 ? 0 : deviation / average,
                shares.stream()
                        .mapToDouble(share -> share.slots() / share.exact())
                        .max()
                        .orElse(0),
                Math.max(0, shares.stream().mapToDouble(Share::excess).max().orElse(0)),
                Math.max(0, -shares.stream().mapToDouble(Share::excess).min().orElse(0)));
    }
}
