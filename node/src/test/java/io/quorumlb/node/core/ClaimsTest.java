package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.NeighbourEntry;
import io.quorumlb.ovs.packet.NeighbourSighting;
import io.quorumlb.ovs.packet.NeighbourSighting.Origin;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClaimsTest {
    private static final Ipv4Address BE1 = Site.key(Site.BE1).ipv4().orElseThrow();
    private static final MacAddress OLD = Site.mac(Site.BE1);
    private static final MacAddress NEW = MacAddress.parse("02:00:00:00:99:99");
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final SimCluster cluster = SimCluster.converged();
    private final NodeDriver n2 = cluster.node(Site.N2);

    @BeforeEach
    void theMemberAnswers() {
        answers(OLD);
        cluster.run(Duration.ofSeconds(3));
        n2.forget();
    }

    private void answers(MacAddress... stations) {
        n2.stations.put(BE1, List.of(stations));
    }

    private void hears(MacAddress mac, Origin origin) {
        n2.deliver(new NodeEvent.NeighboursHeard(List.of(new NeighbourSighting("p2", BE1, mac, origin))));
    }

    private boolean sendsTo(MacAddress mac) {
        return n2.ovs.flows.toString().contains(mac.toString());
    }

    private NeighbourView view() {
        return n2.state().neighbours(cluster.now()).stream()
                .filter(known -> known.key().address().equals(BE1))
                .findFirst()
                .orElseThrow();
    }

    private long told(String code) {
        return n2.wanted(NodeEffect.Say.class).stream()
                .filter(said -> said.code().equals(code))
                .count();
    }

    @Test
    void whatAnswersIsReachableAndFromTheNetwork() {
        assertEquals(NeighbourView.State.REACHABLE, view().state());
        assertEquals(NeighbourView.Source.NETWORK, view().source());
        assertTrue(view().confirmed().orElseThrow().compareTo(Duration.ofMillis(1100)) < 0);
        assertTrue(sendsTo(OLD));
    }

    @Test
    void anAddressThatMovesSilentlyIsFollowedAndTheKernelToo() {
        answers(NEW);
        Duration took = cluster.until(() -> sendsTo(NEW), LIMIT);
        assertTrue(took.compareTo(Duration.ofMillis(1700)) < 0, took::toString);
        assertEquals(
                List.of(new NodeEffect.CorrectNeighbour(
                        new NeighbourEntry("p2", BE1, NEW, NeighbourEntry.Hold.UNTIL_LEARNED))),
                n2.wanted(NodeEffect.CorrectNeighbour.class));
        cluster.run(LIMIT);
        assertEquals(1, told("neighbour-changed"));
        assertEquals(
                List.of("address moved address=10.20.0.2 interface=p2 from=%s to=%s heard_from=NETWORK"
                        .formatted(OLD, NEW)),
                n2.said("address moved"));
        assertEquals(0, told("neighbour-conflict"));
        assertEquals(1, n2.state().neighbourChanges());
    }

    @Test
    void anAnnouncementIsFollowedWithinTheTimeThatTheOldStationHasToAnswer() {
        cluster.run(Duration.ofMillis(620));
        answers(NEW);
        hears(NEW, Origin.NETWORK);
        Duration took = cluster.until(() -> sendsTo(NEW), LIMIT);
        assertTrue(took.compareTo(Duration.ofMillis(1100)) < 0, took::toString);
    }

    @Test
    void aFalseAnnouncementMovesNothingWhileTheStationAnswers() {
        for (int i = 0; i < 20; i++) {
            hears(new MacAddress(NEW.value() + i), Origin.NETWORK);
            cluster.run(Duration.ofMillis(140));
        }
        assertTrue(sendsTo(OLD));
        assertEquals(0, told("neighbour-changed"));
        long questions = n2.wanted(NodeEffect.AskNeighbours.class).stream()
                .flatMap(asked -> asked.questions().stream())
                .filter(question -> question.target().equals(BE1))
                .count();
        assertTrue(questions <= 7, "claims cannot make the node ask more than twice a second: " + questions);
    }

    @Test
    void twoStationsAreNamedOnceAndTheOneInUseStaysUntilItGoes() {
        answers(OLD, NEW);
        cluster.run(Duration.ofSeconds(20));
        assertTrue(sendsTo(OLD));
        assertEquals(1, told("neighbour-conflict"));
        assertEquals(NeighbourView.State.CONFLICT, view().state());
        assertEquals(Optional.of(NEW), view().other());
        answers(NEW);
        cluster.until(() -> sendsTo(NEW), LIMIT);
        assertEquals(NeighbourView.State.REACHABLE, view().state());
    }

    @Test
    void aStationThatStopsAnsweringKeepsItsAddressAndIsSilent() {
        n2.stations.clear();
        cluster.run(Duration.ofSeconds(10));
        assertTrue(sendsTo(OLD));
        assertEquals(NeighbourView.State.SILENT, view().state());
    }

    @Test
    void theKernelIsCorrectedWhenItThinksOtherwiseAndTheStationAnswers() {
        n2.neighbours("p2", macs -> macs.put(BE1, NEW));
        cluster.until(() -> OLD.equals(kernelsBe1()), LIMIT);
        assertTrue(sendsTo(OLD));
    }

    @Test
    void theKernelCountsWhenNoStationHasSpokenForLong() {
        n2.stations.clear();
        cluster.run(Duration.ofSeconds(31));
        n2.neighbours("p2", macs -> macs.put(BE1, NEW));
        cluster.until(() -> sendsTo(NEW), LIMIT);
        assertEquals(NeighbourView.Source.KERNEL, view().source());
    }

    @Test
    void strangersAreNotRemembered() {
        NodeState before = n2.state();
        n2.deliver(new NodeEvent.NeighboursHeard(LongStream.range(0, 5000)
                .mapToObj(i -> new NeighbourSighting(
                        "p2", new Ipv4Address(0x0a140100 + (int) i), new MacAddress(i + 1), Origin.NETWORK))
                .toList()));
        cluster.run(Duration.ofMillis(100));
        assertEquals(
                before.neighbours(before.steppedAt()).size(),
                n2.state().neighbours(cluster.now()).size());
    }

    @Test
    void aStaticMacAddressIsUsedAndTheDifferenceIsSaidOnce() {
        cluster.log.operator(new Command.SetMemberMac("web", "be1", Optional.of(new StaticMac(NEW.value()))));
        cluster.until(() -> sendsTo(NEW), LIMIT);
        cluster.run(Duration.ofSeconds(5));
        assertEquals(1, told("static-neighbour-differs"));
        assertEquals(NeighbourView.Source.STATIC, view().source());
        assertEquals(NeighbourView.State.DIFFERS, view().state());
        assertEquals(Optional.of(OLD), view().other());
        assertEquals(NEW, kernelsBe1(), "the kernel follows");
        cluster.log.operator(new Command.SetMemberMac("web", "be1", Optional.empty()));
        cluster.until(() -> sendsTo(OLD), LIMIT);
        assertFalse(sendsTo(NEW));
        assertEquals(NeighbourView.State.REACHABLE, view().state());
    }

    @Test
    void aFailedProbeAsksAtOnce() {
        n2.forget();
        n2.answering.remove(Site.BE1);
        MonotonicTime before = cluster.now();
        cluster.until(() -> told("member-suspect") == 1, LIMIT);
        Duration failed = cluster.now().since(before);
        cluster.run(Duration.ofMillis(540));
        assertTrue(
                n2.wanted(NodeEffect.AskNeighbours.class).stream()
                        .flatMap(asked -> asked.questions().stream())
                        .anyMatch(question -> question.target().equals(BE1)),
                () -> "failed after " + failed);
    }

    @Test
    void manyAddressesAreAskedForLessOften() {
        assertEquals(Duration.ofSeconds(1), Resolving.period(1));
        assertEquals(Duration.ofSeconds(1), Resolving.period(500));
        assertEquals(Duration.ofSeconds(20), Resolving.period(10_000));
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    /** Whatever is said: an address is never lost, is one that was said, and is the station's that alone answers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void theOneThatAloneAnswersIsFound(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 15; round++) {
            switch (random.nextInt(4)) {
                case 0 -> answers(new MacAddress(NEW.value() + random.nextInt(3)));
                case 1 -> answers(OLD, NEW);
                case 2 -> n2.stations.clear();
                default ->
                    hears(
                            new MacAddress(NEW.value() + random.nextInt(5)),
                            random.nextBoolean() ? Origin.NETWORK : Origin.KERNEL);
            }
            cluster.run(Duration.ofMillis(20 + random.nextInt(900)));
            long used = view().mac().orElseThrow().value();
            assertTrue(used == OLD.value() || (used >= NEW.value() && used < NEW.value() + 5));
        }
        MacAddress last = new MacAddress(NEW.value() + random.nextInt(3));
        answers(last);
        cluster.run(LIMIT);
        assertEquals(Optional.of(last), view().mac());
        assertTrue(sendsTo(last));
    }

    private MacAddress kernelsBe1() {
        return Optional.ofNullable(n2.network.neighbours().get("p2"))
                .map(macs -> macs.get(BE1))
                .orElseThrow();
    }
}
