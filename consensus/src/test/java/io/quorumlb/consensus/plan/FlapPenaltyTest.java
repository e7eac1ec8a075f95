package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.PoolGuards.Flapping;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FlapPenaltyTest {
    private static final Flapping USUAL = Flapping.DEFAULT;

    private static FlapPenalty flips(int count, Duration apart) {
        FlapPenalty penalty = FlapPenalty.NONE;
        for (int i = 0; i < count; i++) {
            penalty = penalty.after(apart, USUAL).flipped(USUAL);
        }
        return penalty;
    }

    @Test
    void itHalvesEveryHalfLife() {
        FlapPenalty once = FlapPenalty.NONE.flipped(USUAL);
        assertEquals(1000, once.points());
        assertEquals(500, once.after(Duration.ofMinutes(1), USUAL).points(), 1e-9);
        assertEquals(250, once.after(Duration.ofMinutes(2), USUAL).points(), 1e-9);
        assertEquals(FlapPenalty.NONE, once.after(Duration.ofHours(1), USUAL), "forgotten");
    }

    @Test
    void twoFailuresAndRecoveriesAreForgivenTheThirdFailureIsNot() {
        Duration apart = Duration.ofSeconds(3);
        assertFalse(flips(4, apart).heldDown());
        assertTrue(flips(5, apart).heldDown());
    }

    @Test
    void heldDownEndsOnlyBelowTheReuseLimit() {
        FlapPenalty held = flips(5, Duration.ofSeconds(1));
        FlapPenalty belowTheLimit = held.after(Duration.ofMinutes(1), USUAL);
        assertTrue(belowTheLimit.points() < USUAL.limit());
        assertTrue(belowTheLimit.heldDown());
        assertFalse(held.after(Duration.ofMinutes(2), USUAL).heldDown());
    }

    @Test
    void howeverLongItFlappedItIsBackAfterABoundedTime() {
        FlapPenalty held = flips(10_000, Duration.ofMillis(100));
        assertEquals(2 * 4000 + 1000, held.points());
        assertFalse(held.after(Duration.ofSeconds(156), USUAL).heldDown(), "2.6 half-lives");
    }

    @Test
    void aFailureEveryMinuteIsNotFlapping() {
        assertFalse(flips(1000, Duration.ofSeconds(30)).heldDown());
    }

    @Test
    void withoutALimitNothingCounts() {
        var off = new Flapping(0, 0, Duration.ofMinutes(1));
        assertEquals(FlapPenalty.NONE, FlapPenalty.NONE.flipped(off));
        assertFalse(
                new FlapPenalty(9000, true).after(Duration.ofSeconds(1), off).heldDown(), "switched off meanwhile");
    }
}
