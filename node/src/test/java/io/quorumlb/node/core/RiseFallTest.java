package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.pool.Health;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RiseFallTest {
    private static final int RISE = 2;
    private static final int FALL = 3;

    /** S is a success, F a failure; the last result decides what is expected. */
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "S,UNKNOWN",
        "F,UNKNOWN",
        "FF,UNKNOWN",
        "SF,UNKNOWN",
        "SFSFSF,UNKNOWN",
        "SS,UP",
        "FFF,DOWN",
        "SSF,UP",
        "SSFF,UP",
        "SSFFF,DOWN",
        "SSFSFF,UP",
        "SSFFSFF,UP",
        "SSFFSFFF,DOWN",
        "FFFS,DOWN",
        "FFFSFS,DOWN",
        "FFFSS,UP",
        "FFSFF,UNKNOWN",
        "FFFSFFS,DOWN",
        "FFFSFFSS,UP",
    })
    void onlyConsecutiveResultsCount(String results, String expected) {
        RiseFall state = RiseFall.UNKNOWN;
        for (int i = 0; i < results.length(); i++) {
            state = state.after(results.charAt(i) == 'S', RISE, FALL);
        }
        assertEquals(expected, state.health().map(Enum::name).orElse("UNKNOWN"));
    }

    @Test
    void agreesWithTheObviousVersionOnRandomSequences() {
        var random = new Random(20_261_130);
        for (int round = 0; round < 1_000_000; round++) {
            int rise = 1 + random.nextInt(4);
            int fall = 1 + random.nextInt(4);
            int bias = 1 + random.nextInt(9);
            RiseFall state = RiseFall.UNKNOWN;
            Optional<Health> expected = Optional.empty();
            List<Boolean> results = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                boolean success = random.nextInt(10) < bias;
                results.add(success);
                state = state.after(success, rise, fall);
                Optional<Health> before = expected;
                expected = obvious(results, rise, fall).or(() -> before);
                assertEquals(expected, state.health(), results + " rise " + rise + " fall " + fall);
            }
        }
    }

    /** Up if the last rise results are successes, down if the last fall results are failures. */
    private static Optional<Health> obvious(List<Boolean> results, int rise, int fall) {
        int size = results.size();
        if (size >= rise && !results.subList(size - rise, size).contains(false)) {
            return Optional.of(Health.UP);
        }
        if (size >= fall && !results.subList(size - fall, size).contains(true)) {
            return Optional.of(Health.DOWN);
        }
        return Optional.empty();
    }
}
