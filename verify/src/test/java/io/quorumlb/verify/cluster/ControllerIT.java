package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.NodeReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A controller that dies while its switch forwards. */
@ClusterTest
@Order(4)
final class ControllerIT {
    private static final Duration RETURN = Duration.ofSeconds(30);
    /** How long the supervisor waits for a controller to confirm its announcement. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    /**
     * TCP also sends again what a busy machine merely delays, a few packets of tens of thousands. A gap of a tenth of a
     * second would show some seventeen new connections and as many of the others.
     */
    private static final int RETRANSMITS_MAX = 8;

    private static final int FAIL_CLOSE_KIND = 0x08;
    private static final int MISS_KIND = 0x0d;
    private static final int FORWARDING_FIRST = 8;
    private static final int FORWARDING_LAST = 25;

    @Test
    void aKilledControllerLosesNoPacketAndItsSuccessorChangesNothing(Site site) {
        String node = Site.others(site.leader()).getFirst();
        Container container = site.container(node);
        // One that comes home meanwhile would be a change of its own.
        site.awaitGatewaysAtHome();
        SwitchDump before = site.dump(node);
        String old = pid(container);
        CompletableFuture<Traffic> established =
                site.trafficMeanwhile("--count", "60", "--rate", "60", "--path", "/slow?seconds=12", "--timeout", "30");
        CompletableFuture<Traffic> arriving =
                site.trafficMeanwhile("--rate", "500", "--seconds", "12", "--timeout", "10");
        awaitTraffic(site, node, before);

        var sinceKill = Waiting.start();
        container.run("kill", "-9", old);
        sinceKill.until("a new controller", RETURN, () -> {
            String now = pid(container);
            return now.equals(old) || now.isEmpty() ? Optional.of("pid " + now) : Optional.empty();
        });
        Duration proven = sinceKill.until(
                "the new controller has proven its switch", RETURN, () -> site.installed(node, Site.ALL));
        SwitchDump after = site.dump(node);
        double elapsed = sinceKill.elapsed().toNanos() / 1e9;

        List<SwitchDump.Line> young = after.flows().stream()
                .filter(flow -> flow.table() >= FORWARDING_FIRST && flow.table() <= FORWARDING_LAST)
                .filter(flow -> flow.seconds() < elapsed)
                .toList();
        assertEquals(List.of(), young, "flows younger than the kill");
        assertEquals(before.flows().size(), after.flows().size());
        Traffic fresh = arriving.join();
        Traffic longLived = established.join();
        NodeReport report = site.api(node).report();
        Figures.say(
                "killed controller of %s: successor proved the switch after %s with %d flow-mods; 500/s: %s; long-lived: %s",
                node, Figures.millis(proven), report.getDatapath().getFlowModsSent(), fresh, longLived);
        assertEquals(0, report.getDatapath().getFlowModsSent(), report.toString());
        assertEquals(0, fresh.lost(), fresh.toString());
        assertEquals(0, dropped(after) - dropped(before), "packets dropped by tables 8 to 25 of " + node);
        assertTrue(fresh.retransmits() <= RETRANSMITS_MAX, fresh.toString());
        assertEquals(60, longLived.answered(), longLived.toString());
        assertTrue(report.getAnnounced(), report.toString());
    }

    @Test
    void aFrozenControllerIsTakenOutOfTrafficAndComesBack(Site site) {
        String node = Site.others(site.leader()).getLast();
        Container container = site.container(node);
        String controller = pid(container);
        container.run("kill", "-STOP", controller);
        var sinceFreeze = Waiting.start();
        try {
            sinceFreeze.always("the routes of " + node, LEASE.dividedBy(2), () -> hops(site, Site.NODES.size()));
            Duration gone = sinceFreeze.until(
                    "the routes leave", LEASE.plusSeconds(4), () -> hops(site, Site.NODES.size() - 1));
            Figures.say("frozen controller of %s: its routes left after %s", node, Figures.millis(gone));
        } finally {
            container.run("kill", "-CONT", controller);
        }
        var sinceThaw = Waiting.start();
        sinceThaw.until("the routes come back", RETURN, () -> hops(site, Site.NODES.size()));
        assertEquals(controller, pid(container), "the same process goes on");
    }

    private static Optional<String> hops(Site site, int wanted) {
        var hops = site.router().hops();
        boolean so = hops.values().stream().allMatch(nodes -> nodes.size() == wanted);
        return so ? Optional.empty() : Optional.of("hops " + hops);
    }

    private static String pid(Container container) {
        return container.run("cat", "/run/quorumlb/controller.pid").strip();
    }

    /** Returns how many packets the forwarding tables had no way for. */
    private static long dropped(SwitchDump dump) {
        return dump.flows().stream()
                .filter(flow -> flow.table() >= FORWARDING_FIRST && flow.table() <= FORWARDING_LAST)
                .filter(flow -> flow.kind() == FAIL_CLOSE_KIND || flow.kind() == MISS_KIND)
                .mapToLong(SwitchDump.Line::packets)
                .sum();
    }

    /** Waits until packets pass the node's slot table. */
    private static void awaitTraffic(Site site, String node, SwitchDump before) {
        long counted = slotPackets(before);
        Waiting.start().until("traffic through " + node, Duration.ofSeconds(5), () -> {
            long passed = slotPackets(site.dump(node)) - counted;
            return passed >= 200 ? Optional.empty() : Optional.of("only " + passed + " packets");
        });
    }

    private static long slotPackets(SwitchDump dump) {
        return dump.flows().stream()
                .filter(flow -> flow.table() == 11)
                .mapToLong(SwitchDump.Line::packets)
                .sum();
    }
}
