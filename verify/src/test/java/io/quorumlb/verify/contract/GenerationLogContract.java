package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replicated log promises, whoever keeps it. */
abstract class GenerationLogContract {
    /** More than a log keeps that takes a snapshot every 20 entries. */
    private static final int MANY = 120;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @SuppressWarnings("NullAway.Init") // set before each test
    private LogCluster cluster;

    /** Returns three nodes, none of them running, that take a snapshot every 20 entries. */
    abstract LogCluster cluster(Path directory) throws Exception;

    @BeforeEach
    void start() throws Exception {
        cluster = cluster(directory);
        openAll();
    }

    @AfterEach
    void stop() {
        cluster.close();
        noTermHasTwoLeaders();
        equalIndicesHaveEqualStates();
    }

    private void noTermHasTwoLeaders() {
        SortedMap<Long, NodeId> leaders = new TreeMap<>();
        for (Recorder told : cluster.all()) {
            long last = 0;
            for (LogEvent event : told.events()) {
                if (event instanceof LogEvent.LeadershipChanged(Leadership now)) {
                    assertTrue(now.term() >= last, () -> told.node() + " goes back to an earlier term: " + now);
                    last = now.term();
                    if (now instanceof Leadership.Leading(long term)) {
                        NodeId other = leaders.putIfAbsent(term, told.node());
                        assertTrue(other == null || other.equals(told.node()), "two leaders in term " + term);
                    }
                }
            }
        }
    }

    private void equalIndicesHaveEqualStates() {
        SortedMap<Long, ClusterState> states = new TreeMap<>();
        for (Recorder told : cluster.all()) {
            long last = Long.MIN_VALUE;
            for (LogEvent.Advanced now : told.advances()) {
                assertTrue(now.index() > last, told.node() + " goes from index " + last + " to " + now.index());
                last = now.index();
                ClusterState other = states.putIfAbsent(now.index(), now.state());
                assertTrue(other == null || other.equals(now.state()), "two states at index " + now.index());
            }
        }
    }

    // ---- steps of the tests ----

    private void openAll() throws Exception {
        for (NodeId node : cluster.nodes()) {
            if (!cluster.running(node)) {
                cluster.open(node);
            }
        }
    }

    private List<NodeId> others(NodeId node) {
        return cluster.nodes().stream().filter(other -> !other.equals(node)).toList();
    }

    /** Waits until all of these nodes agree on one of them. */
    private NodeId leader(List<NodeId> among) throws Exception {
        cluster.until(
                () -> agreed(among).isPresent(),
                () -> "one leader for all of "
                        + among.stream()
                                .map(node -> cluster.told(node).leadership())
                                .toList());
        return agreed(among).orElseGet(among::getFirst);
    }

    private NodeId leader() throws Exception {
        return leader(cluster.nodes().stream().filter(cluster::running).toList());
    }

    private Optional<NodeId> agreed(List<NodeId> among) {
        return among.stream()
                .filter(candidate -> cluster.told(candidate).leadership() instanceof Leadership.Leading(long term)
                        && among.stream()
                                .filter(node -> !node.equals(candidate))
                                .allMatch(node -> cluster.told(node)
                                        .leadership()
                                        .equals(new Leadership.Following(term, candidate))))
                .findFirst();
    }

    private NodeId follower() throws Exception {
        return others(leader()).getFirst();
    }

    private ProposeOutcome propose(NodeId node, Command command) throws Exception {
        return cluster.get(cluster.log(node).propose(command));
    }

    /** Commits at the leader of these nodes; asks again while none of them leads. */
    private Outcome commit(List<NodeId> among, Command command) throws Exception {
        while (true) {
            switch (propose(leader(among), command)) {
                case ProposeOutcome.Committed(Outcome outcome) -> {
                    return outcome;
                }
                case ProposeOutcome.NotLeader _ -> Thread.onSpinWait();
                case ProposeOutcome.Unknown(String reason) -> throw new AssertionError(reason);
            }
        }
    }

    private Outcome commit(Command command) throws Exception {
        return commit(cluster.nodes().stream().filter(cluster::running).toList(), command);
    }

    private void commitSegments(int first, int last) throws Exception {
        for (int number = first; number <= last; number++) {
            assertInstanceOf(Outcome.Done.class, commit(segment(number)));
        }
    }

    private void allHave(ClusterState state) throws Exception {
        for (NodeId node : cluster.nodes()) {
            cluster.until(
                    () -> cluster.told(node).state().equals(state),
                    () -> "%s is at revision %d, not %d"
                            .formatted(node, cluster.told(node).state().revision(), state.revision()));
        }
    }

    private boolean barrier(NodeId node) throws Exception {
        return cluster.get(cluster.log(node).readBarrier());
    }

    private static Command segment(int number) {
        return new Command.CreateSegment(new Segment(
                0,
                "s" + number,
                IpPrefix.parse("10.%d.%d.0/24".formatted(number / 256, number % 256)),
                new TreeMap<>()));
    }

