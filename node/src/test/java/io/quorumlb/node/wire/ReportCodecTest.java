package io.quorumlb.node.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.node.core.NodeReport;
import io.quorumlb.proto.v1.PeerAge;
import io.quorumlb.proto.v1.PoolReport;
import io.quorumlb.proto.v1.RaftRole;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportCodecTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyReportComesBackEqual(long seed) throws InvalidProtocolBufferException {
        NodeReport original = Messages.report(new Random(seed));
        byte[] bytes = ReportCodec.toWire(original).toByteArray();
        assertEquals(original, ReportCodec.fromWire(io.quorumlb.proto.v1.NodeReport.parseFrom(bytes)));
    }

    @Test
    void agesAreRoundedUpAndStayInRange() {
        assertEquals(2, RecordCodec.millis(Duration.ofNanos(1_000_001)));
        assertEquals(0, RecordCodec.millis(Duration.ofNanos(-1)));
        assertEquals(-1, RecordCodec.millis(Duration.ofDays(365)));
    }

    @Test
    void whatIsMalformedIsNamed() {
        refused("report.datapath", io.quorumlb.proto.v1.NodeReport.Builder::clearDatapath);
        refused("report.role", message -> message.setRole(RaftRole.RAFT_ROLE_UNSPECIFIED));
        refused("report.role", message -> message.setRoleValue(99));
        refused(
                "report.leader",
                message -> message.setRole(RaftRole.RAFT_ROLE_FOLLOWER).clearLeader());
        refused(
                "report.datapath.foreign_flows",
                message -> message.getDatapathBuilder().setForeignFlows(-1));
        refused("report.pools.pool_id", message -> message.addPools(PoolReport.newBuilder()));
        refused(
                "report.pools.state",
                message -> message.clearPools().addPools(PoolReport.newBuilder().setPoolId(1)));
        refused(
                "report.pools.built_digest",
                message -> message.clearPools()
                        .addPools(PoolReport.newBuilder().setPoolId(1).setBuiltDigest("abc")));
        refused(
                "report.peers.node",
                message -> message.addPeers(PeerAge.newBuilder().setNode("-")));
    }

    private static void refused(String field, Consumer<io.quorumlb.proto.v1.NodeReport.Builder> damage) {
        var message = ReportCodec.toWire(Messages.report(new Random(1))).toBuilder();
        damage.accept(message);
        var wrong = message.build();
        String complaint =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> ReportCodec.fromWire(wrong))
                        .getMessage());
        assertTrue(complaint.startsWith(field), complaint);
    }
}
