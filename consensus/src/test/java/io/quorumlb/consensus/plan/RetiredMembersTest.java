package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Compaction;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.Movement;
import io.quorumlb.maglev.SlotTable;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Deleted and ramping members: state machine and planner together. */
class RetiredMembersTest {
    private static final int SLOTS = 1024;
    private static final int MEMBERS = 5;

    private ClusterState state = ClusterState.empty();

    /** Pool web of five members be1 to be5, all up and in the table. */
    private void fiveUp(HashAlgoVersion version) {
        done(new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())));
        done(new Command.CreatePool(new Pool(
                0,
                "web",
                version,
                SLOTS,
                new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3))));
        for (int i = 1; i <= MEMBERS; i++) {
            create("be" + i, i, 10);
        }
        plan();
    }

    private void create(String name, int host, int weight) {
        done(create(name, "10.20.0.%d:8080".formatted(host), weight));
    }

    private static Command create(String name, String key, int weight) {
        return new Command.CreateMember(
                "web", "p2", new Member(0, 0, 0, name, MemberKey.parse(key), weight, AdminState.ENABLED));
    }

    private static Command delete(String name) {
        return new Command.DeleteMember("web", name);
    }

    private void done(Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertInstanceOf(Outcome.Done.class, applied.outcome(), applied.outcome()::toString);
        state = applied.state();
    }

    private void refused(Cause cause, String words, Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertSame(state, applied.state());
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertEquals(cause, refused.cause(), refused::message);
        assertTrue(refused.message().contains(words), refused::message);
    }

    /** Commits what is planned with everybody up, and returns what moved. */
    private Movement plan() {
        SortedMap<Integer, Verdict> up = new TreeMap<>();
        state.model().members().keySet().forEach(id -> up.put(id, new Verdict.Up(3)));
        var commit = assertInstanceOf(Plan.Commit.class, Planner.plan(state, pool(), up));
        done(commit.command());
        return commit.movement();
    }

    private void keeps() {
        SortedMap<Integer, Verdict> up = new TreeMap<>();
        state.model().members().keySet().forEach(id -> up.put(id, new Verdict.Up(3)));
        assertInstanceOf(Plan.Keep.class, Planner.plan(state, pool(), up));
    }

    private Pool pool() {
        return state.model().pool("web").orElseThrow();
    }

    private Digest digest() {
        SlotTable built = state.generation(pool().id()).orElseThrow().build();
        assertEquals(state.generation(pool().id()).orElseThrow().expected(), built.digest());
        return built.digest();
    }

    @Test
    void deletingAfterDrainingMovesNothingMore() {
        fiveUp(HashAlgoVersion.V2);
        done(new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        Movement drained = plan();
        assertEquals(0, drained.collateral());
        done(delete("be1"));
        keeps();
        assertTrue(state.model().member(pool().id(), "be1").isEmpty(), "nobody sees it any more");
        assertEquals(MEMBERS - 1, state.model().presentMembersOf(pool().id()).size());
        assertEquals(MEMBERS, state.model().membersOf(pool().id()).size(), "the base still has it");
    }

    @Test
    void deletingWithoutDrainingMovesNoSlotOfTheOthers() {
        fiveUp(HashAlgoVersion.V2);
        done(delete("be3"));
        assertEquals(0, plan().collateral());
    }

    @Test
    void aMemberThatComesBackTakesItsOwnSlotsAgain() {
        fiveUp(HashAlgoVersion.V2);
        Digest before = digest();
        done(delete("be2"));
        plan();
        create("reborn", 2, 10);
        Movement back = plan();
        assertEquals(0, back.collateral());
        assertEquals(before, digest(), "the key decides, neither name nor id");
        assertEquals(MEMBERS, state.model().membersOf(pool().id()).size());
        assertEquals(
                MEMBERS + 1,
                state.model().member(pool().id(), "reborn").orElseThrow().id(),
                "ids are given once");
    }

    @Test
    void atMostAQuarterOfTheBaseMayBeRetired() {
        fiveUp(HashAlgoVersion.V2);
        done(delete("be1"));
        refused(Cause.LIMIT, "weight 20 of 50", delete("be2"));
        refused(Cause.LIMIT, "compact the pool first", delete("be2"));
        done(new Command.CompactPool("web", SLOTS));
        plan();
        done(delete("be2"));
    }

    @Test
    void compactingIsGuardedAndGivesTheTableOfTheRest() {
        fiveUp(HashAlgoVersion.V2);
        done(delete("be5"));
        plan();
        int moves = Compaction.of(state, pool()).movement().moved();
        assertTrue(moves > 0, "another base moves slots");
        refused(
                Cause.LIMIT,
                "moves %d of %d slots, allowed are %d".formatted(moves, SLOTS, moves - 1),
                new Command.CompactPool("web", moves - 1));
        done(new Command.CompactPool("web", moves));
        Movement movement = plan();
        assertEquals(moves, movement.moved(), "what was said is what happens");
        Digest compacted = digest();
        state = ClusterState.empty();
        fiveUp(HashAlgoVersion.V2);
        done(new Command.SetMemberWeight("web", "be5", 0));
        plan();
        assertEquals(compacted, digest());
    }

    @Test
    void compactingNothingChangesNothing() {
        fiveUp(HashAlgoVersion.V2);
        long revision = state.revision();
        done(new Command.CompactPool("web", 0));
        assertEquals(revision, state.revision());
        refused(Cause.NOT_FOUND, "pool 'mail'", new Command.CompactPool("mail", SLOTS));
    }

    @Test
    void versionOneForgetsADeletedMemberAtOnce() {
        fiveUp(HashAlgoVersion.V1);
        done(delete("be1"));
        assertEquals(MEMBERS - 1, state.model().membersOf(pool().id()).size());
    }

    @Test
    void theLastMemberTakesTheRetiredWithIt() {
        fiveUp(HashAlgoVersion.V2);
        for (int i = 1; i < MEMBERS; i++) {
            done(delete("be" + i));
            plan();
            if (i < MEMBERS - 1) {
                done(new Command.CompactPool("web", SLOTS));
                plan();
            }
        }
        assertEquals(2, state.model().members().size(), "one retired, one present");
        done(delete("be5"));
        assertTrue(state.model().members().isEmpty());
        done(new Command.DeletePool("web"));
    }

    @Test
    void aPoolGoesWithItsRetiredMembers() {
        fiveUp(HashAlgoVersion.V2);
        done(delete("be1"));
        plan();
        refused(Cause.IN_USE, "be2", new Command.DeletePool("web"));
        refused(Cause.IN_USE, "member 'be", new Command.DeleteSegment("p2"));
    }

    @Test
    void aRampTakesPartOfTheWeightOnTheSameBase() {
        fiveUp(HashAlgoVersion.V2);
        Digest full = digest();
        done(new Command.SetMemberCeiling("web", "be1", 3));
        plan();
        assertEquals(
                3,
                state.generation(pool().id())
                        .orElseThrow()
                        .member(1)
                        .orElseThrow()
                        .effectiveWeight());
        refused(
                Cause.INVALID,
                "ceiling 11 of member 'be1' is outside 0..10",
                new Command.SetMemberCeiling("web", "be1", 11));
        refused(Cause.INVALID, "ceiling -1", new Command.SetMemberCeiling("web", "be1", -1));
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
        done(new Command.SetMemberCeiling("web", "be1", 10));
        plan();
        assertEquals(full, digest(), "after the ramp the table is the one from before");
    }

    @Test
    void anotherWeightEndsTheRamp() {
        fiveUp(HashAlgoVersion.V2);
        done(new Command.SetMemberCeiling("web", "be1", 3));
        done(new Command.SetMemberWeight("web", "be1", 20));
        assertEquals(20, state.model().member(pool().id(), "be1").orElseThrow().ceiling());
    }

    @Test
    void aShareUnderOneSlotIsRefusedWithTheLeastNumberOfSlots() {
        fiveUp(HashAlgoVersion.V2);
        for (int i = 1; i <= MEMBERS; i++) {
            done(new Command.SetMemberWeight("web", "be" + i, 1000));
        }
        refused(Cause.INVALID, "10.20.0.6:8080 with weight 1 of 5001", create("be6", "10.20.0.6:8080", 1));
        refused(Cause.INVALID, "at least 8192 slots would do", create("be6", "10.20.0.6:8080", 1));
        create("be6", 6, 1000);
        refused(Cause.INVALID, "weight 1 of 5001", new Command.SetMemberWeight("web", "be6", 1));
        done(new Command.SetMemberWeight("web", "be6", 0));
    }

    @Test
    void retiredMembersSurviveASnapshot() {
        fiveUp(HashAlgoVersion.V2);
        done(delete("be4"));
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
    }
}
