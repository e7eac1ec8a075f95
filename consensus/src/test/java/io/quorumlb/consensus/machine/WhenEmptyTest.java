package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pools web, sorry, busy and six with a member each; listeners www of web and api of busy. */
class WhenEmptyTest {
    private ClusterState state = ClusterState.empty();

    @BeforeEach
    void configure() {
        done(new Command.CreateSegment(new Segment(
                0,
                "p2",
                List.of(
                        new Segment.Network(IpPrefix.parse("fd00:20::/64"), new TreeMap<>()),
                        new Segment.Network(IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())))));
        var monitor = new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
        List.of("web", "sorry", "busy", "six")
                .forEach(pool -> done(new Command.CreatePool(new Pool(0, pool, HashAlgoVersion.V2, 256, monitor))));
        done(member("web", "be1", "10.20.0.2:8080"));
        done(member("sorry", "be1", "10.20.0.3:8080"));
        done(member("busy", "be1", "10.20.0.4:8080"));
        done(member("six", "be1", "[fd00:20::2]:8080"));
        done(listener("www", "web", "192.0.2.1", new EmptyPolicy.Drop()));
        done(listener("api", "busy", "192.0.2.2", new EmptyPolicy.Drop()));
    }

    private static Command member(String pool, String name, String key) {
        return new Command.CreateMember(
                pool, "p2", new Member(0, 0, 0, name, MemberKey.parse(key), 1, AdminState.ENABLED));
    }

    private static Command listener(String name, String pool, String vip, EmptyPolicy policy) {
        return new Command.CreateListener(
                pool, new Listener(0, name, IpAddress.parse(vip), Protocol.TCP, 80, 0).withWhenEmpty(policy));
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
        assertEquals(field, refused.field());
        assertEquals(cause, refused.cause());
        assertTrue(refused.message().contains(words), refused::message);
    }

    private static Command fallBack(String listener, String pool) {
        return new Command.SetWhenEmpty(listener, new EmptyPolicy.FallbackPool(pool));
    }

    @Test
    void aPolicyIsSetAndChanged() {
        long before = state.revision();
        done(new Command.SetWhenEmpty("www", new EmptyPolicy.Withdraw()));
        done(fallBack("www", "sorry"));
        assertEquals(before + 2, state.revision());
        assertEquals(
                new EmptyPolicy.FallbackPool("sorry"),
                state.model().listener("www").orElseThrow().whenEmpty());
        refused(Cause.NOT_FOUND, "listener.name", "'wwx'", fallBack("wwx", "sorry"));
    }

    @Test
    void aFallbackPoolExistsAndIsAnotherOne() {
        refused(Cause.NOT_FOUND, "listener.fallback_pool", "pool 'gone' does not exist", fallBack("www", "gone"));
        refused(
                Cause.INVALID,
                "listener.fallback_pool",
                "fallback pool 'web' of listener 'www' is its own pool",
                fallBack("www", "web"));
        refused(
                Cause.NOT_FOUND,
                "listener.fallback_pool",
                "pool 'gone'",
                listener("new", "web", "192.0.2.3", new EmptyPolicy.FallbackPool("gone")));
    }

    @Test
    void aFallbackPoolIsOfTheSameFamily() {
        refused(Cause.INVALID, "listener.vip", "member 'be1' ([fd00:20::2]:8080)", fallBack("www", "six"));
        done(fallBack("www", "sorry"));
        done(new Command.DeleteMember("sorry", "be1"));
        refused(Cause.INVALID, "member.address", "VIP 192.0.2.1", member("sorry", "be2", "[fd00:20::9]:80"));
    }

    @Test
    void repliesOfAFallbackMemberBelongToOneListener() {
        refused(
                Cause.INVALID,
                "listener.fallback_pool",
                "replies of 10.20.0.4:8080 to listener 'www' (tcp 80) could not be told from those to listener 'api'",
                fallBack("www", "busy"));
        done(fallBack("www", "sorry"));
        refused(Cause.INVALID, "listener.fallback_pool", "replies of 10.20.0.3:8080", fallBack("api", "sorry"));
        refused(
                Cause.INVALID,
                "listener.port",
                "replies of 10.20.0.3:8080",
                listener("own", "sorry", "192.0.2.4", new EmptyPolicy.Drop()));
        done(new Command.SetWhenEmpty("www", new EmptyPolicy.Drop()));
        done(fallBack("api", "sorry"));
    }

    @Test
    void aFallbackPoolCannotBeDeleted() {
        done(new Command.DeleteMember("sorry", "be1"));
        done(fallBack("www", "sorry"));
        refused(Cause.IN_USE, "name", "listener 'www' as its fallback pool", new Command.DeletePool("sorry"));
        done(new Command.SetWhenEmpty("www", new EmptyPolicy.FailOpen()));
        done(new Command.DeletePool("sorry"));
    }

    @Test
    void minEligibleHasALimit() {
        refused(
                Cause.INVALID,
                "pool.min_eligible",
                "min_eligible 0 of pool 'web' is outside 1..65535",
                new Command.SetMinEligible("web", 0));
        refused(Cause.INVALID, "pool.min_eligible", "65536", new Command.SetMinEligible("web", 65_536));
        refused(Cause.NOT_FOUND, "pool.name", "'gone'", new Command.SetMinEligible("gone", 2));
        done(new Command.SetMinEligible("web", 2));
        assertEquals(2, state.model().pool("web").orElseThrow().minEligible());
    }
}
