package io.quorumlb.node.core;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.node.core.TrafficView.OfListener;
import io.quorumlb.node.core.TrafficView.OfMember;
import io.quorumlb.ovs.pipeline.Count;
import io.quorumlb.ovs.pipeline.Counted;
import io.quorumlb.ovs.pipeline.DropCause;
import java.time.Duration;
import java.util.Comparator;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class CountingTest {
    private static final Duration READINGS = Duration.ofSeconds(5);
    private static final Predicate<Counted> RECEIVED = Counted.Received.class::isInstance;

    private final SimCluster cluster = SimCluster.converged();
    private NodeDriver n2 = cluster.node(Site.N2);

    /** Lets the rows that count this count some packets. */
    private void hit(Predicate<Counted> what, long packets) {
        n2.ovs.flows.forEach((key, flow) -> {
            if (Counted.of(flow).stream().anyMatch(what)) {
                n2.ovs.packets.merge(key, packets, Long::sum);
            }
        });
    }

    private static Predicate<Counted> to(int member) {
        return counted -> counted instanceof Counted.Forwarded to && to.memberId() == member;
    }

    private static Predicate<Counted> from(int member) {
        return counted -> counted instanceof Counted.Returned from && from.memberId() == member;
    }

    private static Predicate<Counted> dropped(DropCause cause) {
        return counted -> counted instanceof Counted.Dropped drop && drop.cause() == cause;
    }

    private TrafficView view() {
        return n2.state().traffic(cluster.now()).orElseThrow();
    }

    private static Count packets(long packets) {
        return new Count(packets, 100 * packets);
    }

    private OfListener listener() {
        assertEquals(1, view().listeners().size());
        return view().listeners().getFirst();
    }

    private OfMember member(int id) {
        return view().members().stream()
                .filter(of -> of.member().id() == id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void listenersVipsAndMembersShowWhatTheirRowsCounted() {
        hit(RECEIVED, 12);
        hit(to(1), 5);
        hit(to(2), 7);
        hit(from(1), 4);
        hit(from(2), 6);
        cluster.run(READINGS);
        assertEquals("web-http", listener().listener().name());
        assertEquals(packets(12), listener().received().total());
        assertEquals(packets(10), listener().returned().total(), "the replies of both members");
        assertEquals(
                packets(12),
                requireNonNull(view().vips().get(Site.VIP)).received().total());
        assertEquals(packets(5), member(1).forwarded().total());
        assertEquals(packets(4), member(1).returned().total());
        assertEquals(packets(7), member(2).forwarded().total());
        assertEquals(Count.ZERO, member(3).forwarded().total(), "shown though nothing came");
        assertTrue(view().age().compareTo(Duration.ofSeconds(3)) < 0, view()::toString);
    }

    @Test
    void ratesComeFromTheLastTwoReadings() {
        cluster.run(READINGS);
        for (int second = 0; second < 100; second++) {
            hit(RECEIVED, 10);
            cluster.run(Duration.ofMillis(100));
        }
        double rate = listener().received().packetsPerSecond();
        assertTrue(rate > 90 && rate < 110, () -> "a hundred a second, shown " + rate);
        cluster.run(Duration.ofSeconds(6));
        assertEquals(0, listener().received().packetsPerSecond());
    }

    @Test
    void dropsAreShownByCauseWithTheirPool() {
        hit(dropped(DropCause.NO_MEMBER), 3);
        hit(dropped(DropCause.FRAGMENT), 1);
        cluster.run(READINGS);
        var drops = view().drops().stream()
                .filter(of -> !of.dropped().total().equals(Count.ZERO))
                .sorted(Comparator.comparing(TrafficView.OfDrop::drop))
                .toList();
        assertEquals(DropCause.NO_MEMBER, drops.getFirst().drop().cause());
        assertEquals("web", drops.getFirst().pool());
        assertEquals(packets(3), drops.getFirst().dropped().total());
        assertEquals(DropCause.FRAGMENT, drops.getLast().drop().cause());
    }

    @Test
    void theNextLifeOfTheControllerBeginsWithWhatTheSwitchSays() {
        hit(RECEIVED, 12);
        cluster.run(READINGS);
        cluster.restartControllers(Site.N2);
        n2 = cluster.node(Site.N2);
        cluster.run(READINGS);
        assertEquals(packets(12), listener().received().total());
        hit(RECEIVED, 1);
        cluster.run(READINGS);
        assertEquals(packets(13), listener().received().total());
    }

    @Test
    void whatWasCountedOutlivesTheSwitch() {
        hit(RECEIVED, 12);
        cluster.run(READINGS);
        n2.ovs.reachable = false;
        n2.deliver(new NodeEvent.SwitchLost("gone"));
        cluster.run(Duration.ofSeconds(10));
        assertEquals(packets(12), listener().received().total());
        assertTrue(view().age().compareTo(Duration.ofSeconds(9)) > 0, "and says how old it is");
        n2.ovs.packets.clear();
        n2.ovs.reachable = true;
        hit(RECEIVED, 2);
        cluster.run(READINGS);
        assertEquals(packets(14), listener().received().total());
    }

    @Test
    void aDeletedMemberIsGoneAndItsListenerKeepsItsTotals() {
        hit(RECEIVED, 9);
        hit(from(4), 9);
        cluster.run(READINGS);
        cluster.log.operator(new Command.DeleteMember("web", "be4"));
        cluster.run(Duration.ofSeconds(10));
        assertEquals(3, view().members().size());
        assertEquals(packets(9), listener().received().total());
        assertEquals(packets(9), listener().returned().total());
        assertTrue(
                n2.state().counters().counters().totals().keySet().stream().noneMatch(from(4)),
                "nothing is left of it");
    }
}
