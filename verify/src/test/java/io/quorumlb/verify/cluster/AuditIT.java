package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.SwitchReport;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Somebody else writes into a switch. */
@ClusterTest
@Order(5)
final class AuditIT {
    private static final String NODE = "n2";
    private static final String FOUGHT_OVER = "n3";
    private static final int SLOT = 77;
    private static final String SLOT_MATCH = "table=11,priority=100,reg0=1,reg1=" + SLOT;
    private static final Duration REPAIR = Duration.ofSeconds(5);

    @Test
    void aDeletedSlotFlowIsRestoredAndCounted(Site site) {
        long repaired = report(site).getRepairedFlows();
        awaitReadBack(site);
        var since = Waiting.start();
        ofctl(site, "--strict", "del-flows", "br-lb", SLOT_MATCH);
        // The monitor tells at once: a look at the switch now may come after the repair.
        Duration took = awaitRepair(site, since, repaired);
        assertEquals(1024, site.dump(NODE).owners(SitePool.WEB).size());
        Figures.say("deleted slot flow: repaired and reported after %s", Figures.millis(took));
    }

    @Test
    void anAlteredSlotFlowIsRestoredAndCounted(Site site) {
        long repaired = report(site).getRepairedFlows();
        int owner = owner(site);
        int other = owner % 4 + 1;
        awaitReadBack(site);
        var since = Waiting.start();
        ofctl(
                site,
                "--strict",
                "mod-flows",
                "br-lb",
                SLOT_MATCH + ",actions=set_field:" + other + "->reg2,goto_table:13");
        // The monitor tells at once: a look at the switch now may come after the repair.
        Duration took = awaitRepair(site, since, repaired);
        assertEquals(owner, owner(site));
        Figures.say("altered slot flow: repaired and reported after %s", Figures.millis(took));
    }

    @Test
    void aFlowAddedInOurNameIsRemovedAndCounted(Site site) {
        long repaired = report(site).getRepairedFlows();
        var since = Waiting.start();
        ofctl(
                site,
                "add-flow",
                "br-lb",
                "cookie=0x5155020001000fff,table=11,priority=200,reg0=1,actions=set_field:1->reg2,goto_table:13");
        Duration took = awaitRepair(site, since, repaired);
        Figures.say("flow added in our name: removed and reported after %s", Figures.millis(took));
        assertEquals(
                0,
                site.dump(NODE).flows().stream()
                        .filter(flow -> flow.match().startsWith("priority=200,reg0=0x1"))
                        .count());
    }

    @Test
    void whoFightsUsIsNamed(Site site) {
        String altered = SLOT_MATCH + ",actions=drop";
        // On another node than the other tests: repairs are slowed down there for a minute afterwards.
        site.container(FOUGHT_OVER)
                .shell("(for i in {1..40}; do ovs-ofctl -O OpenFlow15 --strict mod-flows br-lb '%s'; sleep 0.2; done) "
                                .formatted(altered)
                        + "> /dev/null 2>&1 &");
        var since = Waiting.start();
        Duration named = since.until("the fight is reported", Duration.ofSeconds(10), () -> {
            NodeReport report = site.api(FOUGHT_OVER).report();
            boolean so = report.getDatapath().getContested()
                    && report.getProblemsList().stream()
                            .anyMatch(problem -> problem.contains("somebody keeps changing our flows"));
            return so ? Optional.empty() : Optional.of(report.getDatapath().toString());
        });
        SwitchReport during = site.api(FOUGHT_OVER).report().getDatapath();
        Duration over = since.until(
                "its end",
                Duration.ofSeconds(40),
                () -> site.installed(FOUGHT_OVER, Site.ALL)
                        .or(() -> since.elapsed().compareTo(Duration.ofSeconds(12)) < 0
                                ? Optional.of("it may still go on")
                                : Optional.empty()));
        site.awaitConverged(Site.ALL, Site.RECOVERY);
        long repairs = site.api(FOUGHT_OVER).report().getDatapath().getRepairedAltered();
        Figures.say(
                "a flow altered 40 times, every 0.2 s: named after %s and %d repairs, %d repairs in all, converged after %s",
                Figures.millis(named), during.getRepairedAltered(), repairs, Figures.millis(over));
        assertTrue(repairs <= 20, "repairs " + repairs);
    }

    @Test
    void aForeignFlowIsReportedAndLeftAlone(Site site) {
        String foreign = "table=11,priority=7,reg0=9";
        long repaired = report(site).getRepairedFlows();
        try {
            var since = Waiting.start();
            ofctl(site, "add-flow", "br-lb", "cookie=0xdeadbeef," + foreign + ",actions=drop");
            Duration took = since.until("the foreign flow is reported", REPAIR, () -> {
                var node = site.api(NODE).report();
                boolean so = node.getDatapath().getForeignFlows() == 1
                        && node.getProblemsList().stream().anyMatch(problem -> problem.contains("flows of others"));
                return so
                        ? Optional.empty()
                        : Optional.of(node.getProblemsList().toString());
            });
            awaitReadBack(site);
            awaitReadBack(site);
            assertTrue(foreignIn(site), "the foreign flow is gone");
            assertEquals(repaired, report(site).getRepairedFlows());
            assertEquals(Optional.empty(), site.installed(NODE, Site.ALL));
            Figures.say("foreign flow: reported after %s, untouched", Figures.millis(took));
        } finally {
            ofctl(site, "--strict", "del-flows", "br-lb", foreign);
        }
        Waiting.start()
                .until(
                        "the report forgets it",
                        REPAIR,
                        () -> report(site).getForeignFlows() == 0 ? Optional.empty() : Optional.of("still reported"));
    }

    private static Duration awaitRepair(Site site, Waiting since, long repairedBefore) {
        since.until("the switch is repaired", REPAIR, () -> {
            Tables tables = site.dump(NODE).tables();
            return tables.equals(Site.ALL) ? Optional.empty() : Optional.of("it holds " + tables);
        });
        Duration took = since.until("the repair is counted", REPAIR, () -> {
            long repaired = report(site).getRepairedFlows() - repairedBefore;
            return repaired == 1 ? Optional.empty() : Optional.of("counted " + repaired);
        });
        since.until("the node is converged again", REPAIR, () -> site.installed(NODE, Site.ALL));
        return took;
    }

    /** Waits until the node has read its switch once more: the next audit is then a while away. */
    private static void awaitReadBack(Site site) {
        var since = Waiting.start();
        var age = new AtomicLong();
        since.until("the switch is read once more", REPAIR, () -> {
            long now = report(site).getReadBackAgeMillis();
            return now < age.getAndSet(now) ? Optional.empty() : Optional.of("last read %d ms ago".formatted(now));
        });
    }

    private static boolean foreignIn(Site site) {
        return site.dump(NODE).flows().stream().anyMatch(flow -> flow.cookie() == 0xdeadbeefL);
    }

    private static int owner(Site site) {
        return Optional.ofNullable(site.dump(NODE).owners(SitePool.WEB).get(SLOT))
                .orElse(0);
    }

    private static SwitchReport report(Site site) {
        return site.api(NODE).report().getDatapath();
    }

    private static void ofctl(Site site, String... arguments) {
        String[] command = new String[arguments.length + 3];
        command[0] = "ovs-ofctl";
        command[1] = "-O";
        command[2] = "OpenFlow15";
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        site.container(NODE).run(command);
    }
}
