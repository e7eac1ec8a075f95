package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.quorumlb.proto.v1.PoolStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Everything restarts at once while one member is dead. */
@ClusterTest
@Order(6)
final class RestartIT {
    private static final List<String> LIVING_PEERS = List.of("router", "client", "be2", "be3", "be4");
    private static final Duration DETECTION = Duration.ofSeconds(6);
    private static final Duration RESTART = Duration.ofMinutes(2);

    @Test
    void aRestartedSiteServesTheSameGenerationWithoutTheDeadMember(Site site) {
        try {
            site.container("be1").stop(0);
            site.awaitInstalled(Waiting.start(), Site.NODES, Site.WITHOUT_BE1, DETECTION);
            List<Long> generations = generations(site);
            var since = Waiting.start();
            restart(site);
            Figures.say("eight containers restarted within %s", Figures.millis(since.elapsed()));
            since.until("converged after the restart", RESTART, () -> {
                Optional<String> wrong = Site.NODES.stream()
                        .filter(node -> ownedByDead(site, node))
                        .findFirst();
                if (wrong.isPresent()) {
                    throw new AssertionError("the dead member owns slots on " + wrong.get());
                }
                return Site.NODES.stream()
                        .map(node -> site.installed(node, Site.WITHOUT_BE1))
                        .flatMap(Optional::stream)
                        .findFirst();
            });
            Duration took = since.elapsed();
            site.awaitConverged(Site.WITHOUT_BE1, RESTART);
            Figures.say(
                    "restarted site: %s on all three switches after %s, routes after %s, the dead member never owned a slot",
                    Site.WITHOUT_BE1, Figures.millis(took), Figures.millis(since.elapsed()));
            assertEquals(generations, generations(site), "generations");
            for (SitePool pool : SitePool.values()) {
                Traffic traffic = site.traffic(pool, "--count", "100");
                assertEquals(100, traffic.answered(), traffic.toString());
                assertFalse(traffic.members().containsKey("be1"), traffic.toString());
            }
        } finally {
            site.container("be1").start();
        }
        Duration back = site.awaitConverged(Site.ALL, Duration.ofSeconds(10));
        Figures.say("revived member: back after %s", Figures.millis(back));
    }

    /** The nodes stop first: if they saw the members go they would rightly commit that. */
    private static void restart(Site site) {
        List<String> all =
                Stream.of(Site.NODES, LIVING_PEERS).flatMap(List::stream).toList();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            atOnce(threads, Site.NODES, host -> site.container(host).stop(20));
            atOnce(threads, LIVING_PEERS, host -> site.container(host).stop(20));
            atOnce(threads, all, host -> site.container(host).start());
        }
    }

    private static void atOnce(ExecutorService threads, List<String> hosts, java.util.function.Consumer<String> act) {
        CompletableFuture.allOf(hosts.stream()
                        .map(host -> CompletableFuture.runAsync(() -> act.accept(host), threads))
                        .toArray(CompletableFuture[]::new))
                .join();
    }

    /** A switch that does not answer yet forwards nothing. */
    private static boolean ownedByDead(Site site, String node) {
        Container.Output dump = site.container(node).exec("ovs-ofctl", "-O", "OpenFlow15", "dump-flows", "br-lb");
        return dump.status() == 0
                && Stream.of(SitePool.values())
                        .anyMatch(pool ->
                                SwitchDump.parse(dump.out()).shares(pool).containsKey("be1"));
    }

    private static List<Long> generations(Site site) {
        return site.api("n1").status().getPoolsList().stream()
                .map(PoolStatus::getGeneration)
                .toList();
    }
}
