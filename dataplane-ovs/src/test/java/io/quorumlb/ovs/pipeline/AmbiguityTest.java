package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.Traffic.Ports;
import io.quorumlb.ovs.pipeline.Traffic.Transport;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What cannot be told apart is refused. */
class AmbiguityTest {
    private static final IpAddress OTHER_VIP = IpAddress.parse("10.99.0.20");

    private static List<Flow> flows(ServedListener... listeners) {
        SwitchIntent site = SiteIntent.allUp(1);
        return Pipeline.flows(new SwitchIntent(
                site.uplink(),
                site.nextHops(),
                site.segments(),
                Arrays.asList(listeners),
                site.pools(),
                site.routers()));
    }

    private static ServedListener listener(int id, IpAddress vip, Traffic traffic) {
        return new ServedListener(id, SiteIntent.POOL, vip, traffic);
    }

    private static String refusal(ServedListener... listeners) {
        return String.valueOf(assertThrows(IllegalArgumentException.class, () -> flows(listeners))
                .getMessage());
    }

    @Test
    void repliesOfOneMemberPortBelongToOneListener() {
        String refusal = refusal(
                listener(1, SiteIntent.VIP, Traffic.port(Transport.TCP, 80)),
                listener(2, OTHER_VIP, Traffic.port(Transport.TCP, 80)));
        assertTrue(refusal.contains("two flows have one key") && refusal.contains("tcp_src=8080"), refusal);
        int alone = flows(listener(1, SiteIntent.VIP, Traffic.port(Transport.TCP, 80)))
                .size();
        int both = flows(
                        listener(1, SiteIntent.VIP, Traffic.port(Transport.TCP, 80)),
                        listener(2, OTHER_VIP, new Ports(Transport.TCP, 80, 80, OptionalInt.of(8081))))
                .size();
        // Table 8 and 10, four members in 13 and 15, and the new VIP's ARP, echo, fragments, ICMP and way in.
        assertEquals(2 + 8 + 5, both - alone);
    }

    @Test
    void twoListenersOfOnePortAreRefused() {
        assertTrue(refusal(
                        listener(1, SiteIntent.VIP, Traffic.port(Transport.TCP, 80)),
                        listener(2, SiteIntent.VIP, Traffic.port(Transport.TCP, 80)))
                .contains("two flows have one key"));
        assertTrue(refusal(
                        listener(1, SiteIntent.VIP, new Traffic.Everything()),
                        listener(2, SiteIntent.VIP, new Traffic.Everything()))
                .contains("two flows have one key"));
    }

    @Test
    void rangesLieInEachOtherOrApart() {
        assertTrue(refusal(
                        listener(1, SiteIntent.VIP, Traffic.range(Transport.TCP, 100, 200)),
                        listener(2, SiteIntent.VIP, Traffic.range(Transport.TCP, 150, 250)))
                .contains("listeners 1 (ports 100-200) and 2 (ports 150-250) of 10.99.0.10 overlap"));
        assertTrue(refusal(
                        listener(1, SiteIntent.VIP, Traffic.range(Transport.TCP, 100, 200)),
                        listener(2, SiteIntent.VIP, Traffic.range(Transport.TCP, 100, 200)))
                .contains("overlap"));
        flows(
                listener(1, SiteIntent.VIP, Traffic.range(Transport.TCP, 100, 200)),
                listener(2, SiteIntent.VIP, Traffic.range(Transport.UDP, 150, 250)),
                listener(3, SiteIntent.VIP, Traffic.range(Transport.TCP, 201, 250)));
    }

    /** Nested ranges may need the same block, and the inner one must win whatever the order of the listeners. */
    @Test
    void aRangeWithinARangeHasTheHigherPriority() {
        List<String> rows = flows(
                        listener(1, SiteIntent.VIP, Traffic.range(Transport.TCP, 8002, 8003)),
                        listener(2, SiteIntent.VIP, Traffic.range(Transport.TCP, 8000, 8003)),
                        listener(3, SiteIntent.VIP, Traffic.range(Transport.TCP, 8000, 8004)))
                .stream()
                .filter(flow -> flow.key().table() == PipelineTable.LISTENER.id()
                        && Cookie.isKind(flow.cookie(), Cookie.Kind.LISTENER))
                .map(flow -> flow.key() + " " + Cookie.object(flow.cookie()))
                .toList();
        String row = "table=8,priority=%d,tcp,nw_dst=10.99.0.10,tcp_dst=%s %d";
        assertEquals(
                List.of(
                        row.formatted(1002, "8002/0xfffe", 1),
                        row.formatted(1001, "8000/0xfffc", 2),
                        row.formatted(1000, "8000/0xfffc", 3),
                        row.formatted(1000, "8004", 3)),
                rows);
    }

    @Test
    void familiesAreNotMixed() {
        assertEquals(
                "listener 1 at fd00:99::10 and member 1 at 10.20.0.2 are of different families",
                refusal(listener(1, IpAddress.parse("fd00:99::10"), Traffic.port(Transport.TCP, 80))));
    }

    @Test
    void aRangeHasNoSingleMemberPort() {
        assertThrows(IllegalArgumentException.class, () -> new Ports(Transport.TCP, 80, 81, OptionalInt.of(8080)));
        assertThrows(IllegalArgumentException.class, () -> Traffic.port(Transport.TCP, 0));
        assertThrows(IllegalArgumentException.class, () -> Traffic.range(Transport.UDP, 5, 65536));
    }
}
