package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.MemberObservation;
import io.quorumlb.proto.v1.MemberStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners of every kind over both versions of IP, with real packets; UDP probes of real members. */
@ClusterTest
@Order(2)
final class ProtocolsIT {
    private static final int FIRST_PORT = 23_000;
    private static final int REQUESTS = 200;
    private static final String PORTS = FIRST_PORT + "-" + (FIRST_PORT + REQUESTS - 1);
    private static final int DNS = 53;
    private static final Duration SOON = Duration.ofSeconds(15);
    /** Of a member that was created without one. */
    private static final int WEIGHT = 100;

    /** A pool of each version of IP that has a UDP listener beside the one of HTTP. */
    @ParameterizedTest
    @EnumSource(names = {"WEB2", "WEB6"})
    void tcpAndUdpGoWhereTheHashSaysThroughEachNode(SitePool pool, Site site) {
        SortedMap<Integer, String> tcp = predicted(pool, SlotPrediction.TCP, SitePool.VIP_PORT);
        SortedMap<Integer, String> udp = predicted(pool, SlotPrediction.UDP, DNS);
        try {
            for (String node : Site.NODES) {
                site.router().pin(node);
                assertEquals(tcp, send(site, pool.target()).memberByPort(), "TCP through " + node);
                assertEquals(udp, send(site, pool.target(DNS), "--udp").memberByPort(), "UDP through " + node);
            }
        } finally {
            site.router().unpin();
        }
        Figures.say("pool %s: 200 TCP and 200 UDP requests through each of three nodes as predicted", pool.poolName());
    }

    @ParameterizedTest
    @EnumSource(names = {"WEB2", "WEB6"})
    void aRangeSharesTheTableAndIsGoneWhenItIsDeleted(SitePool pool, Site site) {
        try (Setup setup = new Setup(site)) {
            setup.make("listener", "range", pool.vip(), "--port", "8090-8092", "--pool", pool.poolName());
            for (int port : List.of(8090, 8092)) {
                awaitAnswer(site, pool.target(port));
                assertEquals(
                        predicted(pool, SlotPrediction.TCP, port),
                        send(site, pool.target(port)).memberByPort(),
                        "port " + port);
            }
            assertEquals(0, once(site, pool.target(8093)).answered(), "port 8093 lies outside");
        }
        Waiting.start().until("the range is closed", SOON, () -> {
            int answered = once(site, pool.target(8090)).answered();
            return answered == 0 ? Optional.empty() : Optional.of(answered + " answered");
        });
    }

    /** A member address of its own: all ports, and any protocol, leave no reply for another listener. */
    @ParameterizedTest
    @CsvSource({"10.20.0.22/24, 10.20.0.22:8080, 10.99.0.12", "fd00:20::22/64, [fd00:20::22]:8080, fd00:99::12"})
    void allPortsThenAnyProtocolOfOnePool(String address, String member, String vip, Site site) {
        site.container("be1").exec("ip", "address", "add", address, "dev", "eth0");
        try (Setup setup = new Setup(site)) {
            setup.make("pool", "wide", "--monitor", "tcp");
            setup.make("member", "wide/be1", "be1", member, "--pool", "wide", "--segment", "p2");
            for (List<String> kind : List.of(List.of("--port", "all"), List.of("--protocol", "any"))) {
                List<String> arguments = new ArrayList<>(List.of(vip, "--pool", "wide"));
                arguments.addAll(kind);
                setup.make("listener", "wide", arguments.toArray(String[]::new));
                for (int port : List.of(8081, 8092)) {
                    awaitAnswer(site, target(vip, port));
                    Traffic traffic = send(site, target(vip, port));
                    assertEquals(REQUESTS, traffic.members().getOrDefault("be1", 0), kind + ": " + traffic);
                }
                Container.Output second =
                        setup.lbctl("listener", "create", "second", target(vip, 80), "--pool", "wide");
                assertEquals(1, second.status());
                assertTrue(second.err().contains("could not be told from those to listener 'wide'"), second.err());
                setup.undoLast();
            }
        } finally {
            site.container("be1").exec("ip", "address", "del", address, "dev", "eth0");
        }
        site.awaitConverged(Site.ALL, SOON);
    }

    @ParameterizedTest
    @CsvSource({"WEB2, fd00:99::77, [fd00:20::9]:80, IPV6", "WEB6, 10.99.0.77, 10.20.0.9:80, IPV4"})
    void mixedVersionsOfIpAreRefused(SitePool pool, String vip, String member, String family, Site site) {
        Setup setup = new Setup(site);
        Container.Output listener =
                setup.lbctl("listener", "create", "mixed", vip, "--port", "80", "--pool", pool.poolName());
        assertEquals(1, listener.status());
        assertTrue(listener.err().contains("VIP %s is %s".formatted(vip, family)), listener.err());
        Container.Output added =
                setup.lbctl("member", "create", "be9", member, "--pool", pool.poolName(), "--segment", "p2");
        assertEquals(1, added.status());
        assertTrue(added.err().contains("a pool and its listeners are of one family"), added.err());
    }

