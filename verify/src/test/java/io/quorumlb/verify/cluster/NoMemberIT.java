package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * What clients meet when a pool has no member left. Members be1 and be3 of pool few serve HTTP all the time; what is asked
 * for their health is a UDP service of the same hosts, which a file makes deaf.
 */
@ClusterTest
@Order(3)
final class NoMemberIT {
    private static final String VIP = "10.99.0.12";
    private static final String TARGET = VIP + ":80";
    private static final int COUNT = 30;
    private static final Duration SOON = Duration.ofSeconds(20);

    /** Says how many of ten connections were refused within half a second. */
    private static final String CONNECT = """
            import socket
            refused = 0
            for _ in range(10):
                try:
                    socket.create_connection(("10.99.0.12", 80), 0.5).close()
                except ConnectionRefusedError:
                    refused += 1
                except OSError:
                    pass
            print(refused, "refused")
            """;

    private static Setup few(Site site, String... options) {
        var setup = new Setup(site);
        setup.make(
                "pool",
                "few",
                "--monitor",
                "udp",
                "--probe-port",
                "5354",
                "--payload",
                "ping",
                "--expect",
                "\"said\": \"ping\"");
        setup.make("member", "few/be1", "be1", "10.20.0.2:8090", "--pool", "few", "--segment", "p2");
        setup.make("member", "few/be3", "be3", "10.20.0.3:8090", "--pool", "few", "--segment", "p2");
        setup.make("listener", "few", TARGET, "--pool", "few");
        for (int i = 0; i < options.length; i += 2) {
            assertEquals(
                    0, setup.lbctl("pool", options[i], "few", options[i + 1]).status());
        }
        return setup;
    }

    private static void policy(Setup setup, String policy) {
        Container.Output set = setup.lbctl("listener", "when-empty", "few", policy);
        assertEquals(0, set.status(), set.err());
    }

    private static void deaf(Site site, String... members) {
        List.of(members).forEach(member -> site.container(member).run("touch", "/run/deaf"));
    }

    private static void hearing(Site site, String... members) {
        List.of(members).forEach(member -> site.container(member).exec("rm", "-f", "/run/deaf"));
    }

    private static Traffic send(Site site) {
        return Traffic.send(site.container("client"), TARGET, "--count", Integer.toString(COUNT), "--timeout", "1");
    }

    /** Waits until all requests are answered, by these members and all of them. */
    private static Duration awaitServed(Site site, Set<String> members) {
        return Waiting.start().until("served by " + members, SOON, () -> {
            Traffic traffic = send(site);
            boolean so = traffic.lost() == 0 && traffic.members().keySet().equals(members);
            return so ? Optional.empty() : Optional.of(traffic.toString());
        });
    }

    private static void awaitNothing(Site site) {
        Waiting.start().until("no answer", SOON, () -> {
            Traffic traffic = Traffic.send(site.container("client"), TARGET, "--count", "5", "--timeout", "1");
            return traffic.answered() == 0 ? Optional.empty() : Optional.of(traffic.toString());
        });
    }

    private static void awaitEmpty(Site site) {
        Waiting.start().until("pool few counts as empty", SOON, () -> {
            boolean empty = site.api("n1").status().getPoolsList().stream()
                    .anyMatch(pool -> pool.getName().equals("few") && pool.getEmptySince() > 0);
            return empty ? Optional.empty() : Optional.of("it does not");
        });
    }

    private static Duration awaitRoutes(Site site, int nodes) {
        return Waiting.start().until(nodes + " routes to " + VIP, SOON, () -> {
            String routes = site.container("router").run("ip", "-4", "route", "show", VIP);
            long hops = routes.lines()
                    .filter(line -> line.contains("via 10.10.0.1"))
                    .count();
            return hops == nodes ? Optional.empty() : Optional.of(routes);
        });
    }

    private static long failClosed(Site site) {
        return Site.NODES.stream()
                .mapToLong(node -> site.api(node).report().getDatapath().getFailClosedPackets())
                .sum();
    }

