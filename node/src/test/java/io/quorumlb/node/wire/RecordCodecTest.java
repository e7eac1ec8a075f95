package io.quorumlb.node.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.ObservationRecord;
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

class RecordCodecTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyRecordComesBackEqual(long seed) throws InvalidProtocolBufferException {
        NodeRecord original = Records.any(new Random(seed));
        byte[] bytes = RecordCodec.toWire(original).toByteArray();
        assertEquals(original, RecordCodec.fromWire(io.quorumlb.proto.v1.NodeRecord.parseFrom(bytes)));
    }

    @Test
    void agesAreRoundedUpAndStayInRange() {
        NodeRecord made = Records.of(new NodeId("n1"), 1, 1);
        assertEquals(
                2, RecordCodec.toWire(made.withAge(Duration.ofNanos(1_000_001))).getAgeMillis());
        assertEquals(0, RecordCodec.toWire(made.withAge(Duration.ofNanos(-1))).getAgeMillis());
        assertEquals(-1, RecordCodec.toWire(made.withAge(Duration.ofDays(365))).getAgeMillis());
    }

    @Test
    void whatIsMalformedIsNamed() {
        refused("record.owner", message -> message.setOwner(""));
        refused("record.owner", message -> message.setOwner("N 1"));
        refused("record.incarnation", message -> message.setIncarnation(-1));
        refused("record.report of n1", io.quorumlb.proto.v1.NodeRecord.Builder::clearReport);
        refused("report.datapath", message -> message.getReportBuilder().clearDatapath());
        refused("report.role", message -> message.getReportBuilder().setRole(RaftRole.RAFT_ROLE_UNSPECIFIED));
        refused("report.role", message -> message.getReportBuilder().setRoleValue(99));
        refused("report.leader", message -> message.getReportBuilder().setRole(RaftRole.RAFT_ROLE_FOLLOWER));
        refused(
                "report.datapath.foreign_flows",
                message -> message.getReportBuilder().getDatapathBuilder().setForeignFlows(-1));
        refused(
                "record.observations.health",
                message ->
                        message.addObservations(ObservationRecord.newBuilder().setMemberId(1)));
        ObservationRecord up = ObservationRecord.newBuilder()
                .setMemberId(1)
                .setHealth(Health.HEALTH_UP)
                .build();
        refused(
                "record.observations.member_id 1 is given twice",
                message -> message.addObservations(up).addObservations(up));
        refused(
                "record.observations.member_id",
                message -> message.addObservations(up.toBuilder().setMemberId(1 << 24)));
        refused("report.pools.pool_id", message -> message.getReportBuilder().addPools(PoolReport.newBuilder()));
        refused(
                "report.pools.state",
                message -> message.getReportBuilder()
                        .addPools(PoolReport.newBuilder().setPoolId(1)));
        refused(
                "report.pools.built_digest",
                message -> message.getReportBuilder()
                        .addPools(PoolReport.newBuilder().setPoolId(1).setBuiltDigest("abc")));
        refused(
                "report.peers.node",
                message ->
                        message.getReportBuilder().addPeers(PeerAge.newBuilder().setNode("-")));
    }

    private static void refused(String field, Consumer<io.quorumlb.proto.v1.NodeRecord.Builder> damage) {
        var message = RecordCodec.toWire(Records.of(new NodeId("n1"), 1, 1)).toBuilder();
        damage.accept(message);
        var wrong = message.build();
        String complaint =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> RecordCodec.fromWire(wrong))
                        .getMessage());
        assertTrue(complaint.startsWith(field), complaint);
    }
}
