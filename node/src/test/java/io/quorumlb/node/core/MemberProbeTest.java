package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MemberProbeTest {
    private static final MonotonicTime NOW = new MonotonicTime(0);

    private static String detailAfter(ProbeResult... results) {
        MemberProbe probe = MemberProbe.first(NOW);
        for (ProbeResult result : results) {
            probe = probe.counted(new ProbeQueue.End(result, NOW, Duration.ZERO), Site.MONITOR);
        }
        return probe.detail();
    }

    private static ProbeResult up(String detail) {
        return new ProbeResult(true, detail);
    }

    @Test
    void theDetailIsThatOfTheResultThatDecided() {
        assertEquals("second", detailAfter(up("first"), up("second"), up("third")));
        assertEquals("no answer", detailAfter(up("1"), up("2"), new ProbeResult(false, "no answer")));
    }

    @Test
    void whatRestsOnSilenceSaysSoAtOnceAndNoLonger() {
        String weak = Observation.WEAK + "no answer within 500 ms counts as up";
        assertEquals(weak, detailAfter(up("1"), up("2"), up(weak), up(weak)));
        assertEquals("5 bytes in 1 ms", detailAfter(up(weak), up(weak), up("5 bytes in 1 ms"), up("4 bytes in 1 ms")));
        List<ProbeResult> quiet = Stream.generate(() -> up(weak)).limit(5).toList();
        assertEquals(weak, detailAfter(quiet.toArray(ProbeResult[]::new)));
    }
}
