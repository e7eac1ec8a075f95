package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PortRange;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Segment p2 of both families; pools a (member .2:8080), b (.3:8080) and six (IPv6, ::2 port 8080). */
class ListenersTest {
    private ClusterState state = ClusterState.empty();

    @BeforeEach
    void configure() {
        done(new Command.CreateSegment(new Segment(
                0,
                "p2",
                List.of(
                        new Segment.Network(IpPrefix.parse("fd00:20::/64"), new TreeMap<>()),
                        new Segment.Network(IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())))));
        for (String pool : List.of("a", "b", "six")) {
            done(new Command.CreatePool(new Pool(
                    0,
                    pool,
                    HashAlgoVersion.V2,
                    1024,
                    new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3))));
        }
        done(member("a", "10.20.0.2:8080"));
        done(member("b", "10.20.0.3:8080"));
        done(member("six", "[fd00:20::2]:8080"));
    }

    private void done(Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertInstanceOf(Outcome.Done.class, applied.outcome(), () -> command + ": " + applied.outcome());
        state = applied.state();
    }

    private void refused(Cause cause, String field, String words, Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertSame(state, applied.state(), "a refused command changes nothing");
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertTrue(refused.message().contains(words), refused::message);
        assertEquals(field, refused.field());
        assertEquals(cause, refused.cause());
    }

    private static Command member(String pool, String key) {
        String name = "m" + key.replaceAll("[^0-9]", "");
        return new Command.CreateMember(
                pool, "p2", new Member(0, 0, 0, name, MemberKey.parse(key), 1, AdminState.ENABLED));
    }

    private static Command listener(String name, String pool, String vip, String traffic) {
        return new Command.CreateListener(pool, new Listener(0, name, IpAddress.parse(vip), traffic(traffic), 0));
    }

    /** Reads {@code any}, {@code tcp all}, {@code udp 53}, {@code udp 53>5353}, {@code tcp 80-90}. */
    private static Traffic traffic(String text) {
        if (text.equals("any")) {
            return new Traffic.Everything();
        }
        Protocol protocol = text.startsWith("tcp") ? Protocol.TCP : Protocol.UDP;
        String[] ports = text.substring(4).split("[->]", -1);
        int first = ports[0].equals("all") ? 0 : Integer.parseInt(ports[0]);
        int second = ports.length > 1 ? Integer.parseInt(ports[1]) : first;
        return switch (text.replaceAll("[^->a]", "")) {
            case "a" -> new Traffic.AllPorts(protocol);
            case "->", ">" -> new Traffic.Ports(protocol, new PortRange(first, first), OptionalInt.of(second));
            default -> new Traffic.Ports(protocol, new PortRange(first, second), OptionalInt.empty());
        };
    }

    @Test
    void aPoolServesSeveralListeners() {
        done(listener("http", "a", "192.0.2.1", "tcp 80"));
        done(listener("dns", "a", "192.0.2.1", "udp 53>5353"));
        done(listener("ssh", "a", "192.0.2.2", "tcp 22>22"));
        done(listener("high", "a", "192.0.2.2", "tcp 9000-9100"));
        assertEquals(4, state.model().listenersOf(1).size());
    }

    @ParameterizedTest
    @CsvSource({
        "tcp 80, tcp 80, listener.vip, tcp 80 as listener 'first' exists already",
        "tcp 80, tcp 80>99, listener.vip, tcp 80 as listener 'first' exists already",
        "tcp all, tcp all, listener.vip, tcp all as listener 'first'",
        "any, any, listener.vip, any as listener 'first'",
        "udp 10-20, udp 10-20, listener.vip, udp 10-20 as listener 'first'"
    })
    void whatAVipServesIsOwnedOnce(String first, String second, String field, String words) {
        done(listener("first", "a", "192.0.2.1", first));
        refused(Cause.ALREADY_EXISTS, field, words, listener("second", "b", "192.0.2.1", second));
        done(listener("second", "b", "192.0.2.2", second));
    }

    @Test
    void rangesMustNotCross() {
        done(listener("first", "a", "192.0.2.1", "tcp 10-20"));
        refused(
                Cause.INVALID,
                "listener.port",
                "ports tcp 15-25 of 192.0.2.1 overlap tcp 10-20 of listener 'first'",
                listener("second", "b", "192.0.2.1", "tcp 15-25"));
        done(listener("second", "b", "192.0.2.1", "udp 15-25"));
    }

    @ParameterizedTest
    @CsvSource({"tcp 12", "tcp 12>80", "tcp 12-13", "tcp 10-19", "tcp 5-30", "tcp all", "any", "tcp 21-30", "udp all"})
    void theNarrowerMayLieInTheWider(String second) {
        done(listener("first", "a", "192.0.2.1", "tcp 10-20"));
        done(listener("second", "b", "192.0.2.1", second));
    }

    @ParameterizedTest
    @CsvSource({
        "tcp 80,       tcp 81",
        "tcp 80,       tcp 81>8080",
        "tcp 80>90,    tcp 81>90",
        "tcp 80,       tcp 8000-8100",
        "tcp 80,       tcp all",
        "tcp 80,       any",
        "udp all,      any",
        "udp 53>5353,  udp 5000-6000",
        "any,          any"
    })
    void aReplyBelongsToOneListener(String first, String second) {
        done(listener("first", "a", "192.0.2.1", first));
        refused(
                Cause.INVALID,
                "listener.port",
                "replies of 10.20.0.2:8080 to listener 'second'",
                listener("second", "a", "192.0.2.2", second));
    }

    @Test
    void twoMembersOfOneHostNeedPortsOfTheirOwn() {
        done(member("a", "10.20.0.2:8081"));
        done(listener("http", "a", "192.0.2.1", "tcp 80"));
        refused(
                Cause.INVALID,
                "listener.pool",
                "replies of 10.20.0.2:8080 to listener 'dns' (udp 53) could not be told from those of 10.20.0.2:8081",
                listener("dns", "a", "192.0.2.1", "udp 53>53"));
    }

    @Test
    void aMemberMustNotAnswerLikeAnother() {
        done(listener("all", "a", "192.0.2.1", "tcp all"));
        done(listener("http", "b", "192.0.2.2", "tcp 80"));
        refused(Cause.INVALID, "member.address", "listener 'all' (tcp all)", member("b", "10.20.0.2:9999"));
        done(new Command.DeleteListener("all"));
        done(member("b", "10.20.0.2:9999"));
        refused(
                Cause.INVALID,
                "listener.pool",
                "those of 10.20.0.2:9999 to listener 'http' (tcp 80)",
                listener("all", "a", "192.0.2.1", "tcp all"));
    }

    @ParameterizedTest
    @EnumSource(IpFamily.class)
    void aPoolIsOfOneFamily(IpFamily family) {
        boolean four = family == IpFamily.IPV4;
        String pool = four ? "a" : "six";
        String own = four ? "192.0.2.1" : "2001:db8::1";
        String foreign = four ? "2001:db8::1" : "192.0.2.1";
        refused(
                Cause.INVALID,
                "listener.vip",
                "a pool and its listeners are of one family",
                listener("www", pool, foreign, "tcp 80"));
        done(listener("www", pool, own, "tcp 80"));
        String stranger = four ? "[fd00:20::9]:80" : "10.20.0.9:80";
        refused(Cause.INVALID, "member.address", "a pool and its listeners are of one family", member(pool, stranger));
        done(member(pool, four ? "10.20.0.9:80" : "[fd00:20::9]:80"));
    }

    @Test
    void aPoolThatOnlyListensHasAFamilyToo() {
        done(new Command.DeleteMember("a", "m102002" + "8080"));
        done(listener("www", "a", "2001:db8::1", "tcp 80"));
        refused(Cause.INVALID, "member.address", "VIP 2001:db8::1 of listener 'www'", member("a", "10.20.0.2:8080"));
        done(member("a", "[fd00:20::3]:8080"));
    }

    @ParameterizedTest
    @CsvSource({"127.0.0.1", "224.0.0.5", "255.255.255.255", "0.0.0.0", "169.254.0.9", "::1", "fe80::1", "ff02::1"})
    void aVipIsRoutable(String vip) {
        refused(Cause.INVALID, "listener.vip", "VIP " + vip + " is unspecified", listener("www", "a", vip, "any"));
    }

    @ParameterizedTest
    @CsvSource({"10.20.0.9", "fd00:20::9"})
    void aVipLiesOutsideTheSegments(String vip) {
        refused(Cause.INVALID, "listener.vip", "lies in segment 'p2'", listener("www", "a", vip, "any"));
    }

    @ParameterizedTest
    @CsvSource({"fe80::/64, is loopback, link-local", "fd00::/16, overlaps segment 'p2' (10.20.0.0/24, fd00:20::/64)"})
    void networksOfSegmentsFitTogether(String prefix, String words) {
        var segment = new Segment(0, "p3", IpPrefix.parse(prefix), new TreeMap<>());
        refused(Cause.INVALID, "segment.prefix", words, new Command.CreateSegment(segment));
    }
}
