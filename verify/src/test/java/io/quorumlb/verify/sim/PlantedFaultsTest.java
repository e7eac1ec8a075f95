package io.quorumlb.verify.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the test: each fault that is put in on purpose is found within 500 seeds, by the invariant it breaks. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class PlantedFaultsTest {
    private static final int SEEDS_MAX = 500;

    static Stream<Arguments> faults() {
        return Stream.of(
                Arguments.of(Planted.TRUSTS_MEMORY, EnumSet.of(Invariant.PROOF_IS_READ_FROM_THE_SWITCH)),
                Arguments.of(
                        Planted.FORGETS_AGE_WHEN_RELAYING,
                        EnumSet.of(Invariant.VERDICT_BY_MAJORITY, Invariant.BLIND_OBSERVER_CHANGES_NOTHING)),
                Arguments.of(
                        Planted.COUNTS_STALE_OBSERVATIONS,
                        EnumSet.of(Invariant.VERDICT_BY_MAJORITY, Invariant.BLIND_OBSERVER_CHANGES_NOTHING)),
                Arguments.of(
                        Planted.MAJORITY_OF_THE_REACHABLE,
                        EnumSet.of(Invariant.VERDICT_BY_MAJORITY, Invariant.BLIND_OBSERVER_CHANGES_NOTHING)),
                Arguments.of(
                        Planted.COUNTS_NOT_CONSECUTIVELY,
                        EnumSet.of(Invariant.VERDICT_BY_MAJORITY, Invariant.BLIND_OBSERVER_CHANGES_NOTHING)),
                Arguments.of(Planted.NUMBERS_BY_CLOCK, EnumSet.of(Invariant.NUMBERS_WITHOUT_GAPS)),
                Arguments.of(Planted.FORGETS_INCARNATIONS, EnumSet.of(Invariant.CONVERGES_WITHIN_BOUND)),
                Arguments.of(
                        Planted.ORDER_OF_A_HASH_SET,
                        EnumSet.of(Invariant.ONLY_COMMITTED_IS_INSTALLED, Invariant.CONVERGES_WITHIN_BOUND)),
                Arguments.of(Planted.INSTALLS_BEFORE_COMMIT, EnumSet.of(Invariant.ONLY_COMMITTED_IS_INSTALLED)),
                Arguments.of(Planted.NO_BARRIER_AFTER_A_PAUSE, EnumSet.of(Invariant.NOTHING_OLD_AFTER_A_PAUSE)),
                Arguments.of(Planted.GATEWAYS_STAY_AT_HOME, EnumSet.of(Invariant.GATEWAYS_FOLLOW_THE_LOG)),
                Arguments.of(Planted.UNKNOWN_IS_DONE, EnumSet.of(Invariant.ACKNOWLEDGED_WRITE_SURVIVES)),
                Arguments.of(Planted.FORGETS_REQUESTS, EnumSet.of(Invariant.WRITE_DONE_ONCE)),
                Arguments.of(Planted.HOLDS_NEVER_END, EnumSet.of(Invariant.CONVERGES_WITHIN_BOUND)),
                Arguments.of(Planted.OPENS_WITHOUT_NEED, EnumSet.of(Invariant.ONLY_ELIGIBLE_MEMBERS)),
                Arguments.of(
                        Planted.HALF_A_BUNDLE,
                        EnumSet.of(Invariant.ONLY_COMMITTED_IS_INSTALLED, Invariant.UNMOVED_SLOTS_KEEP_THEIR_MEMBER)),
                Arguments.of(
                        Planted.LOG_WITHOUT_MAJORITY,
                        EnumSet.of(
                                Invariant.NOTHING_WITHOUT_MAJORITY,
                                Invariant.ONE_HISTORY,
                                Invariant.ONE_DIGEST_PER_NUMBER,
                                Invariant.ACKNOWLEDGED_WRITE_SURVIVES)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isFound(Planted planted, Set<Invariant> by) {
        List<Simulation.Result> results = Seeds.run(1, SEEDS_MAX, 3, planted, _ -> {}, result -> breaks(result, by));
        Optional<Simulation.Result> found =
                results.stream().filter(result -> breaks(result, by)).findFirst();
        assertTrue(
                found.isPresent(),
                () -> "%s breaks none of %s within %d seeds; broken were: %s"
                        .formatted(
                                planted,
                                by,
                                SEEDS_MAX,
                                results.stream()
                                        .flatMap(result -> result.violation().stream())
                                        .map(Violation::invariant)
                                        .distinct()
                                        .toList()));
        System.err.printf(
                "planted %s: found by %s with seed %d%n",
                planted,
                found.get().violation().orElseThrow().invariant(),
                found.get().settings().seed());
    }

    private static boolean breaks(Simulation.Result result, Set<Invariant> invariants) {
        return result.violation()
                .filter(violation -> invariants.contains(violation.invariant()))
                .isPresent();
    }
}