    private static boolean hasSegment(ClusterState state, int number) {
        return state.model().segments().values().stream()
                .anyMatch(segment -> segment.name().equals("s" + number));
    }

    // ---- the promises ----

    @Test
    void allApplyTheSameInTheSameOrderAndTheProposerHasAppliedWhenItHears() throws Exception {
        NodeId leader = leader();
        for (int number = 1; number <= 10; number++) {
            var outcome = assertInstanceOf(ProposeOutcome.Committed.class, propose(leader, segment(number)));
            assertEquals(new Outcome.Done(number, number), outcome.outcome());
            assertEquals(number, cluster.told(leader).state().revision());
        }
        var refused = assertInstanceOf(ProposeOutcome.Committed.class, propose(leader, segment(1)));
        assertInstanceOf(Outcome.Refused.class, refused.outcome());
        allHave(cluster.told(leader).state());
    }

    @Test
    void manyProposalsAtOnceAreAppliedInTheOrderOfTheLog() throws Exception {
        NodeId leader = leader();
        List<CompletableFuture<ProposeOutcome>> answers = List.of(1, 2, 3, 4, 5, 6, 7, 8).stream()
                .map(number -> cluster.log(leader).propose(segment(number)))
                .toList();
        TreeMap<Long, Integer> ids = new TreeMap<>();
        for (var answer : answers) {
            var outcome = assertInstanceOf(ProposeOutcome.Committed.class, cluster.get(answer));
            var done = assertInstanceOf(Outcome.Done.class, outcome.outcome());
            ids.put(done.revision(), done.id());
        }
        assertEquals(List.of(1, 2, 3, 4, 5, 6, 7, 8), List.copyOf(ids.values()));
        allHave(cluster.told(leader).state());
    }

    @Test
    void aFollowerWritesNothingNamesTheLeaderAndAnswersBarriers() throws Exception {
        NodeId leader = leader();
        NodeId follower = follower();
        assertEquals(new ProposeOutcome.NotLeader(Optional.of(leader)), propose(follower, segment(1)));
        for (int number = 2; number <= 11; number++) {
            commitSegments(number, number);
            assertTrue(barrier(follower));
            assertTrue(hasSegment(cluster.told(follower).state(), number), "applied before the barrier completes");
        }
        assertTrue(barrier(leader));
        assertFalse(hasSegment(cluster.told(leader).state(), 1));
    }

    @Test
    void whatTheLeaderDidNotHearOfIsCommittedOnceOrNever() throws Exception {
        for (int round = 1; round <= 2; round++) {
            NodeId old = leader();
            List<NodeId> rest = others(old);
            int doubtful = 10 * round;
            CompletableFuture<ProposeOutcome> answer = cluster.log(old).propose(segment(doubtful));
            boolean applied = round > 1;
            if (applied) {
                cluster.until(
                        () -> cluster.nodes().stream()
                                .anyMatch(node -> hasSegment(cluster.told(node).state(), doubtful)),
                        () -> "somebody has applied it");
            }
            cluster.stop(old);
            if (cluster.get(answer) instanceof ProposeOutcome.Committed(Outcome outcome)) {
                assertInstanceOf(Outcome.Done.class, outcome);
            }
            // The log tells: a new leader's first answer comes after everything that can still be committed.
            Outcome told = commit(rest, new Command.DeleteSegment("s" + doubtful));
            if (told instanceof Outcome.Refused refused) {
                assertEquals(Outcome.Cause.NOT_FOUND, refused.cause());
                assertFalse(applied, "applied and lost");
                assertFalse(answer.join() instanceof ProposeOutcome.Committed, "acknowledged and lost");
            }
            cluster.open(old);
            commitSegments(doubtful + 1, doubtful + 1);
            ClusterState state = cluster.told(leader()).state();
            assertFalse(hasSegment(state, doubtful), "committed twice");
            allHave(state);
        }
    }

    @Test
    void aStaleLeaderCommitsNothingAndConfirmsNothing() throws Exception {
        commitSegments(1, 3);
        NodeId old = leader();
        List<NodeId> rest = others(old);
        ClusterState before = cluster.told(old).state();
        cluster.cut(old);
        CompletableFuture<ProposeOutcome> answer = cluster.log(old).propose(segment(50));
        NodeId next = leader(rest);
        assertNotEquals(old, next);
        assertInstanceOf(Outcome.Done.class, commit(rest, segment(51)));
        assertFalse(barrier(old), "nobody confirms it");
        assertFalse(cluster.get(answer) instanceof ProposeOutcome.Committed, "nobody agreed");
        assertEquals(before, cluster.told(old).state(), "what is behind the cut does not come through");
        cluster.until(() -> !cluster.told(old).leads(), () -> "the old leader knows that it leads no longer");
        assertEquals(new ProposeOutcome.NotLeader(Optional.empty()), propose(old, segment(52)));
        cluster.heal();
        assertInstanceOf(Outcome.Done.class, commit(segment(53)));
        ClusterState state = cluster.told(leader()).state();
        allHave(state);
        assertFalse(hasSegment(state, 50) || hasSegment(state, 52), "what the stale leader wrote is gone");
        assertTrue(hasSegment(state, 51) && hasSegment(state, 53));
    }