    @ParameterizedTest
    @CsvSource({"10.20.0.2:5354, 10.20.0.3:5354", "[fd00:20::2]:5354, [fd00:20::3]:5354"})
    void aMemberWhoseUdpServiceStopsIsTakenOut(String be1, String be3, Site site) {
        try (Setup setup = new Setup(site)) {
            setup.make("pool", "dns", "--monitor", "udp", "--payload", "ping", "--expect", "\"said\": \"ping\"");
            setup.make("member", "dns/be1", "be1", be1, "--pool", "dns", "--segment", "p2");
            setup.make("member", "dns/be3", "be3", be3, "--pool", "dns", "--segment", "p2");
            awaitMember(site, "be1", "takes traffic", status -> status.getEffectiveWeight() == WEIGHT);
            site.container("be1").run("touch", "/run/deaf");
            Duration out = awaitMember(site, "be1", "is out", status -> status.getEffectiveWeight() == 0);
            awaitMember(
                    site,
                    "be1",
                    "is seen unreachable by all",
                    status -> observations(status, Health.HEALTH_DOWN).stream()
                                    .filter(seen -> seen.getDetail().equals("port unreachable"))
                                    .count()
                            == Site.NODES.size());
            awaitMember(site, "be3", "stays", status -> status.getEffectiveWeight() == WEIGHT);
            Figures.say("UDP service of %s stopped: out of the table after %s", be1, Figures.millis(out));
            site.container("be1").run("rm", "/run/deaf");
            awaitMember(site, "be1", "is back", status -> status.getEffectiveWeight() == WEIGHT);
        } finally {
            site.container("be1").exec("rm", "-f", "/run/deaf");
        }
        site.awaitConverged(Site.ALL, SOON);
    }

    @ParameterizedTest
    @CsvSource({"10.20.0.2:5355", "[fd00:20::2]:5355"})
    void silenceIsUpOnlyWhereItIsAskedForAndShownAsWeak(String be1, Site site) {
        try (Setup setup = new Setup(site)) {
            setup.make("pool", "dns", "--monitor", "udp", "--payload", "quiet", "--silence-up");
            setup.make("member", "dns/be1", "be1", be1, "--pool", "dns", "--segment", "p2");
            awaitMember(
                    site,
                    "be1",
                    "is weakly up",
                    status -> status.getEffectiveWeight() == WEIGHT
                            && observations(status, Health.HEALTH_UP).stream()
                                            .filter(seen -> seen.getDetail().startsWith("weak: no answer"))
                                            .count()
                                    == Site.NODES.size());
            String listed = setup.lbctl("member", "list", "--pool", "dns").out();
            assertTrue(listed.contains("(weak: no answer within 500 ms counts as up)"), listed);
            site.container("be1").run("touch", "/run/deaf");
            awaitMember(site, "be1", "an unreachable port is no silence", status -> status.getEffectiveWeight() == 0);
        } finally {
            site.container("be1").exec("rm", "-f", "/run/deaf");
        }
        site.awaitConverged(Site.ALL, SOON);
    }

    private static SortedMap<Integer, String> predicted(SitePool pool, int protocol, int port) {
        SlotTable table = pool.tableWithout(List.of());
        SortedMap<Integer, String> members = new TreeMap<>();
        for (int source = FIRST_PORT; source < FIRST_PORT + REQUESTS; source++) {
            int slot = SlotPrediction.slot(pool, protocol, pool.client(), source, port);
            members.put(source, pool.memberName(table.owner(slot)));
        }
        return members;
    }

    private static Traffic send(Site site, String target, String... options) {
        List<String> arguments = new ArrayList<>(List.of("--source-ports", PORTS));
        arguments.addAll(List.of(options));
        Traffic traffic = Traffic.send(site.container("client"), target, arguments.toArray(String[]::new));
        assertEquals(REQUESTS, traffic.answered(), target + ": " + traffic);
        return traffic;
    }

    private static Traffic once(Site site, String target) {
        return Traffic.send(site.container("client"), target, "--count", "2", "--timeout", "1");
    }

    /** Waits for routes and flows of something new on all nodes: as many requests as make each node likely to be met. */
    private static void awaitAnswer(Site site, String target) {
        Waiting.start().until(target + " answers", SOON, () -> {
            Traffic traffic = Traffic.send(site.container("client"), target, "--count", "30", "--timeout", "1");
            return traffic.lost() == 0 ? Optional.empty() : Optional.of(traffic.toString());
        });
    }

    private static Duration awaitMember(Site site, String name, String what, Predicate<MemberStatus> right) {
        return Waiting.start().until(name + " " + what, SOON, () -> {
            List<MemberStatus> found = site.api("n1").members().stream()
                    .filter(status -> status.getMember().getPool().equals("dns"))
                    .filter(status -> status.getMember().getName().equals(name))
                    .toList();
            return found.stream().anyMatch(right) ? Optional.empty() : Optional.of(found.toString());
        });
    }

    private static List<MemberObservation> observations(MemberStatus status, Health health) {
        return status.getObservationsList().stream()
                .filter(seen -> seen.getHealth() == health)
                .toList();
    }

    private static String target(String vip, int port) {
        return (vip.contains(":") ? "[" + vip + "]" : vip) + ":" + port;
    }
}
