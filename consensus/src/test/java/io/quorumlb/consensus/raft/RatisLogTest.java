package io.quorumlb.consensus.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatisLogTest {
    @TempDir
    Path directory;

    @Test
    void aCommitIsSeenByAllBeforeItsProposerHears() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode leader = cluster.leader();
            assertEquals(new ProposeOutcome.Committed(new Outcome.Done(1, 1)), leader.propose(TestCluster.segment(1)));
            ClusterState state = leader.state();
            assertEquals(1, state.revision());
            for (TestNode node : cluster.nodes()) {
                node.awaitState(state);
            }
            var again = assertInstanceOf(ProposeOutcome.Committed.class, leader.propose(TestCluster.segment(1)));
            assertEquals(
                    Outcome.Cause.ALREADY_EXISTS,
                    assertInstanceOf(Outcome.Refused.class, again.outcome()).cause());
            assertTrue(
                    leader.log().metrics().size() > 50,
                    () -> leader.log().metrics().toString());
        }
    }

    @Test
    void aFollowerNamesTheLeaderAndAnswersBarriers() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode leader = cluster.leader();
            TestNode follower = cluster.followers().getFirst();
            assertEquals(
                    new ProposeOutcome.NotLeader(Optional.of(leader.id())), follower.propose(TestCluster.segment(1)));
            for (int i = 1; i <= 20; i++) {
                cluster.commit(TestCluster.segment(i));
                assertTrue(follower.barrier());
                assertEquals(i, follower.state().revision(), "applied before the barrier completes");
            }
            assertTrue(leader.barrier());
        }
    }

    @Test
    void anotherLeadsWhenTheLeaderIsGone() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode first = cluster.leader();
            long term = first.leadership().term();
            cluster.commit(TestCluster.segment(1));
            ClusterState before = first.state();
            List<TestNode> others = cluster.followers();
            first.close();
            for (TestNode node : others) {
                node.await("in a later term", it -> it.leadership().term() > term);
            }
            TestNode second = cluster.leader();
            assertNotEquals(first.id(), second.id());
            assertEquals(new Outcome.Done(2, 2), cluster.commit(TestCluster.segment(2)));
            first.open();
            first.awaitState(second.state());
            assertNotEquals(before, first.state());
            cluster.leader();
        }
    }

    @Test
    void leadershipIsHandedToTheNodeThatIsNamedOrToAnyOther() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            cluster.commit(TestCluster.segment(1));
            TestNode first = cluster.leader();
            for (TestNode follower : cluster.followers()) {
                assertFalse(follower.handOver(Optional.of(first.id())), "only the leader has something to give");
                assertTrue(cluster.leader().handOver(Optional.of(follower.id())));
                follower.await("leads", node -> node.leadership() instanceof Leadership.Leading);
                assertInstanceOf(Outcome.class, cluster.commit(TestCluster.segment(2)));
            }
            TestNode last = cluster.leader();
            assertTrue(last.handOver(Optional.empty()));
            last.await("leads no longer", node -> !(node.leadership() instanceof Leadership.Leading));
            assertNotEquals(last.id(), cluster.leader().id());
            assertInstanceOf(Outcome.Done.class, cluster.commit(TestCluster.segment(3)));
        }
    }

    @Test
    void leadershipIsNotHandedToANodeThatIsNotThere() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode first = cluster.leader();
            TestNode gone = cluster.followers().getFirst();
            gone.close();
            assertFalse(first.handOver(Optional.of(gone.id())));
            assertFalse(first.handOver(Optional.of(new NodeId("n9"))));
            assertInstanceOf(Outcome.Done.class, cluster.commit(TestCluster.segment(1)));
        }
    }

    @Test
    void withoutMajorityNothingIsCommittedOrConfirmed() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode leader = cluster.leader();
            List<TestNode> followers = cluster.followers();
            cluster.commit(TestCluster.segment(1));
            Thread stopping = Thread.startVirtualThread(() -> TestCluster.stop(followers));
            // One proposal is always under way: the one that meets the loss is in the log and nobody confirms it.
            int number = 2;
            ProposeOutcome outcome = leader.propose(TestCluster.segment(number));
            while (outcome instanceof ProposeOutcome.Committed) {
                number++;
                outcome = leader.propose(TestCluster.segment(number));
            }
            assertInstanceOf(ProposeOutcome.Unknown.class, outcome);
            stopping.join();
            leader.await("aware that nobody leads", it -> it.leadership() instanceof Leadership.Searching);
            ClusterState before = leader.state();
            assertEquals(
                    new ProposeOutcome.NotLeader(Optional.empty()), leader.propose(TestCluster.segment(number + 1)));
            assertFalse(leader.barrier());
            assertEquals(before, leader.state());

            cluster.open();
            assertInstanceOf(Outcome.Done.class, cluster.commit(TestCluster.segment(number + 1)));
            ClusterState state = cluster.leader().state();
            for (TestNode node : cluster.nodes()) {
                node.awaitState(state);
            }
        }
    }

    @Test
    void theWholeClusterRecoversFromItsLogs() throws Exception {
        ClusterState before;
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            for (int i = 1; i <= 30; i++) {
                cluster.commit(TestCluster.segment(i));
            }
            before = cluster.leader().state();
            cluster.stop();
            cluster.open();
            for (TestNode node : cluster.nodes()) {
                node.awaitState(before);
            }
            assertEquals(new Outcome.Done(31, 31), cluster.commit(TestCluster.segment(31)));
        }
    }

    @Test
    void theWholeClusterRecoversFromSnapshots() throws Exception {
        try (var cluster = new TestCluster(directory, TestCluster.SMALL).open()) {
            for (int i = 1; i <= 100; i++) {
                cluster.commit(TestCluster.segment(i));
            }
            ClusterState before = cluster.leader().state();
            for (TestNode node : cluster.nodes()) {
                node.awaitState(before);
            }
            cluster.stop();
            cluster.open();
            for (TestNode node : cluster.nodes()) {
                var first = assertInstanceOf(
                        LogEvent.Advanced.class, node.events().getFirst(), "snapshot before anything else");
                assertTrue(first.state().revision() > 0);
                node.awaitState(before);
            }
            assertEquals(new Outcome.Done(101, 101), cluster.commit(TestCluster.segment(101)));
        }
    }

    @Test
    void aFollowerThatMissedPurgedEntriesGetsASnapshot() throws Exception {
        try (var cluster = new TestCluster(directory, TestCluster.SMALL).open()) {
            cluster.commit(TestCluster.segment(1));
            TestNode late = cluster.followers().getFirst();
            late.awaitState(cluster.leader().state());
            late.close();
            for (int i = 2; i <= 300; i++) {
                cluster.commit(TestCluster.segment(i));
            }
            late.open();
            late.awaitState(cluster.leader().state());
            long advances = late.events().stream()
                    .filter(LogEvent.Advanced.class::isInstance)
                    .count();
            assertTrue(advances < 150, "%d single entries: not by snapshot".formatted(advances));
            cluster.commit(new Command.DeleteSegment("s300"));
            late.awaitState(cluster.leader().state());
            assertTrue(late.barrier());
        }
    }

    @Test
    void aClosedLogWritesNothingAndSaysSo() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode leader = cluster.leader();
            RatisLog log = leader.log();
            leader.close();
            int events = leader.events().size();
            assertEquals(
                    new ProposeOutcome.NotLeader(Optional.empty()),
                    log.propose(TestCluster.segment(1)).get());
            assertFalse(log.readBarrier().get());
            assertEquals(events, leader.events().size());
            assertFalse(leader.events().stream().anyMatch(LogEvent.Failed.class::isInstance));
        }
    }
}
