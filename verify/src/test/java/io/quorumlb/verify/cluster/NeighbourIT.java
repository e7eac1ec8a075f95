package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Addresses that move under traffic. */
@ClusterTest
@Order(3)
final class NeighbourIT {
    private static final Duration LIMIT = Duration.ofSeconds(3);
    private static final Duration TRAFFIC_STARTS = Duration.ofSeconds(2);
    private static final String MEMBER_MAC = "02:51:55:be:01:99";
    private static final String ROUTER_MAC = "02:51:55:aa:01:99";

    @Test
    void aMemberThatSilentlyGetsAnotherMacAddressIsFollowed(Site site) throws Exception {
        moves(site, "be1", "10.20.0.2", MEMBER_MAC, "21");
    }

    @Test
    void aRouterThatSilentlyGetsAnotherMacAddressIsFollowed(Site site) throws Exception {
        moves(site, "router", "10.10.0.1", ROUTER_MAC, "25");
    }

    private static void moves(Site site, String host, String address, String mac, String table) throws Exception {
        Container container = site.container(host);
        String link = container
                .shell("ip -o -4 address show | awk '$4 ~ /^" + address + "\\// {print $2}'")
                .strip();
        String before =
                container.shell("cat /sys/class/net/" + link + "/address").strip();
        CompletableFuture<Traffic> traffic = site.trafficMeanwhile("--count", "2000", "--rate", "200");
        try {
            var started = Waiting.start();
            started.until(
                    "traffic flows",
                    LIMIT,
                    () -> started.elapsed().compareTo(TRAFFIC_STARTS) > 0
                            ? Optional.empty()
                            : Optional.of("it has just begun"));
            var since = Waiting.start();
            container.run("ip", "link", "set", link, "address", mac);
            Duration seen = since.until(
                    "the switches send to " + mac,
                    LIMIT,
                    () -> Site.NODES.stream()
                            .filter(node -> !flows(site, node, table).contains(mac))
                            .findFirst()
                            .map(node -> node + " sends elsewhere"));
            Traffic answered = traffic.get(60, TimeUnit.SECONDS);
            Figures.say(
                    "%s gets another MAC address silently: in all three switches after %s; connections %s, lost for %s",
                    host, Figures.millis(seen), answered, Figures.millis(answered.lostFor()));
            assertTrue(answered.lostFor().compareTo(LIMIT) <= 0, answered.toString());
            assertTrue(answered.lost() <= 600, answered.toString());
        } finally {
            container.run("ip", "link", "set", link, "address", before);
        }
        Waiting.start()
                .until(
                        "the switches send to " + before,
                        LIMIT,
                        () -> Site.NODES.stream()
                                .filter(node -> !flows(site, node, table).contains(before))
                                .findFirst());
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    private static String flows(Site site, String node, String table) {
        return site.container(node).run("ovs-ofctl", "-O", "OpenFlow15", "dump-flows", "br-lb", "table=" + table);
    }
}
