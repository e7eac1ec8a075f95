package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.pipeline.Cookie;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** More pools change than are looked at in one go. */
class ManyPoolsTest {
    private static final int POOLS = 100;
    private static final int SLOTS = 256;
    private static final int AT_ONCE = 32;
    private static final Duration TICK = Duration.ofMillis(20);
    private static final MacAddress MOVED = MacAddress.parse("02:00:00:00:99:99");

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n2 = cluster.node(Site.N2);

    @BeforeEach
    void addPools() {
        for (int i = 0; i < POOLS; i++) {
            cluster.log.operator(new Command.CreatePool(new Pool(0, "p" + i, HashAlgoVersion.V2, SLOTS, Site.MONITOR)));
            MemberKey key = MemberKey.parse("10.20.0.2:" + (9000 + i));
            cluster.log.operator(
                    new Command.CreateMember("p" + i, "p2", new Member(0, 0, 0, "m", key, 1, AdminState.ENABLED)));
        }
        cluster.nodes()
                .forEach(node -> node.answering.addAll(
                        cluster.log.state().model().members().keySet()));
        cluster.until(() -> converged() == POOLS + 1 && n2.ovs.flows.size() > SLOTS * POOLS, Duration.ofSeconds(20));
        cluster.run(Duration.ofSeconds(1));
        cluster.forget();
    }

    private long converged() {
        return n2.report().pools().stream()
                .filter(pool -> pool.state() == InstallState.CONVERGED)
                .count();
    }

    private void moveTheMember() {
        n2.neighbours("p2", macs -> macs.put(Site.key(1).ipv4().orElseThrow(), MOVED));
    }

    private List<SortedSet<Integer>> changes() {
        return n2.wanted(NodeEffect.ChangeSwitch.class).stream()
                .map(change -> {
                    SortedSet<Integer> pools = new TreeSet<>();
                    change.delta().add().forEach(flow -> pools.add(Cookie.pool(flow.cookie())));
                    return pools;
                })
                .toList();
    }

    @Test
    void someAreChangedAndProvenAtATimeUntilAllAre() {
        moveTheMember();
        cluster.until(() -> !changes().isEmpty(), Duration.ofSeconds(3));
        cluster.until(() -> changes().size() == 4 && converged() == POOLS + 1, Duration.ofSeconds(1));
        List<SortedSet<Integer>> changes = changes();
        assertEquals(
                List.of(AT_ONCE, AT_ONCE, AT_ONCE, POOLS + 1 - 3 * AT_ONCE),
                changes.stream().map(SortedSet::size).toList());
        SortedSet<Integer> all = new TreeSet<>();
        changes.forEach(all::addAll);
        assertEquals(POOLS + 1, all.size(), "each once");
        assertTrue(parts().containsAll(changes), "each was read");
    }

    @Test
    void whatIsProvenIsSaidWhileOthersAreStillToCome() {
        n2.muted.add(NodeEffect.ChangeSwitch.class);
        moveTheMember();
        cluster.until(() -> !changes().isEmpty(), Duration.ofSeconds(3));
        cluster.run(TICK);
        assertEquals(0, converged(), "of all it is known that they are to change");
        SortedSet<Integer> first = changes().getFirst();
        n2.deliver(n2.ovs.change(
                n2.wanted(NodeEffect.ChangeSwitch.class).getFirst().delta()));
        cluster.until(() -> changes().size() == 2, Duration.ofSeconds(1));
        cluster.run(TICK);
        assertEquals(first.size(), converged());
        assertTrue(first.size() == AT_ONCE, first::toString);
    }

    @Test
    void aPoolWhoseFlowsDoNotHoldIsNotProvenByTheOthers() {
        n2.ovs.flows.values().stream()
                .filter(flow ->
                        Cookie.pool(flow.cookie()) == Site.WEB && Cookie.isKind(flow.cookie(), Cookie.Kind.EGRESS))
                .forEach(flow -> n2.ovs.refusesSilently.add(flow.key()));
        moveTheMember();
        cluster.run(Duration.ofSeconds(2));
        assertTrue(n2.web().state() != InstallState.CONVERGED);
        n2.ovs.refusesSilently.clear();
        cluster.until(() -> converged() == POOLS + 1, Duration.ofSeconds(10));
    }

