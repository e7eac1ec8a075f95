package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotTable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pool web (id 1) with members 1, 2 and 3, of which two must come back. */
class EmptyPoolsTest {
    private static final int WEB = 1;

    private ClusterState state = ClusterState.empty();

    @BeforeEach
    void configure() {
        done(new Command.CreateSegment(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), new TreeMap<>())));
        var monitor = new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3);
        done(new Command.CreatePool(new Pool(0, "web", HashAlgoVersion.V2, 256, monitor).withMinEligible(2)));
        for (int i = 1; i <= 3; i++) {
            done(new Command.CreateMember(
                    "web",
                    "p2",
                    new Member(
                            0, 0, 0, "be" + i, MemberKey.parse("10.20.0.%d:80".formatted(i)), 1, AdminState.ENABLED)));
        }
    }

    private void done(Command command) {
        Applied applied = StateMachine.apply(state, command);
        assertInstanceOf(Outcome.Done.class, applied.outcome(), () -> command + ": " + applied.outcome());
        state = applied.state();
    }

    private void generation(Integer... eligible) {
        var weights = new TreeMap<Integer, Integer>();
        List.of(eligible).forEach(member -> weights.put(member, 1));
        var digest = SlotTable.build(HashAlgoVersion.V2, WEB, 256, List.of()).digest();
        done(new Command.CommitGeneration(
                WEB, state.generationNumber(WEB) + 1, state.revision(), weights, digest, "test"));
    }

    private void emptySince(long generation) {
        assertEquals(generation == 0 ? Map.of() : Map.of(WEB, generation), state.emptySince());
    }

    @Test
    void aPoolThatShrinksIsNotEmpty() {
        generation(1, 2, 3);
        generation(1);
        emptySince(0);
    }

    @Test
    void itIsEmptyWithoutAMemberAndUntilEnoughAreBack() {
        generation(1, 2, 3);
        generation();
        emptySince(2);
        generation(2);
        emptySince(2);
        generation(2, 3);
        emptySince(0);
        generation(3);
        emptySince(0);
    }

    @Test
    void theFirstGenerationMayBeEmpty() {
        emptySince(0);
        generation();
        emptySince(1);
    }

    @Test
    void whoeverAsksForLessGetsItAtOnce() {
        generation();
        generation(2);
        emptySince(1);
        done(new Command.SetMinEligible("web", 1));
        emptySince(0);
    }

    @Test
    void membersThatCannotComeAreNotWaitedFor() {
        generation();
        generation(2);
        emptySince(1);
        done(new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        emptySince(1);
        done(new Command.SetMemberWeight("web", "be3", 0));
        emptySince(0);
    }

    @Test
    void aSnapshotKeepsIt() {
        generation(1);
        generation();
        generation(3);
        emptySince(2);
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
    }

    @Test
    void aDeletedPoolIsForgotten() {
        generation();
        for (String member : List.of("be1", "be2", "be3")) {
            done(new Command.DeleteMember("web", member));
            done(new Command.CompactPool("web", 256));
        }
        emptySince(1);
        done(new Command.DeletePool("web"));
        emptySince(0);
    }
}
