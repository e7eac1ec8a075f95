package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.verify.cluster.Router.Frame;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Equal tables on three switches, and what real connections make of them. */
@ClusterTest
@Order(1)
final class ForwardingIT {
    private static final String PORTS = "20000-20199";
    private static final int FAIL_CLOSE_KIND = 0x08;

    @Test
    void threeSwitchesHoldTheSameTableAndMembersAnswerByTheirShare(Site site) {
        for (String node : Site.NODES) {
            SwitchDump dump = site.dump(node);
            assertEquals(Site.ALL, dump.tables(), node);
            for (SitePool pool : SitePool.values()) {
                assertEquals(Map.of("be1", 256, "be2", 256, "be3", 256, "be4", 256), dump.shares(pool), node);
            }
        }
        double share = 256 / 1024.0;
        double sigma = Math.sqrt(200 * share * (1 - share));
        for (SitePool pool : SitePool.values()) {
            Traffic traffic = site.traffic(pool, "--source-ports", PORTS);
            Figures.say("200 connections to pool %s: %s", pool.poolName(), traffic);
            assertEquals(200, traffic.answered(), traffic.toString());
            for (String member : Site.MEMBERS) {
                int count = traffic.members().getOrDefault(member, 0);
                assertTrue(Math.abs(count - 200 * share) <= 3 * sigma, member + " answered " + count);
            }
        }
    }

    @Test
    void everyNodeSendsTheSameConnectionToTheSameMember(Site site) {
        SortedMap<SitePool, SortedMap<Integer, String>> first = new TreeMap<>();
        try {
            for (String node : Site.NODES) {
                site.router().pin(node);
                for (SitePool pool : SitePool.values()) {
                    Traffic traffic = site.traffic(pool, "--source-ports", PORTS);
                    assertEquals(200, traffic.memberByPort().size(), node + ": " + traffic);
                    SortedMap<Integer, String> other = first.putIfAbsent(pool, traffic.memberByPort());
                    if (other != null) {
                        assertEquals(other, traffic.memberByPort(), "pool %s on n1 and %s".formatted(pool, node));
                    }
                }
            }
        } finally {
            site.router().unpin();
        }
        Figures.say("200 five-tuples to each of two pools through each of three nodes: the same members");
    }

    @Test
    void repliesLeaveByOtherNodesThanRequestsCame(Site site) {
        site.router().startCapture();
        Traffic traffic;
        String captured;
        try {
            traffic = site.traffic("--source-ports", "21000-21099");
        } finally {
            captured = site.router().stopCapture();
        }
        assertEquals(100, traffic.answered(), traffic.toString());
        SortedMap<Integer, String> in = new TreeMap<>();
        SortedMap<Integer, String> out = new TreeMap<>();
        Pattern request = Pattern.compile(
                "10\\.40\\.0\\.10\\.(\\d+) > " + Pattern.quote(SitePool.WEB.vip()) + "\\.80: Flags \\[S\\]");
        Pattern reply = Pattern.compile(
                Pattern.quote(SitePool.WEB.vip()) + "\\.80 > 10\\.40\\.0\\.10\\.(\\d+): Flags \\[S\\.\\]");
        captured.lines().filter(line -> line.contains("Flags")).forEach(line -> {
            Frame frame = Router.frame(line);
            note(request.matcher(line), in, Router.nodeOf(frame.destination()));
            note(reply.matcher(line), out, Router.nodeOf(frame.source()));
        });
        assertEquals(in.keySet(), out.keySet(), captured);
        assertEquals(100, in.size());
        long crossed = in.entrySet().stream()
                .filter(entered -> !entered.getValue().equals(out.get(entered.getKey())))
                .count();
        Figures.say("SYN-ACK left by another node than its SYN entered: %d of 100", crossed);
        assertTrue(crossed >= 30, "only %d of 100; in %s, out %s".formatted(crossed, in, out));
    }

    private static void note(Matcher found, SortedMap<Integer, String> nodes, String node) {
        if (found.find()) {
            nodes.put(Integer.valueOf(found.group(1)), node);
        }
    }

    @Test
    void withAllMembersFrozenNothingIsForwardedUntilTheyReturn(Site site) {
        long before = failClosed(site);
        long reportedBefore = reportedFailClosed(site);
        var frozen = Waiting.start();
        try {
            Site.MEMBERS.forEach(member -> site.container(member).pause());
            Duration empty = frozen.until(
                    "no slot has a member",
                    Duration.ofSeconds(8),
                    () -> Site.NODES.stream()
                            .filter(node -> !empty(site.dump(node)))
                            .findFirst());
            for (SitePool pool : SitePool.values()) {
                Traffic traffic = site.traffic(pool, "--count", "20", "--timeout", "1.5");
                assertEquals(0, traffic.answered(), pool + ": " + traffic);
            }
            long grown = failClosed(site) - before;
            assertTrue(grown >= 40, "the switches counted " + grown);
            Waiting.start().until("the API reports the fail-closed packets", Duration.ofSeconds(5), () -> {
                long reported = reportedFailClosed(site) - reportedBefore;
                return reported >= 40 ? Optional.empty() : Optional.of("reported " + reported);
            });
            Figures.say(
                    "all members frozen: empty tables after %s, 2 x 20 connections lost, %d packets fail-closed",
                    Figures.millis(empty), grown);
        } finally {
            Site.MEMBERS.forEach(member -> site.container(member).unpause());
        }
        Duration back = site.awaitConverged(Site.ALL, Duration.ofSeconds(10));
        Figures.say("all members thawed: everything back after %s", Figures.millis(back));
        for (SitePool pool : SitePool.values()) {
            assertEquals(50, site.traffic(pool, "--count", "50").answered(), pool.poolName());
        }
    }

    private static boolean empty(SwitchDump dump) {
        return Stream.of(SitePool.values()).allMatch(pool -> dump.owners(pool).isEmpty());
    }

    private static long failClosed(Site site) {
        return Site.NODES.stream()
                .flatMap(node -> site.dump(node).flows().stream())
                .filter(flow -> flow.kind() == FAIL_CLOSE_KIND)
                .mapToLong(SwitchDump.Line::packets)
                .sum();
    }

    private static long reportedFailClosed(Site site) {
        return Site.NODES.stream()
                .mapToLong(node -> site.api(node).report().getDatapath().getFailClosedPackets())
                .sum();
    }
}
