package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.UnknownFieldSet;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.proto.v1.ClusterSnapshot;
import io.quorumlb.proto.v1.CommitGeneration;
import io.quorumlb.proto.v1.EntryOutcome;
import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.LogEntry;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MonitorType;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.Protocol;
import io.quorumlb.proto.v1.Refused;
import io.quorumlb.proto.v1.Segment;
import io.quorumlb.proto.v1.SetMemberAdmin;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class BadInputTest {
    private static final HealthMonitor MONITOR = HealthMonitor.newBuilder()
            .setType(MonitorType.MONITOR_TYPE_TCP)
            .setIntervalMillis(1000)
            .setTimeoutMillis(500)
            .setRise(2)
            .setFall(3)
            .build();
    private static final Pool POOL = Pool.newBuilder()
            .setName("web")
            .setAlgorithm(HashAlgorithm.HASH_ALGORITHM_V1)
            .setSlots(1024)
            .setMonitor(MONITOR)
            .build();
    private static final Member MEMBER = Member.newBuilder()
            .setName("be1")
            .setPool("web")
            .setSegment("p2")
            .setAddress("10.20.0.2:8080")
            .setWeight(1)
            .build();
    private static final Segment SEGMENT =
            Segment.newBuilder().setName("p2").setPrefix("10.20.0.0/24").build();
    private static final Listener LISTENER = Listener.newBuilder()
            .setName("www")
            .setVip("192.0.2.10")
            .setProtocol(Protocol.PROTOCOL_TCP)
            .setPort(80)
            .setPool("web")
            .build();
    private static final UnknownFieldSet NEWER = UnknownFieldSet.newBuilder()
            .addField(99, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();

    private static void refused(String words, Executable conversion) {
        var error = assertThrows(IllegalArgumentException.class, conversion);
        assertTrue(String.valueOf(error.getMessage()).contains(words), error::getMessage);
    }

    private static void unreadable(String words, LogEntry entry) {
        var error = assertThrows(UnreadableEntryException.class, () -> EntryCodec.fromWire(entry));
        assertTrue(String.valueOf(error.getMessage()).contains(words), error::getMessage);
    }

    @Test
    void aMemberWithoutAdministrativeStateIsEnabled() {
        assertEquals(AdminState.ENABLED, ModelCodec.fromWire(MEMBER).admin());
    }

    @Test
    void errorsNameTheFieldAndTheValue() {
        refused("member.address: '10.20.0.2' is not", () -> ModelCodec.fromWire(edit("10.20.0.2")));
        refused("member.address: address '10.20.0.256'", () -> ModelCodec.fromWire(edit("10.20.0.256:80")));
        refused(
                "weight 1001 of member be1 is outside 0..1000",
                () -> ModelCodec.fromWire(MEMBER.toBuilder().setWeight(1001).build()));
        refused(
                "member.weight 4294967295 is outside",
                () -> ModelCodec.fromWire(MEMBER.toBuilder().setWeight(-1).build()));
        refused(
                "member.admin is UNRECOGNIZED",
                () -> ModelCodec.fromWire(MEMBER.toBuilder().setAdminValue(9).build()));
        refused(
                "member name 'B'",
                () -> ModelCodec.fromWire(MEMBER.toBuilder().setName("B").build()));
        refused(
                "pool.algorithm is HASH_ALGORITHM_UNSPECIFIED",
                () -> ModelCodec.fromWire(POOL.toBuilder().clearAlgorithm().build()));
        refused(
                "pool.monitor is not set",
                () -> ModelCodec.fromWire(POOL.toBuilder().clearMonitor().build()));
        refused(
                "1000",
                () -> ModelCodec.fromWire(POOL.toBuilder().setSlots(1000).build()));
        refused(
                "monitor.type is MONITOR_TYPE_UNSPECIFIED",
                () -> ModelCodec.fromWire(MONITOR.toBuilder().clearType().build()));
        refused(
                "monitor interval 4294967295 ms",
                () -> ModelCodec.fromWire(
                        MONITOR.toBuilder().setIntervalMillis(-1).build()));
        refused(
                "segment.prefix: ",
                () -> ModelCodec.fromWire(
                        SEGMENT.toBuilder().setPrefix("10.20.0.0").build()));
        refused(
                "node n1 has two addresses",
                () -> ModelCodec.fromWire(SEGMENT.toBuilder()
                        .addGateways(gateway("n1", "10.20.0.251"))
                        .addGateways(gateway("n1", "10.20.0.252"))
                        .build()));
        refused(
                "segment.gateways.address: ",
                () -> ModelCodec.fromWire(
                        SEGMENT.toBuilder().addGateways(gateway("n1", "x")).build()));
        refused(
                "listener.vip: ",
                () -> ModelCodec.fromWire(LISTENER.toBuilder().setVip("vip").build()));
        refused(
                "listener.protocol is PROTOCOL_UNSPECIFIED",
                () -> ModelCodec.fromWire(LISTENER.toBuilder().clearProtocol().build()));
        refused(
                "port 0 is outside",
                () -> ModelCodec.fromWire(LISTENER.toBuilder().setPort(0).build()));
    }

    @Test
    void anOutcomeMustBeSet() {
        refused("entry_outcome.outcome is not set", () -> OutcomeCodec.fromWire(EntryOutcome.getDefaultInstance()));
        refused(
                "refused.cause is REFUSAL_CAUSE_UNSPECIFIED",
                () -> OutcomeCodec.fromWire(Refused.getDefaultInstance()));
        refused("not an EntryOutcome", () -> OutcomeCodec.parse(ByteBuffer.wrap(new byte[] {1, 2, 3})));
    }

    @Test
    void aSnapshotHasEachIdOnce() {
        refused(
                "snapshot.pools has id 0 twice",
                () -> SnapshotCodec.fromWire(ClusterSnapshot.newBuilder()
                        .addPools(POOL)
                        .addPools(POOL)
                        .build()));
    }

    @Test
    void anEntryWithoutOrWithAnUnknownCommandIsUnreadable() {
        unreadable("without a command", LogEntry.getDefaultInstance());
        unreadable(
                "unknown fields [99] in LogEntry",
                LogEntry.newBuilder().setUnknownFields(NEWER).build());
    }

    @Test
    void anEntryWithAFieldOfANewerVersionIsUnreadable() {
        unreadable(
                "unknown fields [99] in HealthMonitor",
                LogEntry.newBuilder()
                        .setCreatePool(
                                POOL.toBuilder().setMonitor(MONITOR.toBuilder().setUnknownFields(NEWER)))
                        .build());
        unreadable(
                "unknown fields [99] in Gateway",
                LogEntry.newBuilder()
                        .setCreateSegment(SEGMENT.toBuilder()
                                .addGateways(gateway("n1", "10.20.0.251").setUnknownFields(NEWER)))
                        .build());
    }

    @Test
    void anEntryWithABadValueIsUnreadable() {
        unreadable(
                "CREATE_MEMBER: member.address: ",
                LogEntry.newBuilder().setCreateMember(edit("nowhere")).build());
        unreadable(
                "set_member_admin.admin is ADMIN_STATE_UNSPECIFIED",
                LogEntry.newBuilder()
                        .setSetMemberAdmin(SetMemberAdmin.getDefaultInstance())
                        .build());
        unreadable(
                "commit_generation.expected_digest: digest 'ff'",
                LogEntry.newBuilder()
                        .setCommitGeneration(CommitGeneration.newBuilder().setExpectedDigest("ff"))
                        .build());
        assertThrows(UnreadableEntryException.class, () -> EntryCodec.parse(ByteBuffer.wrap(new byte[] {-1, -1, -1})));
    }

    private static Member edit(String address) {
        return MEMBER.toBuilder().setAddress(address).build();
    }

    private static Gateway.Builder gateway(String node, String address) {
        return Gateway.newBuilder().setNode(node).setAddress(address);
    }
}
