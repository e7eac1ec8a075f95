package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Digest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who is wrong when tables differ. One real node; what the others have built is said in their records. */
class AgreementTest {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Digest OTHER = new Digest("ab".repeat(32));
    private static final Digest THIRD = new Digest("cd".repeat(32));

    private final FakeLog log = new FakeLog();
    private final SortedMap<NodeId, Digest> built = new TreeMap<>();
    private NodeDriver node = node(3);
    private MonotonicTime now = new MonotonicTime(5_000_000_000L);
    private long sequence;

    private NodeDriver node(int voters) {
        var all = new TreeSet<NodeId>();
        for (int i = 1; i <= voters; i++) {
            all.add(new NodeId("n" + i));
        }
        NodeSettings site = Site.settings(Site.N1, 1);
        return new NodeDriver(
                new NodeSettings(site.clusterId(), Site.N1, all, 1, site.uplink(), site.nextHops(), site.segments()),
                new FakeSwitch(Site.PORTS),
                log,
                new MonotonicTime(5_000_000_000L));
    }

    /** Starts n1 of so many voters as the leader, with a generation of four members. */
    private void start(int voters) {
        // The others are not there to tell their fingerprints.
        start(voters, Duration.ofMillis(4_500));
    }

    private void start(int voters, Duration until) {
        node = node(voters);
        Site.configure(log);
        log.elect(Site.N1);
        commit(Optional.empty());
        run(until);
        assertEquals(InstallState.CONVERGED, node.web().state());
        node.forget();
    }

    /** Commits four members with the digest that follows, or with another one. */
    private void commit(Optional<Digest> expected) {
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        List.of(1, 2, 3, 4).forEach(member -> weights.put(member, 1));
        log.operator(new Command.CommitGeneration(
                Site.WEB,
                log.state().generationNumber(Site.WEB) + 1,
                log.state().revision(),
                weights,
                expected.orElse(TABLE),
                "test"));
    }

    private static final Digest TABLE = fourUp();

    private static Digest fourUp() {
        SimCluster cluster = SimCluster.converged();
        return cluster.log.state().generation(Site.WEB).orElseThrow().expected();
    }

    private void run(Duration time) {
        MonotonicTime end = now.plus(time);
        while (!now.reached(end)) {
            now = now.plus(TICK);
            built.forEach(this::publish);
            node.step(now);
        }
    }

    private void publish(NodeId owner, Digest digest) {
        sequence++;
        PoolGeneration generation = log.state().generation(Site.WEB).orElseThrow();
        NodeReport own = node.report();
        var pool = new PoolReport(
                Site.WEB,
                generation.number(),
                Optional.of(generation.expected()),
                Optional.of(digest),
                Optional.empty(),
                InstallState.INSTALLING,
                "");
        var report = new NodeReport(
                own.leadership(),
                1,
                own.datapath(),
                List.of(pool),
                true,
                "",
                "",
                false,
                new TreeMap<>(),
                GatewayReport.NONE,
                Optional.empty(),
                List.of());
        long version = sequence * 2;
        var beat = new Beat(
                owner,
                1,
                sequence,
                version,
                Duration.ZERO,
                new TreeMap<>(),
                new TreeMap<>(),
                Duration.ZERO,
                OpaqueBytes.NONE);
        var whole = new Delta(
                owner,
                1,
                0,
                version,
                version,
                List.of(
                        Entry.own(EntryKey.node(), version - 1, new Content.OfNode(report.lasting())),
                        Entry.own(EntryKey.pool(Site.WEB), version, new Content.OfPool(pool))));
        node.deliver(new NodeEvent.GossipReceived(
                owner, new GossipMessage(List.of(beat), List.of(whole), List.of(), List.of())));
    }

    private void others(Digest... digests) {
        built.clear();
        for (int i = 0; i < digests.length; i++) {
            built.put(new NodeId("n" + (i + 2)), digests[i]);
        }
    }

    private int proposals() {
        return node.wanted(NodeEffect.Propose.class).size();
    }

    @Test
    void ofThreeTheOneThatDiffersFromTheCommittedDigestIsDivergedAndWantsToLeave() {
        start(3);
        commit(Optional.of(OTHER));
        others(OTHER, OTHER);
        log.elect(Site.N2);
        run(Duration.ofSeconds(2));
        assertEquals(InstallState.DIVERGED, node.web().state());
        assertEquals("", node.report().wantsOut(), "not before 3 s");
        run(Duration.ofSeconds(2));
        assertTrue(node.report().wantsOut().startsWith("diverged: built 0a16713c5a9eb94d"), node.report()::wantsOut);
        assertTrue(node.report().announced(), "until it is granted");
        log.operator(new Command.SetService(
                Site.N1, Command.Service.OUT, node.report().wantsOut(), new TreeSet<>(List.of(Site.N2))));
        run(Duration.ofSeconds(1));
        assertFalse(node.report().announced());
        assertEquals(InstallState.DIVERGED, node.web().state());
    }

