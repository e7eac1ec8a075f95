package io.quorumlb.consensus.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.ClusterState;
import java.nio.file.Path;
import org.apache.ratis.client.RaftClient;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.retry.RetryPolicies;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoisonTest {
    private static final Message GARBAGE = Message.valueOf(ByteString.copyFrom(new byte[] {-1, -1, -1}));

    @TempDir
    Path directory;

    /** A third node may never hear that the entry is committed: then it has no leader and waits. */
    @Test
    void anEntryThatNobodyCanReadStopsAMajorityAndChangesNothing() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            cluster.commit(TestCluster.segment(1));
            TestNode leader = cluster.leader();
            ClusterState before = leader.state();
            for (TestNode node : cluster.nodes()) {
                node.awaitState(before);
            }
            var reply = leader.log().submit(100, GARBAGE, RaftClientRequest.writeRequestType());
            leader.await(
                    "told of the failure, one more as well",
                    _ -> cluster.nodes().stream()
                                    .filter(PoisonTest::toldOfTheFailure)
                                    .count()
                            >= 2);
            for (TestNode node : cluster.nodes()) {
                assertEquals(before, node.state());
            }
            assertFalse(reply.isDone()
                    && !reply.isCompletedExceptionally()
                    && reply.get().isSuccess());
        }
    }

    private static boolean toldOfTheFailure(TestNode node) {
        return node.events().stream()
                .anyMatch(event ->
                        event instanceof LogEvent.Failed(String reason) && reason.contains("cannot be applied"));
    }

    @Test
    void writesOfForeignRaftClientsAreRefusedAndCounted() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            TestNode leader = cluster.leader();
            try (RaftClient client = RaftClient.newBuilder()
                    .setProperties(new RaftProperties())
                    .setRaftGroup(RatisServers.group(leader.settings()))
                    .setLeaderId(RaftPeerId.valueOf(leader.id().value()))
                    .setRetryPolicy(RetryPolicies.noRetry())
                    .build()) {
                assertThrows(StateMachineException.class, () -> client.io().send(GARBAGE));
            }
            assertEquals(1.0, leader.log().metrics().get("raft.foreign_writes_refused"));
            cluster.commit(TestCluster.segment(1));
        }
    }
}
