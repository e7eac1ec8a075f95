package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.DropCause;
import io.quorumlb.proto.v1.DropCounters;
import io.quorumlb.proto.v1.ListenerCounters;
import io.quorumlb.proto.v1.MemberCounters;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.VipCounters;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterSumTest {
    private static Count count(long packets) {
        return Count.newBuilder()
                .setPackets(packets)
                .setBytes(packets * 100)
                .setPacketsPerSecond(packets * 0.5)
                .setBytesPerSecond(packets * 50.0)
                .build();
    }

    private static MemberCounters member(int listener, int id, long packets) {
        return MemberCounters.newBuilder()
                .setListenerId(listener)
                .setMemberId(id)
                .setForwarded(count(packets))
                .setReturned(count(packets + 1))
                .build();
    }

    private static NodeCounters.Builder node(long packets) {
        return NodeCounters.newBuilder()
                .setNode("n")
                .setAnswered(true)
                .setAgeMillis((int) packets)
                .addListeners(ListenerCounters.newBuilder()
                        .setListenerId(1)
                        .setReceived(count(packets))
                        .setReturned(count(2 * packets)))
                .addVips(VipCounters.newBuilder().setVip("10.99.0.10").setReceived(count(packets)))
                .setEchoed(count(packets));
    }

    @Test
    void whatIsOneThingIsAddedUpAndTheRestStands() {
        NodeCounters first = node(10).addMembers(member(1, 1, 3))
                .addMembers(member(1, 2, 4))
                .addDrops(DropCounters.newBuilder()
                        .setCause(DropCause.DROP_CAUSE_TTL)
                        .setTable(20)
                        .setDropped(count(1)))
                .build();
        NodeCounters second = node(5).addMembers(member(1, 2, 40))
                .addMembers(member(2, 2, 5))
                .addDrops(DropCounters.newBuilder()
                        .setCause(DropCause.DROP_CAUSE_TTL)
                        .setTable(25)
                        .setDropped(count(2)))
                .build();
        NodeCounters silent = NodeCounters.newBuilder()
                .setNode("n3")
                .setReason("not connected")
                .build();
        NodeCounters sum = CounterSum.of(List.of(first, second, silent));
        assertEquals(10, sum.getAgeMillis());
        assertEquals(1, sum.getListenersCount());
        assertEquals(count(15), sum.getListeners(0).getReceived());
        assertEquals(count(30), sum.getListeners(0).getReturned());
        assertEquals(count(15), sum.getVips(0).getReceived());
        assertEquals(count(15), sum.getEchoed());
        assertEquals(
                List.of(count(3), count(44), count(5)),
                sum.getMembersList().stream().map(MemberCounters::getForwarded).toList());
        assertEquals(
                List.of(count(1), count(2)),
                sum.getDropsList().stream().map(DropCounters::getDropped).toList());
        assertFalse(CounterSum.of(List.of(silent)).getAnswered());
    }
}