    @Test
    void ofFiveAMajorityBehindTheCommittedDigestMakesTheOtherTwoDiverged() {
        start(5);
        commit(Optional.of(OTHER));
        others(OTHER, OTHER, THIRD);
        log.elect(Site.N2);
        run(Duration.ofSeconds(5));
        assertEquals(InstallState.MISMATCH, node.web().state(), "two of five are no majority");
        assertEquals("", node.report().wantsOut());
        others(OTHER, OTHER, THIRD, OTHER);
        run(Duration.ofSeconds(5));
        assertEquals(InstallState.DIVERGED, node.web().state());
        assertFalse(node.report().wantsOut().isEmpty());
    }

    @Test
    void aDivergedLeaderGivesItsOfficeAwayAndPlansNothing() {
        start(3);
        commit(Optional.of(OTHER));
        others(OTHER, OTHER);
        run(Duration.ofSeconds(1));
        assertEquals(
                Optional.of(Site.N2),
                node.wanted(NodeEffect.HandOver.class).getFirst().to());
        assertEquals(0, proposals());
    }

    @Test
    void aLeaderThatAMajorityRefutesResignsPlansNothingAndNobodyLeaves() {
        start(3);
        node.muted.add(NodeEffect.HandOver.class);
        others(OTHER, OTHER);
        log.operator(new Command.SetMemberAdmin("web", "be1", AdminState.DRAINED));
        run(Duration.ofSeconds(9));
        NodeEffect.HandOver effect = node.wanted(NodeEffect.HandOver.class).getFirst();
        assertEquals(Optional.of(Site.N2), effect.to());
        assertTrue(effect.reason().contains("a majority built abababab"), effect::reason);
        assertEquals(1, node.wanted(NodeEffect.HandOver.class).size(), "not twice within 10 s");
        assertEquals(0, proposals(), "it plans nothing, whatever is due");
        assertEquals("", node.report().wantsOut(), "nobody leaves");
        others(TABLE, OTHER);
        run(Duration.ofSeconds(1));
        assertEquals(1, proposals(), "as soon as no majority is against it, it plans");
    }

    @Test
    void ofFiveTwoAgainstTheLeaderAreNotEnough() {
        // A leader that hears nobody for long gives its office away for that.
        others(TABLE, TABLE, TABLE, TABLE);
        start(5, Duration.ofSeconds(2));
        others(OTHER, OTHER, TABLE, TABLE);
        run(Duration.ofSeconds(5));
        assertEquals(List.of(), node.wanted(NodeEffect.HandOver.class));
        others(OTHER, OTHER, OTHER, TABLE);
        run(Duration.ofSeconds(1));
        assertEquals(1, node.wanted(NodeEffect.HandOver.class).size());
    }

    @Test
    void theNextLeaderCommitsTheDigestOfTheMajority() {
        start(3);
        commit(Optional.of(OTHER));
        others(TABLE, OTHER);
        long wrong = log.state().generationNumber(Site.WEB);
        run(Duration.ofSeconds(1));
        PoolGeneration corrected = log.state().generation(Site.WEB).orElseThrow();
        assertEquals(wrong + 1, corrected.number());
        assertEquals(TABLE, corrected.expected());
        assertEquals(
                "digest abababababababab of generation %d is not what a majority built from it".formatted(wrong),
                corrected.reason());
        assertEquals(1, proposals());
        assertEquals("", node.report().wantsOut());
    }

    @Test
    void withoutAMajorityNothingIsDecided() {
        start(3);
        commit(Optional.of(OTHER));
        others(THIRD, OTHER);
        run(Duration.ofSeconds(10));
        assertEquals(InstallState.MISMATCH, node.web().state());
        assertEquals(0, proposals());
        assertEquals("", node.report().wantsOut());
        assertTrue(node.report().announced(), "forwards by the generation before");
    }

    @Test
    void whatWasBuiltFromAnEarlierGenerationDoesNotCount() {
        SimCluster cluster = SimCluster.converged();
        NodeDriver n1 = cluster.node(Site.N1);
        for (int i = 0; i < 5; i++) {
            cluster.admin("be1", i % 2 == 0 ? AdminState.DRAINED : AdminState.ENABLED);
            cluster.run(Duration.ofSeconds(1));
        }
        assertEquals(List.of(), n1.wanted(NodeEffect.HandOver.class));
        cluster.nodes().forEach(each -> assertEquals(List.of(), each.said("diverged")));
    }
}
