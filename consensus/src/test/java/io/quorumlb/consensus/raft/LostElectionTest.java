package io.quorumlb.consensus.raft;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.server.raftlog.segmented.SegmentedRaftLogOutputStream;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of a cluster on a busy machine: somebody leads, writes its first entry and is gone before anybody has it. */
class LostElectionTest {
    private static final long LOST_TERM = 2;
    private static final long LATER_TERM = 4;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int BUFFER_BYTES = 1 << 16;

    @TempDir
    Path directory;

    @Test
    void aNodeWhoseFirstEntryNobodyHasIsBroughtUpToDate() throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT)) {
            for (TestNode node : cluster.nodes()) {
                node.open();
                node.close();
                setTerm(node, LATER_TERM);
            }
            TestNode loser = cluster.nodes().getLast();
            setTerm(loser, LOST_TERM);
            writeFirstEntry(loser);
            for (TestNode node : cluster.nodes().subList(0, 2)) {
                node.open();
            }
            cluster.commit(TestCluster.segment(1));
            loser.open();
            loser.awaitState(cluster.leader().state());
            cluster.commit(TestCluster.segment(2));
            loser.awaitState(cluster.leader().state());
        }
    }

    private static Path current(TestNode node) {
        return node.settings()
                .directory()
                .resolve(RatisServers.groupId(node.settings()).getUuid().toString())
                .resolve("current");
    }

    private static void setTerm(TestNode node, long term) throws IOException {
        Files.write(current(node).resolve("raft-meta"), List.of("term=" + term, "votedFor="));
    }

    private static void writeFirstEntry(TestNode node) throws IOException {
        var peers = RaftConfigurationProto.newBuilder();
        node.settings()
                .peers()
                .forEach((id, address) -> peers.addPeers(RaftPeerProto.newBuilder()
                        .setId(ByteString.copyFromUtf8(id.value()))
                        .setAddress(address)));
        LogEntryProto entry = LogEntryProto.newBuilder()
                .setTerm(LOST_TERM)
                .setIndex(1)
                .setConfigurationEntry(peers)
                .build();
        try (var segment = new SegmentedRaftLogOutputStream(
                current(node).resolve("log_inprogress_1").toFile(),
                false,
                SEGMENT_BYTES,
                SEGMENT_BYTES,
                ByteBuffer.allocateDirect(BUFFER_BYTES))) {
            segment.write(entry);
        }
    }
}
