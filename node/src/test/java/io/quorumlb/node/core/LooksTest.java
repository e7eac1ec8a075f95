package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A leader of more members than it looks at each time. */
class LooksTest {
    private static final int POOLS = 22;
    private static final int MEMBERS = 50;
    private static final int SLOTS = 256;
    private static final Duration TICK = Duration.ofMillis(20);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver leader = cluster.node(Site.N1);

    @BeforeEach
    void addMembers() {
        for (int pool = 0; pool < POOLS; pool++) {
            String name = "p" + pool;
            cluster.log.operator(new Command.CreatePool(new Pool(0, name, HashAlgoVersion.V2, SLOTS, Site.MONITOR)));
            for (int i = 0; i < MEMBERS; i++) {
                MemberKey key = MemberKey.parse("10.20.0.2:" + (10_000 + pool * MEMBERS + i));
                cluster.log.operator(
                        new Command.CreateMember(name, "p2", new Member(0, 0, 0, "m" + i, key, 1, AdminState.ENABLED)));
            }
        }
        cluster.nodes()
                .forEach(node -> node.answering.addAll(
                        cluster.log.state().model().members().keySet()));
        cluster.until(
                () -> leader.report().pools().stream().allMatch(pool -> pool.state() == InstallState.CONVERGED),
                Duration.ofSeconds(30));
        cluster.run(Duration.ofSeconds(3));
    }

    private Looks.Basis lastLook() {
        return leader.state().lead().basis().orElseThrow();
    }

    @Test
    void aProbeThatFindsTheSameAgainIsNoNews() {
        SortedSet<Integer> turns = new TreeSet<>();
        for (int ticks = 0; ticks < 200; ticks++) {
            cluster.run(TICK);
            assertTrue(lastLook().members() <= 3 * MEMBERS, () -> lastLook().members() + " members looked at");
            turns.add(lastLook().turnOf());
        }
        assertTrue(turns.size() >= POOLS / 2, () -> "all pools have their turn within 4 s: " + turns);
    }

    @Test
    void aMemberThatAllSeeDownIsNewsAtOnce() {
        Member member = cluster.log.state().model().members().values().stream()
                .filter(one -> one.key().equals(MemberKey.parse("10.20.0.2:10333")))
                .findFirst()
                .orElseThrow();
        cluster.forget();
        cluster.answers(member.id(), false);
        Duration limit = Duration.ofMillis(3_600);
        cluster.until(() -> !leader.wanted(NodeEffect.Propose.class).isEmpty(), limit);
        assertEquals(
                Optional.of(member.poolId()),
                leader.wanted(NodeEffect.Propose.class).stream()
                        .map(NodeEffect.Propose::command)
                        .filter(Command.CommitGeneration.class::isInstance)
                        .map(command -> ((Command.CommitGeneration) command).poolId())
                        .findFirst());
    }
}
