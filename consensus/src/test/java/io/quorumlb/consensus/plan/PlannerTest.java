package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.SlotTable;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlannerTest {
    private static final Verdict UP = new Verdict.Up(3);
    private static final Verdict DOWN = new Verdict.Down(2);
    private static final Verdict UNDECIDED = new Verdict.Undecided();

    private ClusterState state = ClusterState.empty();

    PlannerTest() {
        apply(new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())));
        apply(new Command.CreateSegment(new Segment(0, "p3", IpPrefix.parse("10.30.0.0/24"), new TreeMap<>())));
        var monitor = new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
        apply(new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V1, 1024, monitor)));
    }

    private void fourMembers() {
        member("be1", "p2", "10.20.0.2:8080");
        member("be2", "p3", "10.30.0.2:8080");
        member("be3", "p2", "10.20.0.3:8080");
        member("be4", "p3", "10.30.0.3:8080");
    }

    private void fourUp() {
        fourMembers();
        commit(plan(UP, UP, UP, UP));
    }

    private void member(String name, String segment, String key) {
        apply(new Command.CreateMember(
                "web", segment, new Member(0, 0, 0, name, MemberKey.parse(key), 1, AdminState.ENABLED)));
    }

    private void apply(Command command) {
        var applied = StateMachine.apply(state, command);
        assertInstanceOf(Outcome.Done.class, applied.outcome(), applied.outcome()::toString);
        state = applied.state();
    }

    /** Plans with the verdicts on members 1, 2, 3, ... */
    private Plan plan(Verdict... verdicts) {
        SortedMap<Integer, Verdict> byMember = new TreeMap<>();
        for (int i = 0; i < verdicts.length; i++) {
            byMember.put(i + 1, verdicts[i]);
        }
        return Planner.plan(state, state.model().pool("web").orElseThrow(), byMember);
    }

    private Plan.Commit commit(Plan plan) {
        Plan.Commit commit = assertInstanceOf(Plan.Commit.class, plan);
        apply(commit.command());
        PoolGeneration generation = state.generation(1).orElseThrow();
        assertEquals(commit.command().number(), generation.number());
        assertEquals(generation.expected(), generation.build().digest(), "what is committed can be built");
        return commit;
    }

    private void keeps(Plan plan) {
        assertEquals(new Plan.Keep(), plan);
    }

    @Test
    void aPoolThatNeverHadMembersNeedsNoGeneration() {
        keeps(plan());
    }

    @Test
    void theFirstGenerationStartsWithEverybodyDown() {
        fourMembers();
        Plan.Commit commit = commit(plan());
        assertEquals(1, commit.command().number());
        assertEquals(
                "be1 added, be2 added, be3 added, be4 added", commit.command().reason());
        assertMovement(0, 0, commit.movement());
        assertTrue(state.generation(1).orElseThrow().eligible().isEmpty());
        keeps(plan(DOWN, DOWN, UNDECIDED, DOWN));
    }

    @Test
    void fourUpGiveTheTableOfVersionOne() {
        fourMembers();
        Plan.Commit commit = commit(plan(UP, UP, UP, UP));
        assertEquals("0a16713c5a9eb94d", commit.command().expected().toString());
        assertMovement(1024, 0, commit.movement());
        assertTrue(commit.command().reason().startsWith("be1 up (seen by 3 nodes), be2 up"));
    }

    @Test
    void oneDownMovesItsOwnSlotsAndEightMore() {
        fourUp();
        Plan.Commit commit = commit(plan(DOWN, UP, UP, UP));
        assertEquals("6c5bb0a164d76e61", commit.command().expected().toString());
        assertMovement(256 + 8, 8, commit.movement());
        assertEquals("be1 down (seen by 2 nodes)", commit.command().reason());
        Plan.Commit back = commit(plan(UP, UP, UP, UP));
        assertEquals("0a16713c5a9eb94d", back.command().expected().toString());
        assertEquals(3, back.command().number());
    }

    @Test
    void undecidedKeepsWhateverWasCommitted() {
        fourUp();
        keeps(plan(UNDECIDED, UP, UNDECIDED, UP));
        keeps(plan());
        commit(plan(DOWN, UP, UP, UP));
        keeps(plan(UNDECIDED, UP, UP, UP));
        keeps(plan());
    }

    @Test
    void allDownGiveAnEmptyTable() {
        fourUp();
        Plan.Commit commit = commit(plan(DOWN, DOWN, DOWN, DOWN));
        assertMovement(1024, 0, commit.movement());
        assertTrue(state.generation(1).orElseThrow().build().isEmpty());
    }

    @Test
    void aDrainedMemberLeavesHoweverHealthyAndComesBackOnlyWhenItIsUp() {
        fourUp();
        apply(new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        Plan.Commit drain = commit(plan(UP, UP, UP, UP));
        assertEquals("be1 drained", drain.command().reason());
        assertEquals("6c5bb0a164d76e61", drain.command().expected().toString());
        keeps(plan(DOWN, UP, UP, UP));
        apply(new Command.SetMemberAdmin("web", "be1", AdminState.ENABLED));
        keeps(plan(DOWN, UP, UP, UP));
        keeps(plan(UNDECIDED, UP, UP, UP));
        Plan.Commit enable = commit(plan(UP, UP, UP, UP));
        assertEquals("be1 up (seen by 3 nodes)", enable.command().reason());
        assertEquals("0a16713c5a9eb94d", enable.command().expected().toString());
    }

    @Test
    void weightsFollowTheConfiguration() {
        fourUp();
        apply(new Command.SetMemberWeight("web", "be1", 3));
        Plan.Commit heavier = commit(plan(UNDECIDED, UP, UP, UP));
        assertEquals("10da32ec0424f2ae", heavier.command().expected().toString());
        assertEquals("be1 weight 1 -> 3", heavier.command().reason());
        apply(new Command.SetMemberWeight("web", "be1", 0));
        Plan.Commit none = commit(plan(UP, UP, UP, UP));
        assertEquals("be1 has weight 0", none.command().reason());
        assertEquals("6c5bb0a164d76e61", none.command().expected().toString());
    }

    @Test
    void aWeightOfADownMemberIsCommittedAndMovesNothing() {
        fourUp();
        commit(plan(DOWN, UP, UP, UP));
        apply(new Command.SetMemberWeight("web", "be1", 5));
        Plan.Commit commit = commit(plan(DOWN, UP, UP, UP));
        assertEquals("be1 weight 1 -> 5", commit.command().reason());
        assertMovement(0, 0, commit.movement());
        assertEquals(
                5, state.generation(1).orElseThrow().member(1).orElseThrow().weight());
    }

    @Test
    void membersComeAndGo() {
        fourUp();
        member("be5", "p2", "10.20.0.4:8080");
        assertEquals("be5 added", commit(plan(UP, UP, UP, UP)).command().reason());
        assertEquals(
                "be5 up (seen by 3 nodes)",
                commit(plan(UP, UP, UP, UP, UP)).command().reason());
        apply(new Command.DeleteMember("web", "be5"));
        Plan.Commit commit = commit(plan(UP, UP, UP, UP));
        assertEquals("10.20.0.4:8080 removed", commit.command().reason());
        assertEquals("0a16713c5a9eb94d", commit.command().expected().toString());
        List.of("be1", "be2", "be3", "be4").forEach(name -> apply(new Command.DeleteMember("web", name)));
        commit(plan());
        assertTrue(state.generation(1).orElseThrow().members().isEmpty());
        keeps(plan());
    }

    @Test
    void theCommandNamesTheRevisionItWasPlannedFrom() {
        fourMembers();
        Plan.Commit commit = assertInstanceOf(Plan.Commit.class, plan(UP, UP, UP, UP));
        assertEquals(state.revision(), commit.command().revision());
        apply(new Command.SetMemberAdmin("web", "be4", AdminState.DRAINED));
        var outcome = StateMachine.apply(state, commit.command()).outcome();
        assertEquals(
                Outcome.Cause.STALE,
                assertInstanceOf(Outcome.Refused.class, outcome).cause());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void movementIsThatBetweenTheTwoTables(long seed) {
        fourUp();
        var random = new Random(seed);
        List<Verdict> verdicts = List.of(UP, DOWN, UNDECIDED);
        for (int round = 0; round < 30; round++) {
            SlotTable before = state.generation(1).orElseThrow().build();
            Verdict[] drawn = new Verdict[4];
            for (int i = 0; i < drawn.length; i++) {
                drawn[i] = verdicts.get(random.nextInt(verdicts.size()));
            }
            if (plan(drawn) instanceof Plan.Commit planned) {
                commit(planned);
                SlotTable after = state.generation(1).orElseThrow().build();
                assertEquals(Movement.between(before, after), planned.movement());
            }
            keeps(plan(drawn));
        }
    }

    private static void assertMovement(int moved, int collateral, Movement movement) {
        assertEquals(moved, movement.moved());
        assertEquals(collateral, movement.collateral());
    }
}
