package io.quorumlb.node.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
    private long nanos = Duration.ofDays(1).toNanos();
    private final Heartbeat heartbeat = new Heartbeat(() -> nanos);

    private void pass(Duration time) {
        nanos += time.toNanos();
    }

    private void beats(int count) {
        for (int i = 0; i < count; i++) {
            pass(Duration.ofMillis(50));
            heartbeat.beat();
        }
    }

    @Test
    void aLoopThatIsBusyForLongIsNoPause() {
        beats(200);
        assertEquals(Duration.ofMillis(50), heartbeat.longestGap(), "ten seconds in which the loop asked nothing");
    }

    @Test
    void aPauseBetweenTwoBeatsIsTold() {
        beats(3);
        pass(Duration.ofSeconds(7));
        beats(3);
        assertEquals(Duration.ofMillis(7050), heartbeat.longestGap());
    }

    @Test
    void aPauseThatTheLoopNoticesBeforeTheNextBeatIsToldOnce() {
        beats(3);
        pass(Duration.ofSeconds(7));
        assertEquals(Duration.ofSeconds(7), heartbeat.longestGap());
        beats(1);
        assertEquals(Duration.ofMillis(50), heartbeat.longestGap());
    }

    @Test
    void theLongestOfSeveralIsTold() {
        for (int seconds : new int[] {1, 3, 2}) {
            pass(Duration.ofSeconds(seconds));
            heartbeat.beat();
        }
        assertEquals(Duration.ofSeconds(3), heartbeat.longestGap());
        assertEquals(Duration.ZERO, heartbeat.longestGap());
    }
}
