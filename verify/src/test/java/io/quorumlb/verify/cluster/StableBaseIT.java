package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlb.verify.cluster.HeldConnections.Round;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Whose connections break when a member fails and when it comes back, under version 1 and version 2 of the slot table,
 * on real traffic: each of a thousand to each VIP is compared with its prediction.
 */
@ClusterTest
@Order(8)
final class StableBaseIT {
    private static final String MEMBER = "be1";
    private static final int PORTS_OF_LOSS = 22_000;
    private static final int PORTS_OF_RETURN = 23_000;
    private static final String RESET = "Connection reset by peer";
    private static final Duration DETECTION = Duration.ofSeconds(6);
    private static final Duration RETURN = Duration.ofSeconds(10);

    @Test
    void thePredictedTablesAreTheOnesOfTheSite() {
        assertEquals(Site.ALL, Tables.of(pool -> digest(pool, List.of())));
        assertEquals(Site.WITHOUT_BE1, Tables.of(pool -> digest(pool, List.of(MEMBER))));
    }

    private static String digest(SitePool pool, List<String> gone) {
        return pool.tableWithout(gone).digest().hex();
    }

    @Test
    void aFailingMemberBreaksItsOwnConnectionsAndOnlyUnderVersion1OthersToo(Site site) {
        var web = Prediction.ofLoss(SitePool.WEB, PORTS_OF_LOSS, MEMBER);
        var web2 = Prediction.ofLoss(SitePool.WEB2, PORTS_OF_LOSS, MEMBER);
        assertVersionsDiffer(web, web2);
        try (HeldConnections toWeb = web.open();
                HeldConnections toWeb2 = web2.open()) {
            assertAllAnswer(web.before(), toWeb.opened());
            assertAllAnswer(web2.before(), toWeb2.opened());
            Duration detection;
            try {
                detection = freeze(site);
                assertCameTrue(web, toWeb.ask());
                assertCameTrue(web2, toWeb2.ask());
            } finally {
                site.container(MEMBER).unpause();
            }
            // The tables of before are back, as all three switches prove: nobody who stayed is touched.
            site.awaitConverged(Site.ALL, RETURN);
            assertAllAnswer(web.kept(), toWeb.ask());
            assertAllAnswer(web2.kept(), toWeb2.ask());
            Figures.say(
                    "%s frozen under %d connections to each VIP, out of both pools after %s: %s; %s",
                    MEMBER, Prediction.CONNECTIONS, Figures.millis(detection), web, web2);
        }
    }

    @Test
    void aReturningMemberTakesBackItsOwnSlotsAndOnlyUnderVersion1OthersMoveToo(Site site) {
        var web = Prediction.ofReturn(SitePool.WEB, PORTS_OF_RETURN, MEMBER);
        var web2 = Prediction.ofReturn(SitePool.WEB2, PORTS_OF_RETURN, MEMBER);
        assertVersionsDiffer(web, web2);
        try {
            freeze(site);
            try (HeldConnections toWeb = web.open();
                    HeldConnections toWeb2 = web2.open()) {
                assertAllAnswer(web.before(), toWeb.opened());
                assertAllAnswer(web2.before(), toWeb2.opened());
                site.container(MEMBER).unpause();
                Duration back = site.awaitConverged(Site.ALL, RETURN);
                assertCameTrue(web, toWeb.ask());
                assertCameTrue(web2, toWeb2.ask());
                Figures.say(
                        "%s back under %d connections to each VIP, in both pools after %s: %s; %s",
                        MEMBER, Prediction.CONNECTIONS, Figures.millis(back), web, web2);
            }
        } finally {
            site.container(MEMBER).unpause();
        }
    }

    /** Freezes the member and returns how long it took until all switches are without it. */
    private static Duration freeze(Site site) {
        var since = Waiting.start();
        site.container(MEMBER).pause();
        return site.awaitInstalled(since, Site.NODES, Site.WITHOUT_BE1, DETECTION);
    }

    /** Without a move under version 1 the comparison would prove nothing. */
    private static void assertVersionsDiffer(Prediction web, Prediction web2) {
        assertFalse(web.collateral().isEmpty(), web.toString());
        assertEquals(new TreeSet<>(), web2.collateral(), web2.toString());
    }

    private static void assertAllAnswer(SortedMap<Integer, String> members, Round round) {
        assertEquals(new TreeMap<>(), round.broken());
        assertEquals(members, round.members());
    }

    private static void assertCameTrue(Prediction prediction, Round round) {
        assertEquals(List.of(), prediction.complaints(round), prediction.toString());
        assertEquals(Set.of(RESET), Set.copyOf(round.broken().values()), prediction.toString());
    }
}
