package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Members that fail, return, are drained and weighed. */
@ClusterTest
@Order(2)
final class MembersIT {
    /** fall 3 x interval 1 s + timeout 0.5 s + 0.5 s. */
    private static final Duration DETECTION = Duration.ofSeconds(4);

    private static final Duration WRITE = Duration.ofSeconds(5);
    private static final Tables WEIGHTS_3111 = Site.ALL.withWeb("10da32ec0424f2ae");

    @Test
    void aFrozenMemberLosesItsSlotsInBothPoolsAndEightOthersMoveUnderVersion1(Site site) {
        SwitchDump before = site.dump("n1");
        var since = Waiting.start();
        try {
            site.container("be1").pause();
            Duration detection = site.awaitInstalled(since, Site.NODES, Site.WITHOUT_BE1, DETECTION);
            SwitchDump after = site.dump("n1");
            int collateral = SwitchDump.collateral(SitePool.WEB, before, after, "be1");
            int collateral2 = SwitchDump.collateral(SitePool.WEB2, before, after, "be1");
            Figures.say(
                    "frozen be1: out of all three switches and both pools after %s, collateral slots: %d in web, %d in web2",
                    Figures.millis(detection), collateral, collateral2);
            assertEquals(8, collateral);
            assertEquals(0, collateral2);
            for (SitePool pool : SitePool.values()) {
                assertEquals(Map.of("be2", 341, "be3", 342, "be4", 341), after.shares(pool), pool.poolName());
                Traffic traffic = site.traffic(pool, "--count", "100");
                assertEquals(100, traffic.answered(), traffic.toString());
                assertFalse(traffic.members().containsKey("be1"), traffic.toString());
            }
        } finally {
            site.container("be1").unpause();
        }
        Duration back = site.awaitConverged(Site.ALL, Duration.ofSeconds(5));
        Figures.say("thawed be1: back in all three switches after %s", Figures.millis(back));
    }

    @Test
    void aMemberDrainedInOnePoolTakesConnectionsOfTheOtherOnly(Site site) {
        try {
            var since = Waiting.start();
            long revision = site.api("n2").drain("be1");
            WaitForGenerationResponse proof = site.api("n2").waitFor(revision, WRITE);
            Duration proven = since.elapsed();
            assertTrue(proof.getProven(), proof.toString());
            assertEquals(Site.NODES, proof.getProvenByList());
            Duration seen = site.awaitInstalled(since, Site.NODES, Site.WEB_WITHOUT_BE1, WRITE);
            Figures.say(
                    "drained be1: proven after %s, seen by all after %s", Figures.millis(proven), Figures.millis(seen));
            Traffic traffic = site.traffic("--count", "100");
            assertEquals(100, traffic.answered(), traffic.toString());
            assertFalse(traffic.members().containsKey("be1"), traffic.toString());
            Traffic other = site.traffic(SitePool.WEB2, "--count", "100");
            assertEquals(100, other.answered(), other.toString());
            assertTrue(other.members().containsKey("be1"), other.toString());
        } finally {
            site.api("n3").enable("be1");
        }
        site.awaitConverged(Site.ALL, WRITE);
    }

    @Test
    void weightsSetTheShares(Site site) {
        try {
            long revision = site.api("n1").weigh("be1", 3);
            WaitForGenerationResponse proof = site.api("n1").waitFor(revision, WRITE);
            assertTrue(proof.getProven(), proof.toString());
            site.awaitInstalled(Waiting.start(), Site.NODES, WEIGHTS_3111, WRITE);
            assertEquals(
                    Map.of("be1", 513, "be2", 170, "be3", 171, "be4", 170),
                    site.dump("n3").shares(SitePool.WEB));
        } finally {
            site.api("n1").weigh("be1", 1);
        }
        site.awaitConverged(Site.ALL, WRITE);
        Figures.say("weights 3,1,1,1: %s on all three switches, and back", WEIGHTS_3111.web());
    }
}
