package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.RaftRole;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A cluster that goes on without its leader, and with a cut link. */
@ClusterTest
@Order(3)
final class LeaderIT {
    private static final Duration ROUTE_GONE = Duration.ofSeconds(2);
    private static final Duration OTHER_LEADER = Duration.ofSeconds(4);
    private static final Duration WRITE = Duration.ofSeconds(6);
    private static final int PEER_PORT = 7402;

    @Test
    void aFrozenLeaderIsReplacedAndCatchesUp(Site site) {
        String leader = site.leader();
        List<String> others = Site.others(leader);
        NodeApi witness = site.api(others.getFirst());
        CompletableFuture<Traffic> traffic = site.trafficMeanwhile("--rate", "50", "--seconds", "8", "--timeout", "6");
        try {
            var since = Waiting.start();
            site.container(leader).pause();
            Duration gone = since.until("route of " + leader + " gone", ROUTE_GONE, () -> {
                var hops = site.router().hops();
                boolean left = hops.values().stream().anyMatch(nodes -> nodes.contains(leader));
                return left ? Optional.of("routes to " + hops) : Optional.empty();
            });
            Duration elected = since.until("another leader", OTHER_LEADER, () -> {
                String now = witness.leader();
                return now.isEmpty() || now.equals(leader) ? Optional.of("leader is '" + now + "'") : Optional.empty();
            });
            long revision = witness.drain("be2");
            Duration written = since.elapsed();
            WaitForGenerationResponse proof = witness.waitFor(revision, WRITE);
            Duration proven = since.elapsed();
            assertTrue(proof.getProven(), proof.toString());
            assertEquals(others, proof.getProvenByList());
            site.awaitInstalled(Waiting.start(), others, Site.WEB_WITHOUT_BE2, WRITE);
            assertEquals(Site.ALL, frozenTables(proof, leader, site), "the frozen node cannot have changed");
            Figures.say(
                    "frozen leader %s: route gone after %s, another leads after %s, drain committed after %s, proven by %s after %s",
                    leader,
                    Figures.millis(gone),
                    Figures.millis(elected),
                    Figures.millis(written),
                    proof.getProvenByList(),
                    Figures.millis(proven));
            Figures.say("frozen leader: traffic at 50/s for 8 s: %s", traffic.join());
        } finally {
            site.container(leader).unpause();
        }
        var thawed = Waiting.start();
        Duration caughtUp = site.awaitInstalled(thawed, List.of(leader), Site.WEB_WITHOUT_BE2, Duration.ofSeconds(10));
        Figures.say("thawed leader: caught up after %s", Figures.millis(caughtUp));
        site.awaitConverged(Site.WEB_WITHOUT_BE2, Duration.ofSeconds(20));
        Figures.say("thawed leader: announced again after %s", Figures.millis(thawed.elapsed()));
        assertNotEquals("", site.leader());
        site.api(leader).enable("be2");
        site.awaitConverged(Site.ALL, WRITE);
    }

    /** The last that the others have heard of the frozen node. */
    private static Tables frozenTables(WaitForGenerationResponse proof, String frozen, Site site) {
        String witness = proof.getProvenBy(0);
        return Tables.installed(NodeApi.reportOf(site.api(witness).status(), frozen));
    }

    @Test
    void aCutLinkBetweenTheLeaderAndAnotherIsRelayedByTheThirdNode(Site site) {
        String leader = site.leader();
        String other = Site.others(leader).getFirst();
        String third = Site.others(leader).getLast();
        Container cutAt = site.container(leader);
        long term = site.api(leader).report().getTerm();
        try {
            cut(cutAt, site.api(other).address());
            var oldest = new AtomicReference<>(Duration.ZERO);
            Waiting.start()
                    .always(
                            leader + " and " + other + " hear of each other",
                            Duration.ofSeconds(8),
                            () -> Stream.of(stale(site, leader, other, oldest), stale(site, other, leader, oldest))
                                    .flatMap(Optional::stream)
                                    .findFirst());
            var since = Waiting.start();
            long revision = site.api(third).drain("be2");
            WaitForGenerationResponse proof = site.api(other).waitFor(revision, WRITE);
            assertTrue(proof.getProven(), proof.toString());
            assertEquals(Site.NODES, proof.getProvenByList());
            Figures.say(
                    "link %s-%s cut: oldest record of each other %d ms, a drain is proven to %s by all after %s",
                    leader, other, oldest.get().toMillis(), other, Figures.millis(since.elapsed()));
            Status refused = assertThrows(
                            StatusRuntimeException.class, () -> site.api(other).enable("be2"))
                    .getStatus();
            assertEquals(Status.Code.UNAVAILABLE, refused.getCode(), refused.toString());
            assertTrue(String.valueOf(refused.getDescription()).contains("leader " + leader), refused.toString());
            assertEquals(term, site.api(leader).report().getTerm(), "no election");
        } finally {
            cutAt.exec("nft", "delete", "table", "ip", "quorumlb_cut");
            site.api(third).enable("be2");
        }
        site.awaitConverged(Site.ALL, WRITE);
    }

    /** Drops what passes between the node's peer port and another node, both ways; Raft and the API stay connected. */
    private static void cut(Container node, String other) {
        node.shell("""
                nft -f - <<'RULES'
                table ip quorumlb_cut {
                  chain in { type filter hook input priority 0; ip saddr %1$s tcp dport %2$d drop; ip saddr %1$s tcp sport %2$d drop; }
                  chain out { type filter hook output priority 0; ip daddr %1$s tcp dport %2$d drop; ip daddr %1$s tcp sport %2$d drop; }
                }
                RULES""".formatted(other, PEER_PORT));
        assertNotEquals(
                0,
                node.exec("timeout", "1", "bash", "-c", "</dev/tcp/%s/%d".formatted(other, PEER_PORT))
                        .status());
    }

    private static Optional<String> stale(Site site, String at, String of, AtomicReference<Duration> oldest) {
        NodeStatus status = NodeApi.statusOf(site.api(at).status(), of);
        Duration age = Duration.ofMillis(status.getAgeMillis());
        oldest.accumulateAndGet(age, (known, seen) -> seen.compareTo(known) > 0 ? seen : known);
        boolean fresh = status.getReachable() && age.toMillis() <= 3000;
        return fresh ? Optional.empty() : Optional.of("%s has heard of %s %d ms ago".formatted(at, of, age.toMillis()));
    }

    @Test
    void exactlyOneNodeLeads(Site site) {
        long leading = Site.NODES.stream()
                .filter(node -> site.api(node).report().getRole() == RaftRole.RAFT_ROLE_LEADER)
                .count();
        assertEquals(1, leading);
    }
}
