package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.ObjectMeta;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.pool.PoolSettings;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StateMachineTest {
    private static final Digest DIGEST = SlotTable.build(
                    HashAlgoVersion.V1, 1, 1024, List.of(TableMember.full(1, MemberKey.parse("10.20.0.2:8080"), 1)))
            .digest();

    private ClusterState state = ClusterState.empty();

    /** Segment p2, pool web with member be1 (weight 1), listener www. */
    private void configure() {
        done(segment("p2", "10.20.0.0/24"));
        done(pool("web"));
        done(member("web", "p2", "be1", "10.20.0.2:8080"));
        done(listener("web", "www", "192.0.2.10", 80));
    }

    private Outcome.Done done(Command command) {
        Applied applied = StateMachine.apply(state, command);
        state = applied.state();
        return assertInstanceOf(Outcome.Done.class, applied.outcome());
    }

    private void refused(Cause cause, String field, String words, Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertSame(state, applied.state(), "a refused command changes nothing");
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertEquals(cause, refused.cause());
        assertEquals(field, refused.field());
        assertTrue(refused.message().contains(words), refused::message);
    }

    private static Command segment(String name, String prefix) {
        return new Command.CreateSegment(new Segment(0, name, IpPrefix.parse(prefix), new TreeMap<>()));
    }

    private static Command pool(String name) {
        return new Command.CreatePool(new Pool(
                0,
                name,
                HashAlgoVersion.V1,
                1024,
                new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3)));
    }

    private static Command member(String pool, String segment, String name, String key) {
        return new Command.CreateMember(
                pool, segment, new Member(0, 0, 0, name, MemberKey.parse(key), 1, AdminState.ENABLED));
    }

    private static Command listener(String pool, String name, String vip, int port) {
        return new Command.CreateListener(pool, new Listener(0, name, IpAddress.parse(vip), Protocol.TCP, port, 0));
    }

    private Command generation(int pool, long number) {
        return generation(pool, number, Map.of(1, 1));
    }

    private Command generation(int pool, long number, Map<Integer, Integer> weights) {
        return new Command.CommitGeneration(pool, number, state.revision(), new TreeMap<>(weights), DIGEST, "test");
    }

    @Test
    void creatingGivesIdsFromOneAndCountsRevisions() {
        assertEquals(new Outcome.Done(1, 1), done(segment("p2", "10.20.0.0/24")));
        assertEquals(new Outcome.Done(1, 2), done(pool("web")));
        assertEquals(new Outcome.Done(1, 3), done(member("web", "p2", "be1", "10.20.0.2:8080")));
        assertEquals(new Outcome.Done(2, 4), done(member("web", "p2", "be2", "10.20.0.3:8080")));
        assertEquals(new Outcome.Done(1, 5), done(listener("web", "www", "192.0.2.10", 80)));
        Member be2 = state.model().members().get(2);
        assertEquals(
                new Member(2, 1, 1, "be2", MemberKey.parse("10.20.0.3:8080"), 1, AdminState.ENABLED)
                        .withMeta(ObjectMeta.NONE.at(4)),
                be2);
    }

    @Test
    void namesAreUniquePerKind() {
        configure();
        refused(Cause.ALREADY_EXISTS, "segment.name", "segment 'p2'", segment("p2", "10.99.0.0/24"));
        refused(Cause.ALREADY_EXISTS, "pool.name", "pool 'web'", pool("web"));
        refused(
                Cause.ALREADY_EXISTS,
                "member.name",
                "member 'be1' in pool 'web'",
                member("web", "p2", "be1", "10.20.0.9:8080"));
        refused(Cause.ALREADY_EXISTS, "listener.name", "listener 'www'", listener("web", "www", "192.0.2.11", 80));
    }

    @Test
    void theSameMemberNameMayLiveInAnotherPoolButNotTheSameAddress() {
        configure();
        done(pool("api"));
        done(member("api", "p2", "be1", "10.20.0.2:9090"));
        refused(
                Cause.ALREADY_EXISTS,
                "member.address",
                "10.20.0.2:8080 as member 'be1'",
                member("api", "p2", "other", "10.20.0.2:8080"));
    }

    @Test
    void membersAtOneAddressHaveOneStaticMacAddress() {
        configure();
        done(pool("api"));
        done(member("api", "p2", "be1", "10.20.0.2:9090"));
        var mac = Optional.of(StaticMac.parse("02:00:00:00:00:07"));
        done(new Command.SetMemberMac("web", "be1", mac));
        assertEquals(mac, Optional.ofNullable(state.model().members().get(1)).flatMap(Member::staticMac));
        done(new Command.SetMemberMac("api", "be1", mac));
        refused(
                Cause.INVALID,
                "member.static_mac",
                "member 'be1' at the same address 10.20.0.2 has 02:00:00:00:00:07",
                new Command.SetMemberMac("api", "be1", Optional.of(StaticMac.parse("02:00:00:00:00:08"))));
        done(new Command.SetMemberMac("api", "be1", Optional.empty()));
        done(new Command.SetMemberMac("web", "be1", Optional.of(StaticMac.parse("02:00:00:00:00:08"))));
    }

    @Test
    void whatIsNamedMustExist() {
        refused(Cause.NOT_FOUND, "segment.name", "segment 'p2'", new Command.DeleteSegment("p2"));
        refused(Cause.NOT_FOUND, "pool.name", "pool 'web'", new Command.DeletePool("web"));
        refused(Cause.NOT_FOUND, "listener.name", "listener 'www'", new Command.DeleteListener("www"));
        refused(Cause.NOT_FOUND, "member.pool", "pool 'web'", member("web", "p2", "be1", "10.20.0.2:8080"));
        refused(Cause.NOT_FOUND, "listener.pool", "pool 'web'", listener("web", "www", "192.0.2.10", 80));
        refused(Cause.NOT_FOUND, "generation.pool", "id 1", generation(1, 1));
        configure();
        refused(Cause.NOT_FOUND, "member.segment", "segment 'p9'", member("web", "p9", "be2", "10.20.0.3:8080"));
        refused(Cause.NOT_FOUND, "member.name", "member 'be9'", new Command.DeleteMember("web", "be9"));
        refused(
                Cause.NOT_FOUND,
                "member.name",
                "member 'be9'",
                new Command.SetMemberAdmin("web", "be9", AdminState.DRAINED));
        refused(Cause.NOT_FOUND, "member.pool", "pool 'api'", new Command.SetMemberWeight("api", "be1", 3));
    }

    @Test
    void whatIsInUseStays() {
        configure();
        refused(Cause.IN_USE, "name", "used by member 'be1'", new Command.DeleteSegment("p2"));
        refused(Cause.IN_USE, "name", "used by listener 'www'", new Command.DeletePool("web"));
        done(new Command.DeleteListener("www"));
        refused(Cause.IN_USE, "name", "used by member 'be1'", new Command.DeletePool("web"));
        done(new Command.DeleteMember("web", "be1"));
        done(new Command.DeletePool("web"));
        done(new Command.DeleteSegment("p2"));
        assertTrue(state.model().pools().isEmpty());
        assertEquals(8, state.revision());
    }

    @Test
    void idsAreNeverGivenTwice() {
        configure();
        done(new Command.DeleteListener("www"));
        done(new Command.DeleteMember("web", "be1"));
        done(new Command.DeletePool("web"));
        done(new Command.DeleteSegment("p2"));
        assertEquals(2, done(segment("p2", "10.20.0.0/24")).id());
        assertEquals(2, done(pool("web")).id());
        assertEquals(2, done(member("web", "p2", "be1", "10.20.0.2:8080")).id());
        assertEquals(2, done(listener("web", "www", "192.0.2.10", 80)).id());
    }

    @Test
    void whenAllIdsAreGivenNothingMoreIsMade() {
        configure();
        state = new ClusterState(
                state.revision(),
                state.model(),
                new LastIds(65_535, 65_535, 16_777_215, 65_535),
                state.history(),
                state.outOfService(),
                state.movedGateways(),
                state.emptySince(),
                state.slotFunction(),
                state.requests(),
                state.timers());
        refused(Cause.INVALID, "segment.id", "all segment ids", segment("p3", "10.30.0.0/24"));
        refused(Cause.INVALID, "pool.id", "all pool ids", pool("api"));
        refused(Cause.INVALID, "member.id", "all member ids", member("web", "p2", "be2", "10.20.0.3:8080"));
        state = StateMachine.apply(state, new Command.DeleteListener("www")).state();
        refused(Cause.INVALID, "listener.id", "all listener ids", listener("web", "www", "192.0.2.10", 80));
    }

    @Test
    void networksOfSegmentsMembersAndVipsFitTogether() {
        configure();
        refused(Cause.INVALID, "segment.prefix", "overlaps segment 'p2'", segment("p3", "10.20.0.128/25"));
        refused(Cause.INVALID, "segment.prefix", "overlaps segment 'p2'", segment("p3", "10.0.0.0/8"));
        refused(Cause.INVALID, "segment.prefix", "VIP 192.0.2.10 of listener 'www'", segment("p3", "192.0.2.0/24"));
        refused(
                Cause.INVALID,
                "member.address",
                "10.30.0.2 is outside segment 'p2' (10.20.0.0/24)",
                member("web", "p2", "be3", "10.30.0.2:8080"));
        done(pool("api"));
        refused(Cause.INVALID, "listener.vip", "lies in segment 'p2'", listener("api", "api", "10.20.0.77", 80));
        refused(
                Cause.ALREADY_EXISTS,
                "listener.vip",
                "192.0.2.10 tcp 80 as listener 'www'",
                listener("api", "api", "192.0.2.10", 80));
        done(listener("api", "api", "192.0.2.10", 81));
    }

    @Test
    void weightsHaveLimits() {
        configure();
        refused(Cause.INVALID, "member.weight", "1001", new Command.SetMemberWeight("web", "be1", 1001));
        refused(Cause.INVALID, "member.weight", "-1", new Command.SetMemberWeight("web", "be1", -1));
        assertEquals(new Outcome.Done(1, 5), done(new Command.SetMemberWeight("web", "be1", 1000)));
        assertEquals(new Outcome.Done(1, 6), done(new Command.SetMemberWeight("web", "be1", 0)));
    }

    @Test
    void everyMemberMustBeWorthASlot() {
        configure();
        done(new Command.CreatePool(new Pool(
                0,
                "small",
                HashAlgoVersion.V2,
                256,
                new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3))));
        done(member("small", "p2", "s1", "10.20.0.11:8080"));
        done(member("small", "p2", "s2", "10.20.0.12:8080"));
        refused(
                Cause.INVALID,
                "member.weight",
                "member 10.20.0.12:8080 with weight 1 of 301 has less than one of 256 slots: at least 512 slots would do",
                new Command.SetMemberWeight("small", "s1", 300));
        done(new Command.SetMemberWeight("small", "s1", 255));
        refused(Cause.INVALID, "member.weight", "less than one", member("small", "p2", "s3", "10.20.0.13:8080"));
    }

    @Test
    void writingWhatIsThereKeepsTheRevision() {
        configure();
        ClusterState before = state;
        assertEquals(new Outcome.Done(1, 4), done(new Command.SetMemberAdmin("web", "be1", AdminState.ENABLED)));
        assertEquals(new Outcome.Done(1, 4), done(new Command.SetMemberWeight("web", "be1", 1)));
        assertSame(before, state);
        assertEquals(new Outcome.Done(1, 5), done(new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED)));
    }

    @Test
    void aGenerationTakesAllMembersWithAtMostTheirWeight() {
        configure();
        done(member("web", "p2", "be2", "10.20.0.3:8080"));
        assertEquals(new Outcome.Done(1, 5), done(generation(1, 1, Map.of(1, 9, 77, 5))));
        PoolGeneration generation = state.generation(1).orElseThrow();
        assertEquals(
                new PoolGeneration(
                                1,
                                1,
                                5,
                                HashAlgoVersion.V1,
                                1024,
                                List.of(
                                        TableMember.full(1, MemberKey.parse("10.20.0.2:8080"), 1),
                                        new TableMember(2, MemberKey.parse("10.20.0.3:8080"), 1, 0)),
                                DIGEST,
                                "test")
                        .withSettings(new PoolSettings(new TreeMap<>(Map.of(
                                1, new PoolSettings.OfMember(1, AdminState.ENABLED, 1),
                                2, new PoolSettings.OfMember(1, AdminState.ENABLED, 1))))),
                generation);
        assertEquals(5, state.revision(), "a generation is no configuration change");
    }

    @Test
    void aGenerationHasTheNextNumberAndThePresentRevision() {
        configure();
        refused(Cause.STALE, "generation.number", "1 is the next", generation(1, 0));
        refused(Cause.STALE, "generation.number", "1 is the next", generation(1, 2));
        done(generation(1, 1));
        refused(Cause.STALE, "generation.number", "2 is the next", generation(1, 1));
        Command planned = generation(1, 2);
        done(new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        refused(Cause.STALE, "generation.revision", "planned from revision 4, now 5", planned);
        done(generation(1, 2));
    }

    @Test
    void aNegativeEffectiveWeightIsRefused() {
        configure();
        refused(Cause.INVALID, "generation.effective_weights", "-3 of member 1", generation(1, 1, Map.of(1, -3)));
    }

    @Test
    void historyIsBoundedAndGoesWithItsPool() {
        configure();
        for (int number = 1; number <= ClusterState.HISTORY_MAX + 6; number++) {
            done(generation(1, number));
        }
        List<PoolGeneration> history = state.history().get(1);
        assertEquals(
                List.of(ClusterState.HISTORY_MAX, 7L, 70L),
                history == null
                        ? List.of()
                        : List.of(
                                history.size(),
                                history.getFirst().number(),
                                history.getLast().number()));
        done(new Command.DeleteListener("www"));
        done(new Command.DeleteMember("web", "be1"));
        done(new Command.DeletePool("web"));
        assertTrue(state.history().isEmpty());
    }
}
