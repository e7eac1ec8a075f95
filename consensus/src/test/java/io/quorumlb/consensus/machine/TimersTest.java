package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.MemberTimers.Ramp;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What is to become of members happens when the log's time has come, and not before. */
class TimersTest {
    private static final long START = Duration.ofDays(20_000).toMillis();
    private static final int BE1 = 1;

    private ClusterState state = ClusterState.empty();
    private long writes;

    @BeforeEach
    void configure() {
        at(0, new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())));
        var monitor = new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
        at(0, new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V2, 1024, monitor)));
        for (int member = 1; member <= 3; member++) {
            var key = MemberKey.parse("10.20.0.%d:8080".formatted(member));
            at(
                    0,
                    new Command.CreateMember(
                            "web", "p2", new Member(0, 0, 0, "be" + member, key, 100, AdminState.ENABLED)));
        }
    }

    /** An operator writes so many milliseconds after the start. */
    private Outcome.Done at(long millis, Command command) {
        var origin = new Origin(
                new RequestId("w" + ++writes), OriginCodec.content(command), START + millis, OptionalLong.empty());
        return done(new Command.Requested(origin, command));
    }

    private Outcome.Done done(Command command) {
        Applied applied = StateMachine.apply(state, command);
        state = applied.state();
        return assertInstanceOf(Outcome.Done.class, applied.outcome(), applied.outcome()::toString);
    }

    /** The log's time passes until so many milliseconds after the start. */
    private void pass(long millis) {
        done(new Command.PassTime(START + millis));
    }

    private Outcome.Refused refused(Cause cause, Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertSame(state, applied.state());
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertEquals(cause, refused.cause(), refused.message());
        return refused;
    }

    private static Command.HoldMember hold(Health health, long millis) {
        return new Command.HoldMember("web", "be1", health, millis, "a deploy");
    }

    private Member be1() {
        return Optional.ofNullable(state.model().members().get(BE1)).orElseThrow();
    }

    @Test
    void aHoldLastsForItsTimeByTheLogAndNoLonger() {
        at(500, hold(Health.DOWN, 10_000));
        assertEquals(Optional.of(Health.DOWN), state.held(BE1));
        assertFalse(state.wants(be1()));
        long revision = state.revision();
        pass(10_499);
        assertEquals(Optional.of(Health.DOWN), state.held(BE1));
        assertEquals(revision, state.revision(), "time alone is no change of the configuration");
        pass(10_500);
        assertEquals(Optional.empty(), state.held(BE1));
        assertTrue(state.wants(be1()));
        assertEquals(revision + 1, state.revision());
    }

    @Test
    void aLaterHoldReplacesAnEarlierOneAndAReleaseEndsIt() {
        at(0, hold(Health.DOWN, 10_000));
        at(1, hold(Health.UP, 60_000));
        pass(20_000);
        assertEquals(Optional.of(Health.UP), state.held(BE1));
        at(20_001, new Command.ReleaseMember("web", "be1"));
        assertEquals(Optional.empty(), state.held(BE1));
        long revision = state.revision();
        at(20_002, new Command.ReleaseMember("web", "be1"));
        assertEquals(revision, state.revision(), "there was nothing to end");
    }

    @Test
    void timeThatHasPassedDoesNotComeBack() {
        at(0, hold(Health.DOWN, 10_000));
        pass(9_000);
        ClusterState before = state;
        pass(1_000);
        assertEquals(before, state);
    }

    @Test
    void aSnapshotKeepsWhatIsToCome() {
        at(0, hold(Health.UP, 10_000));
        at(0, new Command.DrainMember("web", "be2", OptionalLong.of(5_000)));
        at(0, new Command.RampMember("web", "be3", 60_000, 3));
        pass(1);
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
        assertEquals(OptionalLong.of(START + 5_000), state.timers().nextMillis());
    }

    @ParameterizedTest
    @CsvSource({"0", "999", "604800001", "-1"})
    void aHoldHasALeastAndAGreatestTime(long millis) {
        String message = refused(Cause.INVALID, hold(Health.DOWN, millis)).message();
        assertEquals("duration_millis %d is outside 1000..604800000".formatted(millis), message);
    }

    @Test
    void whatDoesNotExistCannotBeHeld() {
        refused(Cause.NOT_FOUND, new Command.HoldMember("web", "nil", Health.UP, 1_000, ""));
        refused(Cause.NOT_FOUND, new Command.ReleaseMember("nil", "be1"));
        refused(Cause.INVALID, new Command.HoldMember("web", "be1", Health.UP, 1_000, "x".repeat(201)));
    }

    @Test
    void aDrainedMemberIsDeletedAtItsDeadline() {
        at(0, new Command.DrainMember("web", "be1", OptionalLong.of(10_000)));
        assertEquals(AdminState.DRAINED, be1().admin());
        pass(9_999);
        assertEquals(AdminState.DRAINED, be1().admin());
        long revision = state.revision();
        pass(10_000);
        assertEquals(List.of("be2", "be3"), names());
        assertEquals(revision + 1, state.revision());
        assertEquals(Timers.none(), state.timers());
    }

    private List<String> names() {
        return state.model().presentMembersOf(1).stream().map(Member::name).toList();
    }

    @Test
    void whoEnablesAMemberOrDrainsItAnewForgetsTheDeadline() {
        at(0, new Command.DrainMember("web", "be1", OptionalLong.of(10_000)));
        at(1, new Command.SetMemberAdmin("web", "be1", AdminState.ENABLED));
        assertEquals(Timers.none(), state.timers());
        at(2, new Command.DrainMember("web", "be1", OptionalLong.of(10_000)));
        at(3, new Command.DrainMember("web", "be1", OptionalLong.empty()));
        pass(100_000);
        assertEquals(AdminState.DRAINED, be1().admin());
    }

    @Test
    void aMemberThatIsDeletedHasNothingToCome() {
        at(0, hold(Health.DOWN, 10_000));
        at(0, new Command.DrainMember("web", "be1", OptionalLong.of(5_000)));
        pass(5_000);
        assertEquals(Timers.none(), state.timers());
    }

    @Test
    void aRampRaisesTheCeilingInEqualStepsAndEndsWithTheWholeWeight() {
        at(0, new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        at(0, new Command.RampMember("web", "be1", 9_000, 3));
        assertEquals(AdminState.ENABLED, be1().admin());
        assertEquals(25, be1().ceiling());
        pass(2_999);
        assertEquals(25, be1().ceiling());
        pass(3_000);
        assertEquals(50, be1().ceiling());
        pass(6_000);
        assertEquals(75, be1().ceiling());
        pass(9_000);
        assertEquals(100, be1().ceiling());
        assertEquals(Timers.none(), state.timers());
    }

    @Test
    void aRampThatNobodyLookedAtForLongIsWhereItShouldBe() {
        at(0, new Command.RampMember("web", "be1", 9_000, 3));
        pass(7_000);
        assertEquals(75, be1().ceiling());
        pass(1_000_000);
        assertEquals(100, be1().ceiling());
    }

    @Test
    void whoSetsWeightCeilingOrStateEndsARampWhereItIs() {
        for (Command other : List.of(
                new Command.SetMemberWeight("web", "be1", 50),
                new Command.SetMemberCeiling("web", "be1", 40),
                new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED))) {
            at(0, new Command.SetMemberWeight("web", "be1", 100));
            at(0, new Command.RampMember("web", "be1", 9_000, 3));
            at(1, other);
            assertEquals(Timers.none(), state.timers(), other::toString);
        }
    }

    @Test
    void aWeightOfOneCannotBeRamped() {
        at(0, new Command.SetMemberWeight("web", "be1", 1));
        String message = refused(Cause.INVALID, new Command.RampMember("web", "be1", 9_000, 3))
                .message();
        assertTrue(message.contains("larger weights"), message);
    }

    @Test
    void aLargerWeightIsTakenStepByStepFromWhatTheMemberHad() {
        at(0, new Command.RampWeight("web", "be1", 200, 9_000, 3));
        assertEquals(200, be1().weight());
        assertEquals(125, be1().ceiling());
        pass(3_000);
        assertEquals(150, be1().ceiling());
        pass(6_000);
        assertEquals(175, be1().ceiling());
        pass(9_000);
        assertEquals(200, be1().ceiling());
        assertEquals(Timers.none(), state.timers());
    }

    @Test
    void aRampOfTheWeightGoesOnFromTheCeiling() {
        at(0, new Command.SetMemberCeiling("web", "be1", 20));
        at(0, new Command.RampWeight("web", "be1", 100, 4_000, 1));
        assertEquals(60, be1().ceiling());
        at(1_000, new Command.RampWeight("web", "be1", 120, 4_000, 2));
        assertEquals(80, be1().ceiling());
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
        pass(3_000);
        assertEquals(100, be1().ceiling());
        at(3_500, new Command.SetMemberWeight("web", "be1", 100));
        assertEquals(Timers.none(), state.timers(), "any other weight ends it");
    }

    @Test
    void onlyARiseIsRamped() {
        String less = refused(Cause.INVALID, new Command.RampWeight("web", "be1", 50, 9_000, 3))
                .message();
        assertTrue(less.contains("weight 50 is less than the 100 that member 'be1' may take now"), less);
        for (int weight : new int[] {100, 101}) {
            String nothing = refused(Cause.INVALID, new Command.RampWeight("web", "be1", weight, 9_000, 3))
                    .message();
            assertTrue(nothing.contains("nothing between"), nothing);
        }
        refused(Cause.INVALID, new Command.RampWeight("web", "be1", 1_001, 9_000, 3));
        refused(Cause.INVALID, new Command.RampWeight("web", "be1", 200, 999, 3));
        refused(Cause.INVALID, new Command.RampWeight("web", "be1", 200, 9_000, 0));
        refused(Cause.NOT_FOUND, new Command.RampWeight("web", "nil", 200, 9_000, 3));
        at(0, new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        String drained = refused(Cause.LIMIT, new Command.RampWeight("web", "be1", 200, 9_000, 3))
                .message();
        assertTrue(drained.contains("is drained"), drained);
    }

    @Test
    void whatCannotBeDeletedStaysDrainedAndTheOthersGo() {
        var weights = new TreeMap<Integer, Integer>();
        List.of(1, 2, 3).forEach(member -> weights.put(member, 100));
        Digest any = SlotTable.build(HashAlgoVersion.V1, 1, 256, List.of()).digest();
        done(new Command.CommitGeneration(1, 1, state.revision(), weights, any, "all in"));
        at(0, new Command.DrainMember("web", "be1", OptionalLong.of(1_000)));
        at(0, new Command.DrainMember("web", "be2", OptionalLong.of(1_000)));
        pass(1_000);
        // Two of three retired would be more than a quarter of the base: one is the most that may be deleted now.
        assertEquals(List.of("be2", "be3"), names());
        assertEquals(
                AdminState.DRAINED,
                state.model().members().values().stream()
                        .filter(member -> member.name().equals("be2"))
                        .findFirst()
                        .orElseThrow()
                        .admin());
        assertEquals(Timers.none(), state.timers(), "the deadline has passed all the same");
    }

    private static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    /** However often time is asked to pass on the way, the end is the same. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theWayDoesNotMatter(long seed) {
        ClusterState start = RandomCommands.state(seed, 400);
        long clock = start.requests().clockMillis();
        ClusterState atOnce =
                StateMachine.apply(start, new Command.PassTime(clock + 200_000)).state();
        ClusterState inSteps = start;
        for (int step = 1; step <= 200; step++) {
            inSteps = StateMachine.apply(inSteps, new Command.PassTime(clock + step * 1_000L))
                    .state();
        }
        assertEquals(atOnce.timers(), inSteps.timers());
        // Which of several members a crowded base may lose depends on the order; those that are left have the same
        // ceilings.
        ClusterState stepped = inSteps;
        atOnce.model()
                .members()
                .forEach((id, member) -> Optional.ofNullable(
                                stepped.model().members().get(id))
                        .ifPresent(other -> assertEquals(member.ceiling(), other.ceiling())));
        assertTrue(atOnce.timers().members().isEmpty(), "all is shorter than that");
    }

    @Test
    void theCeilingsOfARampGrow() {
        for (int weight = 2; weight <= 1_000; weight += 37) {
            for (int steps = 1; steps <= Ramp.STEPS_MAX; steps += 9) {
                int before = 0;
                for (int done = 0; done < steps; done++) {
                    int ceiling = new Ramp(START, 60_000, steps, done, 0).ceiling(weight);
                    assertTrue(ceiling >= Math.max(1, before) && ceiling < weight, weight + " " + steps + " " + done);
                    before = ceiling;
                }
            }
        }
    }

    @Test
    void theCeilingsOfARampOfTheWeightGrowFromWhereItBegan() {
        for (int from = 0; from < 900; from += 83) {
            for (int steps = 1; steps <= Ramp.STEPS_MAX; steps += 9) {
                int before = from;
                for (int done = 0; done < steps; done++) {
                    int ceiling = new Ramp(START, 60_000, steps, done, from).ceiling(from + 71);
                    assertTrue(ceiling >= before && ceiling < from + 71, from + " " + steps + " " + done);
                    before = ceiling;
                }
            }
        }
    }
}