    @Test
    void aLargeSwitchIsAuditedByParts() {
        cluster.run(Duration.ofSeconds(10));
        assertEquals(0, n2.wanted(NodeEffect.ReadSwitch.class).size());
        List<SortedSet<Integer>> parts = parts();
        assertEquals(
                Set.of(0, 32, 64, 96),
                parts.subList(0, 4).stream().map(SortedSet::first).collect(Collectors.toSet()));
        assertTrue(parts.stream().allMatch(part -> part.size() == AT_ONCE), parts::toString);
        assertTrue(parts.size() >= 16 && parts.size() <= 24, "four every two seconds: " + parts.size());
        assertTrue(n2.report().datapath().readBackAge().compareTo(Duration.ofSeconds(3)) < 0);
        assertEquals(POOLS + 1, converged());
    }

    @Test
    void whatAPartFindsWrongIsPutRightAndSaid() {
        Flow lost = n2.ovs.flows.values().stream()
                .filter(flow -> Cookie.pool(flow.cookie()) == Site.WEB + 70)
                .findFirst()
                .orElseThrow();
        n2.ovs.flows.remove(lost.key());
        cluster.until(() -> n2.ovs.flows.containsKey(lost.key()), Duration.ofSeconds(4));
        cluster.run(Duration.ofMillis(100));
        assertEquals(POOLS + 1, converged());
        assertEquals(1, n2.report().datapath().repaired().total());
    }

    @Test
    void aFlowOfNoPoolThatIsGoneIsFoundByAPart() {
        Flow lost = n2.ovs.flows.values().stream()
                .filter(flow -> Cookie.pool(flow.cookie()) == 0)
                .findFirst()
                .orElseThrow();
        n2.ovs.flows.remove(lost.key());
        cluster.until(() -> n2.ovs.flows.containsKey(lost.key()), Duration.ofSeconds(4));
    }

    @Test
    void aSwitchLostWhileAPartIsReadIsReadWhole() {
        n2.muted.add(NodeEffect.ReadPools.class);
        cluster.until(() -> !parts().isEmpty(), Duration.ofSeconds(3));
        NodeEvent answer = n2.ovs.readBack(parts().getLast(), 0);
        // The part was read before the switch came back empty, and arrives after that was heard.
        n2.ovs.flows.clear();
        n2.muted.add(NodeEffect.ReadSwitch.class);
        n2.forget();
        n2.deliver(new NodeEvent.SwitchLost("the switch closed the connection"));
        n2.deliver(answer);
        cluster.run(TICK.multipliedBy(3));
        assertEquals(0, converged());
        assertEquals(1, n2.wanted(NodeEffect.ReadSwitch.class).size());
    }

    @Test
    void othersFlowsAreLookedForInAllOfItNowAndThen() {
        // Nearly a pause between two steps: three hundred seconds are few steps.
        for (int i = 0; i < 340; i++) {
            cluster.tick(Duration.ofMillis(900));
        }
        assertEquals(1, n2.wanted(NodeEffect.ReadSwitch.class).size(), "all of it every five minutes");
        assertTrue(parts().size() > 40, "by parts all the time");
    }

    @Test
    void afterAPauseAllIsReadAtOnce() {
        n2.muted.add(NodeEffect.ReadSwitch.class);
        cluster.tick(Duration.ofSeconds(2));
        cluster.run(Duration.ofMillis(100));
        assertEquals(1, n2.wanted(NodeEffect.ReadSwitch.class).size());
        assertEquals(0, converged(), "what others did meanwhile is not known");
    }

    private List<SortedSet<Integer>> parts() {
        return n2.wanted(NodeEffect.ReadPools.class).stream()
                .map(NodeEffect.ReadPools::pools)
                .toList();
    }
}
