package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.DropCause;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.ListenerCounters;
import io.quorumlb.proto.v1.MemberCounters;
import io.quorumlb.proto.v1.NodeCounters;
import java.time.Duration;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the client sent is what the nodes counted together, for listeners, members and drops. */
@ClusterTest
@Order(2)
final class CountersIT {
    /** A reading every two seconds, and a second until the switch has brought its counts up to date; the machine is busy. */
    private static final Duration COUNTED = Duration.ofSeconds(20);

    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final int CONNECTIONS = 100;
    private static final int DATAGRAMS = 5;
    private static final String VIP = SitePool.WEB2.vip();

    /** The least packets of a connection that asks once: SYN, ACK of the answer to it, the question, FIN. */
    private static final int PACKETS_MIN = 4;

    private static GetCountersResponse counters(Site site) {
        GetCountersResponse response =
                site.api("n1").service(ANSWER).getCounters(GetCountersRequest.getDefaultInstance());
        assertEquals(Site.NODES.size(), response.getNodesCount());
        response.getNodesList().forEach(node -> assertTrue(node.getAnswered(), node::toString));
        return response;
    }

    private static ListenerCounters listener(NodeCounters counters, String name) {
        return counters.getListenersList().stream()
                .filter(of -> of.getListener().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no listener " + name));
    }

    private static long members(NodeCounters counters, String listener, ToLongFunction<MemberCounters> packets) {
        return counters.getMembersList().stream()
                .filter(of -> of.getListener().equals(listener))
                .mapToLong(packets)
                .sum();
    }

    private static long dropped(NodeCounters counters, DropCause cause) {
        return counters.getDropsList().stream()
                .filter(of -> of.getCause() == cause)
                .mapToLong(of -> of.getDropped().getPackets())
                .sum();
    }

    /** Waits until the sum has grown by so many; returns the answer that says so. */
    private static GetCountersResponse awaitGrowth(
            Site site, String what, NodeCounters before, ToLongFunction<NodeCounters> count, long expected) {
        return awaitGrowth(site, what, before, count, expected, expected);
    }

    /** Waits until the sum has grown by so many at the least, and makes sure that it has not by more than the most. */
    private static GetCountersResponse awaitGrowth(
            Site site, String what, NodeCounters before, ToLongFunction<NodeCounters> count, long expected, long most) {
        GetCountersResponse[] last = {GetCountersResponse.getDefaultInstance()};
        Duration took = Waiting.start().until(what + " are counted", COUNTED, () -> {
            last[0] = counters(site);
            long grown = count.applyAsLong(last[0].getSum()) - count.applyAsLong(before);
            return grown >= expected ? Optional.empty() : Optional.of(grown + " of " + expected);
        });
        Figures.say("%d %s counted after %s", expected, what, Figures.millis(took));
        long grown = count.applyAsLong(last[0].getSum()) - count.applyAsLong(before);
        assertTrue(grown <= most, () -> "%d %s counted, at most %d were sent".formatted(grown, what, most));
        assertEquals(
                count.applyAsLong(last[0].getSum()),
                last[0].getNodesList().stream().mapToLong(count).sum(),
                "the sum is that of the nodes");
        return last[0];
    }

    private static long received(NodeCounters counters) {
        return listener(counters, "web2-dns").getReceived().getPackets();
    }

    @Test
    void datagramsAreCountedOneByOneForListenerAndMembers(Site site) {
        NodeCounters before = counters(site).getSum();
        Traffic traffic = Traffic.send(
                site.container("client"), SitePool.WEB2.target(53), "--udp", "--count", Integer.toString(CONNECTIONS));
        assertEquals(CONNECTIONS, traffic.answered(), traffic::toString);
        // What the client asked again after a second may have been answered twice.
        long most = (long) CONNECTIONS + traffic.retransmits();
        awaitGrowth(site, "replies", before, CountersIT::returned, CONNECTIONS, most);
        NodeCounters after = awaitGrowth(site, "datagrams", before, CountersIT::received, CONNECTIONS, most)
                .getSum();
        ToLongFunction<MemberCounters> forwarded = of -> of.getForwarded().getPackets();
        assertEquals(
                received(after) - received(before),
                members(after, "web2-dns", forwarded) - members(before, "web2-dns", forwarded));
        ToLongFunction<MemberCounters> returned = of -> of.getReturned().getPackets();
        assertEquals(
                returned(after) - returned(before),
                members(after, "web2-dns", returned) - members(before, "web2-dns", returned));
        Count vip = after.getVipsList().stream()
                .filter(of -> of.getVip().equals(VIP))
                .findFirst()
                .orElseThrow()
                .getReceived();
        assertTrue(vip.getPackets() >= CONNECTIONS, vip::toString);
    }

    private static long returned(NodeCounters counters) {
        return listener(counters, "web2-dns").getReturned().getPackets();
    }

    /** How many packets TCP makes of a connection is its own affair; that members got what the listener took is not. */
    @Test
    void connectionsAreCountedForListenerAndMembersAlike(Site site) {
        String listener = counters(site).getSum().getListenersList().stream()
                .filter(of -> of.getVip().equals(SitePool.WEB.vip()))
                .findFirst()
                .orElseThrow()
                .getListener();
        NodeCounters before = counters(site).getSum();
        Traffic traffic = site.traffic(SitePool.WEB, "--count", Integer.toString(CONNECTIONS));
        assertEquals(CONNECTIONS, traffic.answered(), traffic::toString);
        Waiting.start().until("all packets are counted", COUNTED, () -> {
            NodeCounters after = counters(site).getSum();
            long in = listener(after, listener).getReceived().getPackets()
                    - listener(before, listener).getReceived().getPackets();
            long toMembers = members(after, listener, of -> of.getForwarded().getPackets())
                    - members(before, listener, of -> of.getForwarded().getPackets());
            long out = listener(after, listener).getReturned().getPackets()
                    - listener(before, listener).getReturned().getPackets();
            boolean whole = in >= (long) PACKETS_MIN * CONNECTIONS && in == toMembers && out >= 2L * CONNECTIONS;
            return whole ? Optional.empty() : Optional.of("in %d, to members %d, out %d".formatted(in, toMembers, out));
        });
    }

    /** Datagrams that the client's kernel sends as they are told; each is one packet, or three fragments. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP_CAUSE_UNKNOWN_PORT | 1 | s.sendto(b'x', (vip, 54))",
                "DROP_CAUSE_FRAGMENT | 3 | s.sendto(b'x' * 4000, (vip, 53))",
                // The router takes one away.
                "DROP_CAUSE_TTL | 1 | s.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 2); s.sendto(b'x', (vip, 53))",
                "DROP_CAUSE_MALFORMED | 1 | raw.sendto(bytes.fromhex('1388000000080000'), (vip, 0))"
            })
    void dropsAreCountedUnderTheirCause(DropCause cause, int packets, String send, Site site) {
        NodeCounters before = counters(site).getSum();
        String program = """
                import socket
                vip = '%s'
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
                raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_UDP)
                for _ in range(%d):
                    %s
                """.formatted(VIP, DATAGRAMS, send);
        site.container("client").run("python3", "-c", program);
        awaitGrowth(site, cause + " packets", before, counters -> dropped(counters, cause), (long) packets * DATAGRAMS);
    }

    @Test
    void theCommandsShowThemAndNameANodeThatDoesNotAnswer(Site site) {
        Container node = site.container("n1");
        for (String[] command : new String[][] {
            {"lbctl", "listener", "stats"}, {"lbctl", "member", "stats", "web"}, {"lbctl", "node", "drops"}
        }) {
            Container.Output output = node.exec(command);
            assertEquals(0, output.status(), output.out() + output.err());
        }
        site.container("n3").pause();
        try {
            Container.Output output = node.exec("lbctl", "member", "stats", "web");
            assertEquals(1, output.status(), output.out() + output.err());
            assertTrue(output.out().contains("n3 is not in the sum: "), output.out());
        } finally {
            site.container("n3").unpause();
            site.awaitConverged(Site.ALL, COUNTED);
        }
    }
}
