package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.pool.Health;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProbePastTest {
    private static final MonotonicTime START = new MonotonicTime(0);

    private MemberProbe probe = MemberProbe.first(START);

    private void ends(int second, boolean success) {
        var end = new ProbeQueue.End(
                new ProbeResult(success, "result " + second),
                START.plus(Duration.ofSeconds(second)),
                Duration.ofMillis(second));
        probe = probe.counted(end, Site.MONITOR);
    }

    @Test
    void theLastTenAreRememberedNewestFirst() {
        for (int second = 1; second <= 25; second++) {
            ends(second, true);
        }
        ProbeView view = ProbeView.of(probe, START.plus(Duration.ofSeconds(30)));
        assertEquals(10, view.results().size());
        assertEquals("result 25", view.results().getFirst().detail());
        assertEquals(Duration.ofSeconds(5), view.results().getFirst().age());
        assertEquals(Duration.ofMillis(25), view.results().getFirst().took());
        assertEquals("result 16", view.results().getLast().detail());
    }

    @Test
    void aHealthIsAsOldAsTheResultThatMadeIt() {
        ProbeView first = ProbeView.of(probe, START);
        assertEquals(Optional.empty(), first.health());
        assertEquals(Optional.empty(), first.since());
        for (int second = 1; second <= 20; second++) {
            ends(second, second > 10);
        }
        ProbeView view = ProbeView.of(probe, START.plus(Duration.ofSeconds(20)));
        assertEquals(Optional.of(Health.UP), view.health());
        assertEquals(Optional.of(Duration.ofSeconds(10L - Site.MONITOR.rise())), view.since());
        assertEquals(true, view.streakSuccess());
    }
}
