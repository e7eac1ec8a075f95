package io.quorumlb.lbctl;

import java.util.List;

/**
 * How evenly slots are spread over the members that take traffic.
 *
 * @param members how many they are
 * @param average slots per member, 0 without members
 * @param deviation standard deviation of the slots per member
 * @param overprovision most slots of a member / average, 0 without members
 */
record Spread(int members, double average, double deviation, double overprovision) {
    /** Computes it from the slots of each member that takes traffic. */
    static Spread of(List<Integer> slots) {
        double average = slots.stream().mapToInt(Integer::intValue).average().orElse(0);
        double variance = slots.stream()
                .mapToDouble(count -> (count - average) * (count - average))
                .average()
                .orElse(0);
        int most = slots.stream().mapToInt(Integer::intValue).max().orElse(0);
        return new Spread(slots.size(), average, Math.sqrt(variance), average == 0 ? 0 : most / average);
    }
}
