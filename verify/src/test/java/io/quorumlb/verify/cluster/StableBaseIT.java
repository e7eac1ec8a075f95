package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.verify.cluster.HeldConnections.Round;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Whose connections break when a member fails, under version 1 and version 2 of the slot table, on real traffic.
 *
 * <p>Nothing remembers a connection: if its slot passes to another member, that one resets it. So exactly the connections
 * of moved slots break, and which these are can be told beforehand from the two tables and the switch's hash.
 */
@ClusterTest
@Order(8)
final class StableBaseIT {
    private static final String CLIENT = "10.40.0.10";
    private static final int FIRST_PORT = 22_000;
    private static final int LAST_PORT = 22_999;
    private static final int CONNECTIONS = LAST_PORT - FIRST_PORT + 1;
    private static final String GONE = "be1";
    private static final Duration DETECTION = Duration.ofSeconds(6);
    private static final Duration RETURN = Duration.ofSeconds(10);

    @Test
    void aFrozenMemberBreaksOnlyItsOwnConnectionsUnderVersion2AndThePredictedOthersUnderVersion1(Site site) {
        var web = new Prediction(SitePool.WEB);
        var web2 = new Prediction(SitePool.WEB2);
        assertFalse(web.collateral().isEmpty(), "version 1 is to show that others move");
        assertEquals(new TreeSet<>(), web2.collateral());
        try (HeldConnections toWeb = HeldConnections.open(SitePool.WEB, FIRST_PORT, LAST_PORT);
                HeldConnections toWeb2 = HeldConnections.open(SitePool.WEB2, FIRST_PORT, LAST_PORT)) {
            assertKept(web.before(), toWeb.opened());
            assertKept(web2.before(), toWeb2.opened());
            Duration detection;
            try {
                var since = Waiting.start();
                site.container(GONE).pause();
                detection = site.awaitInstalled(since, Site.NODES, Site.WITHOUT_BE1, DETECTION);
                web.assertCameTrue(toWeb.ask());
                web2.assertCameTrue(toWeb2.ask());
            } finally {
                site.container(GONE).unpause();
            }
            // Also proves that the tables are those from before, by all three switches.
            site.awaitConverged(Site.ALL, RETURN);
            assertKept(web.kept(), toWeb.ask());
            assertKept(web2.kept(), toWeb2.ask());
            Figures.say(
                    "%d connections to each VIP, %s frozen and out of both pools after %s: %s; %s; none more when it came back",
                    CONNECTIONS, GONE, Figures.millis(detection), web, web2);
        }
    }

    private static void assertKept(SortedMap<Integer, String> members, Round round) {
        assertEquals(new TreeMap<>(), round.broken());
        assertEquals(members, round.members());
    }

    /** What must become of each connection when the member goes, told from the recipe alone. */
    private static final class Prediction {
        private final SitePool pool;
        private final SortedMap<Integer, String> before = new TreeMap<>();
        private final SortedMap<Integer, String> kept = new TreeMap<>();
        private final SortedSet<Integer> forced = new TreeSet<>();
        private final SortedSet<Integer> collateral = new TreeSet<>();

        Prediction(SitePool pool) {
            this.pool = pool;
            SlotTable whole = table(List.of(), Site.ALL);
            SlotTable later = table(List.of(GONE), Site.WITHOUT_BE1);
            for (int port = FIRST_PORT; port <= LAST_PORT; port++) {
                int slot = SlotPrediction.slot(pool, CLIENT, port);
                String owner = pool.memberName(whole.owner(slot));
                before.put(port, owner);
                if (owner.equals(GONE)) {
                    forced.add(port);
                } else if (whole.owner(slot) != later.owner(slot)) {
                    collateral.add(port);
                } else {
                    kept.put(port, owner);
                }
            }
        }

        private SlotTable table(List<String> gone, Tables tables) {
            SlotTable table = pool.tableWithout(gone);
            assertEquals(tables.of(pool), table.digest().shortHex(), pool.poolName());
            return table;
        }

        SortedMap<Integer, String> before() {
            return before;
        }

        SortedMap<Integer, String> kept() {
            return kept;
        }

        SortedSet<Integer> collateral() {
            return collateral;
        }

        /** Each connection, one by one: broken as foretold, or answered by the member that it was opened with. */
        void assertCameTrue(Round round) {
            SortedSet<Integer> moved = new TreeSet<>(forced);
            moved.addAll(collateral);
            assertEquals(moved, new TreeSet<>(round.broken().keySet()), () -> pool + ": " + round.broken());
            assertEquals(kept, round.members(), pool.poolName());
            SortedSet<String> reasons = new TreeSet<>(round.broken().values());
            assertEquals(List.of("Connection reset by peer"), List.copyOf(reasons), pool.poolName());
        }

        @Override
        public String toString() {
            return "%s (version %d) %d of %s's own moved, %d of the other %d moved, all as predicted"
                    .formatted(
                            pool.poolName(),
                            pool.version().number(),
                            forced.size(),
                            GONE,
                            collateral.size(),
                            collateral.size() + kept.size());
        }
    }
}
