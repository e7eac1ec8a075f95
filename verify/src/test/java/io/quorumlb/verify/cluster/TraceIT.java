package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.SlotSource;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracePacketResponse;
import io.quorumlb.proto.v1.TracedPacket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the nodes say that they would do with packets is what becomes of them. The last of all: a node whose flows were
 * fought over repairs slowly for a minute.
 */
@ClusterTest
@Order(9)
final class TraceIT {
    private static final int FIRST_PORT = 27_000;

    /** Of each of four kinds. */
    private static final int PACKETS = 15;

    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String PLANTED = "n1";

    private static TracePacketResponse trace(Site site, String asked, SitePool pool, int protocol, int from, int to) {
        return site.api(asked)
                .service(ANSWER)
                .tracePacket(TracePacketRequest.newBuilder()
                        .setPacket(TracedPacket.newBuilder()
                                .setProtocol(protocol)
                                .setSourceAddress(pool.client())
                                .setSourcePort(from)
                                .setDestinationAddress(pool.vip())
                                .setDestinationPort(to))
                        .build());
    }

    private static List<String> members(TracePacketResponse response) {
        return response.getTracesList().stream().map(NodeTrace::getMember).toList();
    }

    @ParameterizedTest
    @CsvSource({"WEB, 6, 80", "WEB2, 17, 53", "WEB6, 6, 80", "WEB6, 17, 53"})
    void allNodesSayWhoARealPacketReaches(SitePool pool, int protocol, int port, Site site) {
        String sources = FIRST_PORT + "-" + (FIRST_PORT + PACKETS - 1);
        Traffic traffic = protocol == SlotPrediction.UDP
                ? Traffic.send(site.container("client"), pool.target(port), "--source-ports", sources, "--udp")
                : Traffic.send(site.container("client"), pool.target(port), "--source-ports", sources);
        SortedMap<Integer, String> reached = traffic.memberByPort();
        assertEquals(PACKETS, reached.size(), traffic::toString);
        boolean sent = protocol == SlotPrediction.TCP && NodeApi.slotFunction() == SlotFunction.DP_HASH;
        SlotSource source = sent ? SlotSource.SLOT_SOURCE_SENT : SlotSource.SLOT_SOURCE_TRACED;
        for (int from : reached.keySet()) {
            String asked = Site.NODES.get(from % Site.NODES.size());
            TracePacketResponse response = trace(site, asked, pool, protocol, from, port);
            String member = Optional.ofNullable(reached.get(from)).orElse("");
            assertEquals(List.of(member, member, member), members(response), response::toString);
            assertEquals(List.of(), response.getDisagreementsList(), response::toString);
            for (NodeTrace trace : response.getTracesList()) {
                assertEquals("", trace.getTrouble());
                assertEquals(source, trace.getFound().getSource());
                assertEquals(
                        SlotPrediction.slot(pool, protocol, pool.client(), from, port),
                        trace.getFound().getSlot());
            }
        }
        Figures.say(
                "%d packets of protocol %d to %s: three nodes say who they reach",
                PACKETS, protocol, pool.target(port));
    }

    @Test
    void aWrongSlotOnOneNodeIsADisagreement(Site site) {
        int from = FIRST_PORT;
        TracePacketResponse before = trace(site, "n2", SitePool.WEB, SlotPrediction.TCP, from, SitePool.VIP_PORT);
        assertEquals(List.of(), before.getDisagreementsList());
        int slot = before.getTraces(0).getFound().getSlot();
        int other = before.getTraces(0).getFound().getMemberId() % Site.MEMBERS.size() + 1;
        String wrong = "table=11,priority=100,reg0=%d,reg1=%d,actions=set_field:%d->reg2,goto_table:13"
                .formatted(SitePool.WEB.id(), slot, other);
        // The controller puts it right within milliseconds, until it sees that somebody fights it.
        site.container(PLANTED).shell("""
                        touch /tmp/planting
                        (for i in {1..400}; do
                            [ -e /tmp/planting ] || exit 0
                            ovs-ofctl -O OpenFlow15 --strict mod-flows br-lb '%s'
                            sleep 0.1
                        done) > /dev/null 2>&1 &
                        """.formatted(wrong));
        try {
            Waiting.start().until("the disagreement is said", SOON, () -> {
                TracePacketResponse response =
                        trace(site, "n2", SitePool.WEB, SlotPrediction.TCP, from, SitePool.VIP_PORT);
                boolean so = response.getDisagreementsList().stream()
                                .anyMatch(sentence -> sentence.startsWith(PLANTED + ": by its switch"))
                        && response.getDisagreementsList().stream()
                                .anyMatch(sentence -> sentence.startsWith(PLANTED + " and n2: "))
                        && response.getTraces(0).getMember().equals(SitePool.WEB.memberName(other));
                return so ? Optional.empty() : Optional.of(response.toString());
            });
            Waiting.start().until("lbctl says so", SOON.plusSeconds(10), () -> {
                Container.Output output = lbctl(site, from);
                boolean so = output.status() == 1 && output.out().contains("DISAGREE " + PLANTED + ": by its switch");
                return so ? Optional.empty() : Optional.of(output.out() + output.err());
            });
        } finally {
            site.container(PLANTED).shell("rm -f /tmp/planting");
        }
        Waiting.start().until("they agree again", SOON, () -> {
            TracePacketResponse response = trace(site, "n2", SitePool.WEB, SlotPrediction.TCP, from, SitePool.VIP_PORT);
            boolean so =
                    response.getDisagreementsCount() == 0 && members(response).equals(members(before));
            return so ? Optional.empty() : Optional.of(response.toString());
        });
        assertEquals(0, lbctl(site, from).status());
    }

    private static Container.Output lbctl(Site site, int from) {
        return site.container("n2")
                .exec("lbctl", "trace", "tcp", SitePool.WEB.client() + ":" + from, SitePool.WEB.target());
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed(Site site) {
        site.container("n3").pause();
        try {
            Container.Output output = lbctl(site, FIRST_PORT);
            assertEquals(2, output.status(), output.out() + output.err());
            assertTrue(output.out().contains("n3 did not ask its switch: "), output.out());
        } finally {
            site.container("n3").unpause();
            site.awaitConverged(Site.ALL, SOON);
        }
    }
}