    private static void cleaned(Site site) {
        hearing(site, "be1", "be2", "be3");
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    @Test
    void dropIsCountedAndEndsByItself(Site site) {
        try (Setup _ = few(site)) {
            awaitServed(site, Set.of("be1", "be3"));
            deaf(site, "be1", "be3");
            awaitEmpty(site);
            long before = failClosed(site);
            awaitNothing(site);
            Waiting.start().until("drops are counted", SOON, () -> {
                long counted = failClosed(site) - before;
                return counted >= 5 ? Optional.empty() : Optional.of(counted + " counted");
            });
            hearing(site, "be1", "be3");
            awaitServed(site, Set.of("be1", "be3"));
        } finally {
            cleaned(site);
        }
    }

    /** Whoever is refused is told at once; whoever is told nothing hears so after a second only. */
    @Test
    void rejectRefusesConnectionsUntilAMemberIsBack(Site site) {
        try (Setup setup = few(site)) {
            policy(setup, "reject");
            awaitServed(site, Set.of("be1", "be3"));
            deaf(site, "be1", "be3");
            awaitEmpty(site);
            Duration refused = Waiting.start().until("connections are refused", SOON, () -> {
                String said = site.container("client").run("python3", "-c", CONNECT);
                return said.strip().equals("10 refused") ? Optional.empty() : Optional.of(said);
            });
            Figures.say("reject: all connections refused %s after the pool was seen empty", Figures.millis(refused));
            hearing(site, "be3");
            awaitServed(site, Set.of("be3"));
        } finally {
            cleaned(site);
        }
    }

    @Test
    void failOpenIsAnsweredByMembersThatAreNotUp(Site site) {
        try (Setup setup = few(site)) {
            policy(setup, "fail-open");
            awaitServed(site, Set.of("be1", "be3"));
            deaf(site, "be1", "be3");
            awaitEmpty(site);
            awaitServed(site, Set.of("be1", "be3"));
            String status = setup.lbctl("cluster", "status").out();
            assertTrue(status.contains("pool few counts as empty since generation"), status);
            hearing(site, "be3");
            Duration back = awaitServed(site, Set.of("be3"));
            Figures.say("fail_open ended after %s", Figures.millis(back));
        } finally {
            cleaned(site);
        }
    }

    @Test
    void aFallbackPoolServesUntilEnoughMembersAreBack(Site site) {
        try (Setup setup = few(site, "min-eligible", "2")) {
            setup.make("pool", "sorry", "--monitor", "tcp");
            setup.make("member", "sorry/be2", "be2", "10.30.0.2:8090", "--pool", "sorry", "--segment", "p3");
            policy(setup, "pool=sorry");
            try {
                awaitServed(site, Set.of("be1", "be3"));
                deaf(site, "be1", "be3");
                Duration took = awaitServed(site, Set.of("be2"));
                Figures.say("fallback pool serves after %s", Figures.millis(took));
                Container.Output refused = setup.lbctl("pool", "delete", "sorry");
                assertTrue(refused.err().contains("is used by listener 'few' as its fallback pool"), refused.err());
                hearing(site, "be1");
                Waiting.start().always("one member is not enough", Duration.ofSeconds(6), () -> {
                    Traffic traffic = send(site);
                    return traffic.members().keySet().equals(Set.of("be2"))
                            ? Optional.empty()
                            : Optional.of(traffic.toString());
                });
                hearing(site, "be3");
                awaitServed(site, Set.of("be1", "be3"));
            } finally {
                policy(setup, "drop");
            }
        } finally {
            cleaned(site);
        }
    }

    @Test
    void withdrawTakesTheRouteOffAtTheRouter(Site site) {
        try (Setup setup = few(site)) {
            awaitServed(site, Set.of("be1", "be3"));
            awaitRoutes(site, Site.NODES.size());
            policy(setup, "withdraw");
            deaf(site, "be1", "be3");
            awaitEmpty(site);
            Duration off = awaitRoutes(site, 0);
            Figures.say("withdraw: routes off %s after the pool was seen empty", Figures.millis(off));
            hearing(site, "be1");
            awaitRoutes(site, Site.NODES.size());
            awaitServed(site, Set.of("be1"));
        } finally {
            cleaned(site);
        }
    }
}
