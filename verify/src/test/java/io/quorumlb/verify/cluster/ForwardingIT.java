package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.verify.cluster.Router.Frame;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
            assertEquals(Site.ALL, dump.digest(), node);
            assertEquals(Map.of(1, 256, 2, 256, 3, 256, 4, 256), dump.shares(), node);
        }
        Traffic traffic = site.traffic("--source-ports", PORTS);
        Figures.say("200 connections: %s", traffic);
        assertEquals(200, traffic.answered(), traffic.toString());
        double share = 256 / 1024.0;
        double sigma = Math.sqrt(200 * share * (1 - share));
        for (String member : Site.MEMBERS) {
            int count = traffic.members().getOrDefault(member, 0);
            assertTrue(Math.abs(count - 200 * share) <= 3 * sigma, member + " answered " + count);
        }
    }

    @Test
    void everyNodeSendsTheSameConnectionToTheSameMember(Site site) {
        List<SortedMap<Integer, String>> answers = new ArrayList<>();
        try {
            for (String node : Site.NODES) {
                site.router().pin(node);
                Traffic traffic = site.traffic("--source-ports", PORTS);
                assertEquals(200, traffic.answered(), node + ": " + traffic);
                answers.add(traffic.memberByPort());
            }
        } finally {
            site.router().unpin();
        }
        assertEquals(200, answers.getFirst().size());
        assertEquals(answers.get(0), answers.get(1), "n1 and n2");
        assertEquals(answers.get(0), answers.get(2), "n1 and n3");
        Figures.say("200 five-tuples through each of three nodes: the same 200 members");
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
        Pattern request =
                Pattern.compile("10\\.40\\.0\\.10\\.(\\d+) > " + Pattern.quote(Router.VIP) + "\\.80: Flags \\[S\\]");
        Pattern reply =
                Pattern.compile(Pattern.quote(Router.VIP) + "\\.80 > 10\\.40\\.0\\.10\\.(\\d+): Flags \\[S\\.\\]");
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
                            .filter(node -> !site.dump(node).owners().isEmpty())
                            .findFirst());
            Traffic traffic = site.traffic("--count", "20", "--timeout", "1.5");
            assertEquals(0, traffic.answered(), traffic.toString());
            long grown = failClosed(site) - before;
            assertTrue(grown >= 20, "the switches counted " + grown);
            Waiting.start().until("the API reports the fail-closed packets", Duration.ofSeconds(5), () -> {
                long reported = reportedFailClosed(site) - reportedBefore;
                return reported >= 20 ? Optional.empty() : Optional.of("reported " + reported);
            });
            Figures.say(
                    "all members frozen: empty tables after %s, 20 connections lost, %d packets fail-closed",
                    Figures.millis(empty), grown);
        } finally {
            Site.MEMBERS.forEach(member -> site.container(member).unpause());
        }
        Duration back = site.awaitConverged(Site.ALL, Duration.ofSeconds(10));
        Figures.say("all members thawed: everything back after %s", Figures.millis(back));
        assertEquals(50, site.traffic("--count", "50").answered());
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
