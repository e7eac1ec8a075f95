package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.SwitchReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A switch that restarts, and a controller that starts where nobody leads. */
@ClusterTest
@Order(5)
final class SwitchIT {
    private static final Duration BACK = Duration.ofSeconds(20);
    /** The supervisor waits ten seconds for a confirmation. */
    private static final Duration LAPSED = Duration.ofSeconds(15);
    /** A minute and more by {@code -Dquorumlb.leaderless=60}. */
    private static final Duration LEADERLESS = Duration.ofSeconds(Integer.getInteger("quorumlb.leaderless", 6));

    @Test
    void aRestartedSwitchIsFilledAgainAndTheNodeSaysHowLongItTook(Site site) {
        String node = Site.others(site.leader()).getFirst();
        Container container = site.container(node);
        SwitchReport before = site.api(node).report().getDatapath();
        assertTrue(before.getVersion().startsWith("3."), before.toString());
        assertEquals("netdev", before.getDatapathType());
        var since = Waiting.start();
        container.shell("kill -9 $(cat /run/quorumlb/ovs-vswitchd.pid)");
        since.until("the restart is counted", BACK, () -> {
            SwitchReport now = site.api(node).report().getDatapath();
            boolean so = now.getRestarts() == before.getRestarts() + 1 && now.getLastOutageMillis() > 0;
            return so ? Optional.empty() : Optional.of(now.toString());
        });
        Duration proven = since.until("its tables are proven", BACK, () -> site.installed(node, Site.ALL));
        SwitchReport after = site.api(node).report().getDatapath();
        Figures.say(
                "killed ovs-vswitchd of %s: proven again after %s; the node says %d ms from gone to proven",
                node, Figures.millis(proven), after.getLastOutageMillis());
        assertEquals(before.getRepairedFlows(), after.getRepairedFlows(), "a restart is no repair");
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    @Test
    void aControllerThatStartsWhereNobodyLeadsChangesNothingAndStaysInTraffic(Site site) {
        String node = Site.others(site.leader()).getFirst();
        List<String> others = Site.others(node);
        Container container = site.container(node);
        String old = pid(container);
        var traffic = site.trafficMeanwhile(
                "--rate",
                "200",
                "--seconds",
                Long.toString(LEADERLESS.plusSeconds(8).toSeconds()),
                "--timeout",
                "10");
        others.forEach(other -> signal(site, other, "STOP"));
        var since = Waiting.start();
        try {
            since.until(
                    "no leader",
                    BACK,
                    () -> site.api(node).report().getLeader().isEmpty()
                            ? Optional.empty()
                            : Optional.of("leader " + site.api(node).report().getLeader()));
            container.run("kill", "-9", old);
            since.until("a new controller", BACK, () -> {
                String now = pid(container);
                return now.equals(old) || now.isEmpty() ? Optional.of("pid " + now) : Optional.empty();
            });
            since.always("it forwards", LEADERLESS, Optional::empty);
        } finally {
            others.forEach(other -> signal(site, other, "CONT"));
        }
        Duration leaderless = since.elapsed();
        site.awaitConverged(Site.ALL, Site.RECOVERY);
        Traffic seen = traffic.join();
        NodeReport report = site.api(node).report();
        Figures.say(
                "controller of %s killed without a leader (%s): %d flow-mods, %s",
                node, Figures.millis(leaderless), report.getDatapath().getFlowModsSent(), seen);
        assertEquals(0, report.getDatapath().getFlowModsSent(), report.toString());
        assertEquals(0, seen.lost(), seen.toString());
    }

    @Test
    void aControllerThatStartsTooLateWhereNobodyLeadsBringsTheRoutesBack(Site site) {
        String node = Site.others(site.leader()).getFirst();
        Site.NODES.forEach(each -> signal(site, each, "STOP"));
        Duration back;
        try {
            Waiting.start().until("no routes are left", LAPSED, () -> hops(site, new TreeSet<>()));
            signal(site, node, "KILL");
            back = Waiting.start().until("routes of " + node, BACK, () -> hops(site, new TreeSet<>(Set.of(node))));
        } finally {
            Site.others(node).forEach(other -> signal(site, other, "CONT"));
        }
        Figures.say(
                "all controllers were frozen until no routes were left: those of %s are back %s after its restart",
                node, Figures.millis(back));
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    private static void signal(Site site, String node, String signal) {
        site.container(node).shell("kill -%s $(cat /run/quorumlb/controller.pid)".formatted(signal));
    }

    private static Optional<String> hops(Site site, SortedSet<String> wanted) {
        var hops = site.router().hops();
        return hops.values().stream().allMatch(wanted::equals) ? Optional.empty() : Optional.of(hops.toString());
    }

    private static String pid(Container container) {
        return container.run("cat", "/run/quorumlb/controller.pid").strip();
    }
}
