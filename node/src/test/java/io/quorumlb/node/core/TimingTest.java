package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.maglev.TableMember;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The leader has the log's time pass when something waits for it. */
class TimingTest {
    private static final long START = Duration.ofDays(20_000).toMillis();

    private final SimCluster cluster = SimCluster.converged();
    private int writes;

    private void operator(Command command) {
        long stamp = START + Duration.ofNanos(cluster.now().nanos()).toMillis();
        var origin = new Origin(new RequestId("w" + ++writes), "content", stamp, OptionalLong.empty());
        cluster.log.operator(new Command.Requested(origin, command));
    }

    private void hold(Health health, Duration time) {
        operator(new Command.HoldMember("web", "be1", health, time.toMillis(), "a deploy"));
    }

    private ClusterState state() {
        return cluster.log.state();
    }

    private boolean in(int member) {
        return state().generation(Site.WEB).orElseThrow().eligible().stream()
                .map(TableMember::id)
                .toList()
                .contains(member);
    }

    private int be1() {
        return state().model().members().values().stream()
                .filter(member -> member.name().equals("be1"))
                .map(Member::id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMemberHeldDownIsOutForThatTimeAndThenBack() {
        int member = be1();
        hold(Health.DOWN, Duration.ofSeconds(10));
        cluster.until(() -> !in(member), Duration.ofSeconds(1));
        cluster.run(Duration.ofSeconds(8));
        assertTrue(!in(member), "it is held although all see it up");
        Duration took = cluster.until(() -> in(member), Duration.ofSeconds(3));
        assertTrue(took.compareTo(Duration.ofMillis(500)) > 0, "not before its time: " + took);
        assertEquals(Optional.empty(), state().held(member));
        assertEquals(
                1,
                cluster.node(Site.N1)
                        .said("member is no longer held member=be1")
                        .size());
    }

    @Test
    void aMemberHeldUpIsInForThatTimeAndNoNodeLeavesForIt() {
        int member = be1();
        hold(Health.UP, Duration.ofSeconds(20));
        cluster.answers(member, false);
        cluster.run(Duration.ofSeconds(18));
        assertTrue(in(member), "it is held although all see it down");
        assertTrue(state().outOfService().isEmpty(), "the nodes contradict the operator, not the cluster");
        cluster.until(() -> !in(member), Duration.ofSeconds(4));
    }

    @Test
    void aHoldEndsAlsoIfTheLeaderChangesAndIfAllControllersStartAgain() {
        int member = be1();
        hold(Health.DOWN, Duration.ofSeconds(10));
        cluster.run(Duration.ofSeconds(4));
        cluster.log.elect(Site.N2);
        cluster.run(Duration.ofSeconds(4));
        assertTrue(!in(member));
        cluster.until(() -> in(member), Duration.ofSeconds(4));
        hold(Health.DOWN, Duration.ofSeconds(10));
        cluster.run(Duration.ofSeconds(2));
        cluster.restartControllers(Site.N1, Site.N2, Site.N3);
        cluster.log.elect(Site.N3);
        // They reckon from the last entry that carried a time; the shell, which knows better, is not in this test.
        cluster.until(() -> in(member), Duration.ofSeconds(14));
    }

    @Test
    void withoutAnythingToComeNothingIsWritten() {
        operator(new Command.SetMemberAdmin("web", "be1", AdminState.ENABLED));
        cluster.forget();
        cluster.run(Duration.ofMinutes(3));
        assertEquals(List.of(), passed());
    }

    @Test
    void whileSomethingIsToComeOneEntryAMinuteIsWritten() {
        hold(Health.DOWN, Duration.ofHours(1));
        cluster.run(Duration.ofSeconds(1));
        cluster.forget();
        cluster.run(Duration.ofMinutes(5));
        assertTrue(passed().size() >= 4 && passed().size() <= 5, passed()::toString);
    }

    private List<NodeEffect.Propose> passed() {
        return cluster.nodes().stream()
                .flatMap(node -> node.wanted(NodeEffect.Propose.class).stream())
                .filter(propose -> propose.command() instanceof Command.PassTime)
                .toList();
    }

    @Test
    void aDrainedMemberIsDeletedAndARampIsClimbed() {
        operator(new Command.DrainMember("web", "be1", OptionalLong.of(5_000)));
        operator(new Command.SetMemberWeight("web", "be2", 4));
        operator(new Command.RampMember("web", "be2", 8_000, 3));
        cluster.run(Duration.ofSeconds(4));
        assertEquals(2, be2().ceiling());
        cluster.until(
                () -> state().model().presentMembersOf(Site.WEB).stream()
                        .noneMatch(member -> member.name().equals("be1")),
                Duration.ofSeconds(2));
        cluster.until(() -> be2().ceiling() == 4, Duration.ofSeconds(5));
    }

    private Member be2() {
        return state().model().members().values().stream()
                .filter(member -> member.name().equals("be2"))
                .findFirst()
                .orElseThrow();
    }
}
