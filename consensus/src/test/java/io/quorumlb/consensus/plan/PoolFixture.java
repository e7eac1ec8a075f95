package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.TableMember;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Pool web of version 2 with members be1, be2, ... of ids 1, 2, ... and what is known of them. */
final class PoolFixture {
    static final Verdict UP = new Verdict.Up(3);
    static final Verdict DOWN = new Verdict.Down(2);
    static final Verdict UNDECIDED = new Verdict.Undecided();
    static final int WEB = 1;

    ClusterState state = ClusterState.empty();

    final SortedMap<Integer, Verdict> verdicts = new TreeMap<>();
    final SortedSet<Integer> disputed = new TreeSet<>();
    final SortedSet<Integer> young = new TreeSet<>();
    final SortedSet<Integer> lastSeenDown = new TreeSet<>();
    final SortedSet<Integer> flapping = new TreeSet<>();
    final SortedMap<Integer, Integer> recentlyDown = new TreeMap<>();
    PoolView.Moment moment = PoolView.Moment.FREE;

    /** Makes the pool with members of weight 1, all up. */
    static PoolFixture up(int members) {
        var fixture = new PoolFixture();
        fixture.apply(new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())));
        var monitor = new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
        fixture.apply(new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V2, 1024, monitor)));
        for (int member = 1; member <= members; member++) {
            fixture.add(member);
        }
        fixture.commit();
        return fixture;
    }

    void add(int member) {
        var key = MemberKey.parse("10.20.0.%d:8080".formatted(member));
        apply(new Command.CreateMember("web", "p2", new Member(0, 0, 0, "be" + member, key, 1, AdminState.ENABLED)));
        verdicts.put(member, UP);
    }

    void apply(Command command) {
        var applied = StateMachine.apply(state, command);
        assertInstanceOf(Outcome.Done.class, applied.outcome(), applied.outcome()::toString);
        state = applied.state();
    }

    void guards(PoolGuards guards) {
        apply(new Command.SetPoolGuards("web", guards));
    }

    void drain(int... members) {
        for (int member : members) {
            apply(new Command.SetMemberAdmin("web", "be" + member, AdminState.DRAINED));
        }
    }

    void override(Guard... guards) {
        apply(new Command.OverrideGuards(
                "web", new GuardOverride(new TreeSet<>(List.of(guards)), state.generationNumber(WEB))));
    }

    void see(Verdict verdict, int... members) {
        for (int member : members) {
            verdicts.put(member, verdict);
        }
    }

    /** A majority sees the members down, another voter sees them up. */
    void dispute(int... members) {
        see(DOWN, members);
        for (int member : members) {
            disputed.add(member);
        }
    }

    Pool pool() {
        return state.model().pool("web").orElseThrow();
    }

    PoolGeneration current() {
        return state.generation(WEB).orElseThrow();
    }

    PoolView view() {
        return new PoolView(verdicts, disputed, young, lastSeenDown, flapping, recentlyDown, moment);
    }

    Plan plan() {
        return Planner.plan(state, pool(), view());
    }

    /** Commits what is planned and returns it. */
    Plan.Commit commit() {
        Plan.Commit commit = assertInstanceOf(Plan.Commit.class, plan());
        apply(commit.command());
        assertEquals(commit.command().expected(), current().build().digest(), "what is committed can be built");
        return commit;
    }

    /** Returns the ids of the members that take traffic. */
    List<Integer> eligible() {
        return current().eligible().stream().map(TableMember::id).toList();
    }

    /** Returns the codes of what is held, when nothing is committed. */
    List<String> held() {
        return assertInstanceOf(Plan.Held.class, plan()).holds().stream()
                .map(Hold::code)
                .toList();
    }

    static List<String> codes(Plan plan) {
        return plan.holds().stream().map(Hold::code).toList();
    }
}
