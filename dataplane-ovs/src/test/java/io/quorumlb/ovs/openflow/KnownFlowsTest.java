package io.quorumlb.ovs.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Match;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Flows that were listed before are not decoded again. */
class KnownFlowsTest {
    private final KnownFlows known = new KnownFlows();
    private int decoded;

    private Flow list(int number) {
        return known.get(ByteBuffer.allocate(4).putInt(number).array(), () -> decode(number));
    }

    private Flow decode(int number) {
        decoded++;
        return new Flow(new FlowKey(1, number, new Match(List.of(), "")), number, List.of(), new Flow.Lifetime(0, 0));
    }

    @Test
    void theSameBytesAreTheSameFlow() {
        Flow first = list(7);
        assertSame(first, list(7));
        assertNotSame(first, list(8));
        assertEquals(2, decoded);
    }

    @Test
    void whatIsListedAgainAndAgainStaysKnown() {
        for (int list = 0; list < 40; list++) {
            for (int number = 0; number < 500; number++) {
                assertEquals(number, list(number).cookie());
            }
        }
        assertEquals(500, decoded);
    }

    /** Else a switch whose flows come and go would fill the memory. */
    @Test
    void whatIsNoLongerListedIsForgotten() {
        list(1000);
        for (int list = 0; list < 40; list++) {
            for (int number = 0; number < 100; number++) {
                list(number);
            }
        }
        list(1000);
        assertEquals(102, decoded);
    }
}