    @Test
    void withoutMajorityNothingIsCommittedOrConfirmed() throws Exception {
        commitSegments(1, 1);
        NodeId left = leader();
        List<NodeId> gone = others(left);
        gone.forEach(cluster::stop);
        ClusterState before = cluster.told(left).state();
        assertFalse(propose(left, segment(2)) instanceof ProposeOutcome.Committed);
        cluster.until(() -> !cluster.told(left).leads(), () -> left + " knows that it leads no longer");
        assertEquals(new ProposeOutcome.NotLeader(Optional.empty()), propose(left, segment(3)));
        assertFalse(barrier(left));
        assertEquals(before, cluster.told(left).state());
        openAll();
        assertInstanceOf(Outcome.Done.class, commit(segment(4)));
        ClusterState state = cluster.told(leader()).state();
        allHave(state);
        assertFalse(hasSegment(state, 3));
    }

    @Test
    void aNodeThatMissedTooMuchGetsASnapshot() throws Exception {
        commitSegments(1, 2);
        NodeId late = follower();
        cluster.stop(late);
        commitSegments(3, MANY);
        cluster.open(late);
        allHave(cluster.told(leader()).state());
        int advances = cluster.told(late).advances().size();
        assertTrue(advances < MANY / 2, advances + " single entries: not by snapshot");
        commitSegments(MANY + 1, MANY + 1);
        allHave(cluster.told(leader()).state());
        assertTrue(barrier(late));
        // What it got is on its disk.
        cluster.stop(late);
        cluster.open(late);
        assertTrue(cluster.told(late).state().revision() > 2, "the snapshot before anything else");
        allHave(cluster.told(leader()).state());
    }

    @Test
    void theWholeClusterComesBackFromItsDisks() throws Exception {
        commitSegments(1, 30);
        NodeId leader = leader();
        long term = cluster.told(leader).leadership().term();
        ClusterState before = cluster.told(leader).state();
        allHave(before);
        cluster.nodes().forEach(cluster::stop);
        openAll();
        allHave(before);
        assertEquals(new Outcome.Done(31, 31), commit(segment(31)));
        assertTrue(cluster.told(leader()).leadership().term() > term, "no term is lived twice");
    }

    @Test
    void leadershipIsHandedOverOnRequestAndOnlyByWhoHasIt() throws Exception {
        NodeId first = leader();
        NodeId second = others(first).getLast();
        assertFalse(handOver(second, Optional.of(first)), "it has nothing to give");
        assertFalse(handOver(first, Optional.of(new NodeId("n9"))), "nobody of that name");
        assertEquals(first, leader());
        long term = cluster.told(first).leadership().term();
        assertTrue(handOver(first, Optional.of(second)));
        cluster.until(() -> !cluster.told(first).leads(), () -> first + " leads no longer");
        assertEquals(second, leader());
        long given = cluster.told(second).leadership().term();
        assertTrue(given > term);
        commitSegments(1, 1);
        assertTrue(handOver(second, Optional.empty()));
        // What it tells its node may come a moment later.
        cluster.until(() -> !cluster.told(second).leads(), () -> second + " leads no longer");
        // Ratis' leader stays out of one election; on a busy machine it may win the one after.
        assertTrue(cluster.told(leader()).leadership().term() > given, "a new election");
        commitSegments(2, 2);
    }

    @Test
    void leadershipIsNotHandedToANodeThatIsNotThere() throws Exception {
        NodeId first = leader();
        NodeId gone = others(first).getFirst();
        cluster.stop(gone);
        assertFalse(handOver(first, Optional.of(gone)));
        // A leader that could not give its office away must not keep it and refuse to work.
        assertInstanceOf(Outcome.Done.class, commit(segment(1)));
    }

    private boolean handOver(NodeId from, Optional<NodeId> to) throws Exception {
        return cluster.get(cluster.log(from).handOver(to));
    }

    @Test
    void aClosedLogWritesNothingAndSaysSo() throws Exception {
        NodeId node = leader();
        GenerationLog log = cluster.log(node);
        cluster.stop(node);
        int events = cluster.told(node).events().size();
        assertEquals(new ProposeOutcome.NotLeader(Optional.empty()), cluster.get(log.propose(segment(1))));
        assertFalse(cluster.get(log.readBarrier()));
        assertFalse(cluster.get(log.handOver(Optional.empty())));
        assertEquals(events, cluster.told(node).events().size());
        assertFalse(cluster.told(node).events().stream().anyMatch(LogEvent.Failed.class::isInstance));
    }
}
