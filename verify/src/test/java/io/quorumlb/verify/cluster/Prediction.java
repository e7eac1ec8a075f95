package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.verify.cluster.HeldConnections.Round;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What must become of each of 1000 connections when a pool's table changes because one member goes or comes: told from
 * the two tables and the switch's hash alone.
 *
 * <p>Nothing remembers a connection: if its slot passes to another member, that one resets it. So exactly the
 * connections of slots that move break.
 */
final class Prediction {
    /** How many connections, from as many source ports. */
    static final int CONNECTIONS = 1000;

    private static final String CLIENT = "10.40.0.10";

    private final SitePool pool;
    private final int firstPort;
    private final SortedMap<Integer, String> before = new TreeMap<>();
    private final SortedMap<Integer, String> kept = new TreeMap<>();
    private final SortedSet<Integer> forced = new TreeSet<>();
    private final SortedSet<Integer> collateral = new TreeSet<>();

    private Prediction(SitePool pool, int firstPort, SlotTable from, SlotTable to, String member) {
        this.pool = pool;
        this.firstPort = firstPort;
        for (int port = firstPort; port < firstPort + CONNECTIONS; port++) {
            int slot = SlotPrediction.slot(pool, CLIENT, port);
            String owner = pool.memberName(from.owner(slot));
            String next = pool.memberName(to.owner(slot));
            before.put(port, owner);
            if (owner.equals(next)) {
                kept.put(port, owner);
            } else if (owner.equals(member) || next.equals(member)) {
                forced.add(port);
            } else {
                collateral.add(port);
            }
        }
    }

    /** Predicts for connections that are open while the member goes. */
    static Prediction ofLoss(SitePool pool, int firstPort, String member) {
        return new Prediction(
                pool, firstPort, pool.tableWithout(List.of()), pool.tableWithout(List.of(member)), member);
    }

    /** Predicts for connections that were opened without the member and are open while it comes back. */
    static Prediction ofReturn(SitePool pool, int firstPort, String member) {
        return new Prediction(
                pool, firstPort, pool.tableWithout(List.of(member)), pool.tableWithout(List.of()), member);
    }

    /** Opens the connections. */
    HeldConnections open() {
        return HeldConnections.open(pool, firstPort, firstPort + CONNECTIONS - 1);
    }

    /** Returns who must answer at first, by source port. */
    SortedMap<Integer, String> before() {
        return before;
    }

    /** Returns who must go on answering, by source port. */
    SortedMap<Integer, String> kept() {
        return kept;
    }

    /** Returns the source ports whose connections must break with the change although it leaves their member alone. */
    SortedSet<Integer> collateral() {
        return collateral;
    }

    /** Returns what was not foretold of what became of the connections in a round; empty if all was. */
    List<String> complaints(Round round) {
        SortedSet<Integer> moved = new TreeSet<>(forced);
        moved.addAll(collateral);
        SortedSet<Integer> broken = new TreeSet<>(round.broken().keySet());
        SortedSet<Integer> survived = new TreeSet<>(moved);
        survived.removeAll(broken);
        broken.removeAll(moved);
        SortedMap<Integer, String> elsewhere = new TreeMap<>(round.members());
        elsewhere.entrySet().removeAll(kept.entrySet());
        return List.of(
                        "survived, must break: " + survived,
                        "broke, must survive: " + broken,
                        "answered by another member: " + elsewhere)
                .stream()
                .filter(complaint -> !complaint.endsWith("[]") && !complaint.endsWith("{}"))
                .toList();
    }

    /** Returns pool, version, and how many connections moved. */
    @Override
    public String toString() {
        return "%s (version %d): %d forced and %d collateral moves predicted and seen, %d stayed"
                .formatted(pool.poolName(), pool.version().number(), forced.size(), collateral.size(), kept.size());
    }
}
