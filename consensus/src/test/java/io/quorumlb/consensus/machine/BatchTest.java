package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BatchTest {
    private static final HealthMonitor MONITOR =
            new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);

    private ClusterState state = ClusterState.empty();

    private static Command.Edit segment(String name, String prefix, String... nodes) {
        var gateways = new TreeMap<NodeId, IpAddress>();
        for (String node : nodes) {
            gateways.put(new NodeId(node), IpAddress.parse("10.20.0." + (250 + gateways.size())));
        }
        return new Command.CreateSegment(new Segment(0, name, IpPrefix.parse(prefix), gateways));
    }

    private static Command.Edit pool(String name) {
        return new Command.CreatePool(new Pool(0, name, HashAlgoVersion.V2, 256, MONITOR));
    }

    private static Command.Edit member(String pool, String name, String key, int weight) {
        return new Command.CreateMember(
                pool, "p2", new Member(0, 0, 0, name, MemberKey.parse(key), weight, AdminState.ENABLED));
    }

    private static Listener listener(String name, String vip) {
        return new Listener(0, name, IpAddress.parse(vip), Protocol.TCP, 80, 0);
    }

    private Outcome.Done done(Command.Edit... parts) {
        Applied applied = StateMachine.apply(state, new Command.Batch(List.of(parts)));
        state = applied.state();
        return assertInstanceOf(Outcome.Done.class, applied.outcome());
    }

    private void refused(Cause cause, String field, String words, Command.Batch command) {
        Applied applied = StateMachine.apply(state, command);
        assertSame(state, applied.state(), "a refused batch changes nothing");
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertEquals(cause, refused.cause(), refused::message);
        assertEquals(field, refused.field());
        assertTrue(refused.message().contains(words), refused::message);
    }

    private void refused(Cause cause, String field, String words, Command.Edit... parts) {
        refused(cause, field, words, new Command.Batch(List.of(parts)));
    }

    private void configure() {
        var _ = done(
                segment("p2", "10.20.0.0/24"),
                pool("web"),
                member("web", "be1", "10.20.0.2:80", 1),
                member("web", "be2", "10.20.0.3:80", 1),
                new Command.CreateListener("web", listener("www", "192.0.2.1")));
    }

    /** Commits a generation in which all members of the pool take traffic. */
    private void generation(String pool) {
        Pool found = state.model().pool(pool).orElseThrow();
        var weights = new TreeMap<Integer, Integer>();
        state.model().membersOf(found.id()).forEach(member -> weights.put(member.id(), member.weight()));
        long number = state.generationNumber(found.id()) + 1;
        var commit = new Command.CommitGeneration(
                found.id(),
                number,
                state.revision(),
                weights,
                SlotTable.build(HashAlgoVersion.V2, 1, 256, List.of()).digest(),
                "test");
        Applied applied = StateMachine.apply(state, commit);
        assertInstanceOf(Outcome.Done.class, applied.outcome());
        state = applied.state();
    }

    @Test
    void isOneChangeOfTheRevision() {
        configure();
        assertEquals(1, state.revision());
        assertEquals(2, state.model().members().size());
        assertEquals(new Outcome.Done(0, 1), done(new Command.SetMemberWeight("web", "be1", 1)), "nothing to change");
        assertEquals(new Outcome.Done(0, 2), done(new Command.SetMemberWeight("web", "be1", 2)));
    }

    @Test
    void oneRefusedPartChangesNothingAndIsNamed() {
        configure();
        refused(
                Cause.INVALID,
                "members[web/be9].address",
                "members[web/be9]: address 10.30.0.9 is outside segment 'p2'",
                new Command.SetMemberWeight("web", "be1", 7),
                member("web", "be9", "10.30.0.9:80", 1));
        refused(Cause.NOT_FOUND, "members[web/be7].name", "does not exist", new Command.DeleteMember("web", "be7"));
        refused(Cause.ALREADY_EXISTS, "pools[web].name", "exists already", pool("web"));
        refused(
                Cause.IN_USE,
                "segments[p2].name",
                "is used by member 'be1'",
                new Command.SetMemberWeight("web", "be1", 7),
                new Command.DeleteSegment("p2"));
        refused(
                Cause.INVALID,
                "listeners[two].port",
                "could not be told from",
                new Command.CreateListener("web", listener("two", "192.0.2.2")));
    }

    @Test
    void hasABound() {
        configure();
        Command.Edit part = new Command.SetMemberWeight("web", "be1", 7);
        int size = Command.Batch.PARTS_MAX + 1;
        refused(
                Cause.LIMIT,
                "parts",
                "20001 changes in one batch, at most 20000",
                new Command.Batch(Collections.nCopies(size, part)));
        state = StateMachine.apply(state, new Command.Batch(Collections.nCopies(size - 1, part)))
                .state();
        assertEquals(2, state.revision());
    }

    @Test
    void whatFitsTogetherInTheEndMayCrossOnTheWay() {
        var _ = done(
                segment("p2", "10.20.0.0/24"),
                pool("one"),
                pool("two"),
                member("one", "be1", "10.20.0.2:80", 1),
                member("one", "be2", "10.20.0.3:80", 255),
                member("two", "be3", "10.20.0.4:80", 1),
                new Command.CreateListener("one", listener("a", "192.0.2.1")),
                new Command.CreateListener("two", listener("b", "192.0.2.2")));
        int a = state.model().listener("a").orElseThrow().id();
        var _ = done(
                new Command.SetListener("one", listener("a", "192.0.2.2")),
                new Command.SetListener("two", listener("b", "192.0.2.1")));
        assertEquals(
                "192.0.2.2", state.model().listener("a").orElseThrow().vip().toString());
        assertEquals(a, state.model().listener("a").orElseThrow().id());
        // Alone the first of the two would leave be1 less than a slot.
        var _ = done(new Command.SetMemberWeight("one", "be2", 1000), new Command.SetMemberWeight("one", "be1", 1000));
        refused(
                Cause.INVALID,
                "members[one/be1].weight",
                "less than one",
                new Command.SetMemberWeight("one", "be1", 1));
    }

    @Test
    void membersAtOneAddressChangeTheirMacTogether() {
        configure();
        var one = Optional.of(StaticMac.parse("02:00:00:00:00:01"));
        var two = Optional.of(StaticMac.parse("02:00:00:00:00:02"));
        var _ = done(
                member("web", "be3", "10.20.0.2:81", 1),
                new Command.SetMemberMac("web", "be1", one),
                new Command.SetMemberMac("web", "be3", one));
        refused(
                Cause.INVALID,
                "members[web/be3].static_mac",
                "member 'be1' at the same address",
                new Command.SetMemberMac("web", "be3", two));
        var _ = done(new Command.SetMemberMac("web", "be1", two), new Command.SetMemberMac("web", "be3", two));
    }

    @Test
    void aPoolGoesWithAllItsMembersHoweverManyRetire() {
        configure();
        var _ = done(member("web", "be3", "10.20.0.4:80", 1), member("web", "be4", "10.20.0.5:80", 1));
        generation("web");
        refused(
                Cause.LIMIT,
                "members[web/be2].name",
                "at most a quarter is allowed",
                new Command.DeleteMember("web", "be1"),
                new Command.DeleteMember("web", "be2"));
        var _ = done(
                new Command.DeleteListener("www"),
                new Command.DeleteMember("web", "be1"),
                new Command.DeleteMember("web", "be2"),
                new Command.DeleteMember("web", "be3"),
                new Command.DeleteMember("web", "be4"),
                new Command.DeletePool("web"),
                new Command.DeleteSegment("p2"));
        assertTrue(state.model().members().isEmpty());
        assertTrue(state.history().isEmpty());
    }

    @Test
    void aMemberThatTakesAnothersPlaceLeavesNoneRetired() {
        configure();
        generation("web");
        var _ = done(member("web", "be9", "10.20.0.2:80", 1), new Command.DeleteMember("web", "be1"));
        assertEquals(
                List.of("be2", "be9"),
                state.model().members().values().stream().map(Member::name).toList());
    }

    @Test
    void aSegmentsGatewaysChangeAndMovesOfThoseGoneEnd() {
        var _ = done(segment("p2", "10.20.0.0/24", "n1", "n2"));
        var moved = new TreeMap<GatewayId, NodeId>();
        moved.put(new GatewayId(1, new NodeId("n1")), new NodeId("n2"));
        state = StateMachine.apply(state, new Command.AssignGateways(new TreeMap<>(), moved, "test"))
                .state();
        assertEquals(1, state.movedGateways().size());
        var wanted = ((Command.CreateSegment) segment("p2", "10.20.0.0/24", "n1", "n3")).segment();
        var _ = done(new Command.SetSegmentGateways(wanted));
        assertEquals(
                List.of(new NodeId("n1"), new NodeId("n3")),
                List.copyOf(state.model().segment("p2").orElseThrow().homes()));
        assertTrue(state.movedGateways().isEmpty());
        var other = ((Command.CreateSegment) segment("p2", "10.20.0.0/23", "n1")).segment();
        refused(
                Cause.INVALID,
                "segments[p2].prefix",
                "is 10.20.0.0/24 and cannot become 10.20.0.0/23",
                new Command.SetSegmentGateways(other));
    }

    @Test
    void aPoolsMonitorChanges() {
        configure();
        var http = new HealthMonitor(new MonitorCheck.Http("/"), Duration.ofSeconds(2), Duration.ofSeconds(1), 1, 1);
        Applied applied = StateMachine.apply(state, new Command.SetPoolMonitor("web", http));
        assertEquals(http, applied.state().model().pool("web").orElseThrow().monitor());
        refused(Cause.NOT_FOUND, "pools[nil].name", "does not exist", new Command.SetPoolMonitor("nil", http));
    }

    /** Returns a configuration without a word on what changed its objects last. */
    private static Model unstamped(Model model) {
        return model.stamped(Model.empty(), 0);
    }

    private static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /** What edits do one after another, if none is refused, they do as one; but for the revisions. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void equalsItsPartsOneAfterAnother(long seed) {
        ClusterState start = RandomCommands.state(seed, 150);
        var source = new RandomCommands(seed + 1_000);
        List<Command.Edit> parts = new ArrayList<>();
        ClusterState singly = start;
        for (int i = 0; i < 120; i++) {
            if (source.next(singly) instanceof Command.Edit edit
                    && StateMachine.apply(singly, edit) instanceof Applied(var next, Outcome.Done _)) {
                parts.add(edit);
                singly = next;
            }
        }
        Applied together = StateMachine.apply(start, new Command.Batch(parts));
        var done = assertInstanceOf(Outcome.Done.class, together.outcome());
        assertEquals(unstamped(singly.model()), unstamped(together.state().model()));
        assertEquals(singly.lastIds(), together.state().lastIds());
        assertEquals(singly.emptySince(), together.state().emptySince());
        assertTrue(done.revision() <= start.revision() + 1);
        assertTrue(parts.size() > 2, () -> Arrays.toString(parts.toArray()));
    }

    /** 500 pools of 20 members; that it is done in time shows that its cost is not the square of the parts. */
    @Test
    void aLargeSiteIsOneBatch() {
        List<Command.Edit> parts = new ArrayList<>();
        parts.add(segment("p2", "10.20.0.0/16"));
        for (int pool = 0; pool < 500; pool++) {
            parts.add(pool("p" + pool));
            for (int member = 0; member < 20; member++) {
                int at = pool * 20 + member;
                parts.add(member("p" + pool, "m" + member, "10.20.%d.%d:80".formatted(at / 250, 1 + at % 250), 100));
            }
            parts.add(new Command.CreateListener(
                    "p" + pool, listener("l" + pool, "192.0.%d.%d".formatted(2 + pool / 250, 1 + pool % 250))));
        }
        var _ = done(parts.toArray(Command.Edit[]::new));
        assertEquals(10_000, state.model().members().size());
        assertEquals(1, state.revision());
    }
}
