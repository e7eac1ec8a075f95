package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.ProbeBytes;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                () -> MonitorCodec.fromWire(MONITOR.toBuilder().clearType().build()));
        refused(
                "monitor interval 4294967295 ms",
                () -> MonitorCodec.fromWire(
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
                "listener.port 0 is outside 1..65535",
                () -> ModelCodec.fromWire(LISTENER.toBuilder().setPort(0).build()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "prefix: 'fd00::/64'                          | segment.prefix: fd00::/64 is IPV6, IPV4 expected",
                "prefix6: '10.20.0.0/24'                      | segment.prefix6: 10.20.0.0/24 is IPV4, IPV6 expected",
                "prefix6: 'fd00::1/64'                        | segment.prefix6: network fd00::1/64 has host bits set: fd00::/64",
                "prefix6: 'fd00::/127'                        | prefix length 127 of fd00:: is outside 16..126",
                "                                             | segment p2 has no network",
                "prefix: '10.20.0.0/24' gateways { node: 'n1' address: 'fd00::1' } | segment.prefix6 is not set, but gateway fd00::1",
                "prefix6: 'fd00::/64' gateways { node: 'n1' address: 'fd01::1' } | gateway fd01::1 of node n1 is outside its segment"
            })
    void networksOfSegmentsAreOfTheirFamily(String fields, String words) throws Exception {
        var text = "name: 'p2' " + (fields == null ? "" : fields);
        Segment message = TextFormat.parse(text, Segment.class);
        refused(words, () -> ModelCodec.fromWire(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "protocol: PROTOCOL_UDP                               | listener.port 0 is outside 1..65535",
                "protocol: PROTOCOL_TCP port: 70000                   | listener.port 70000 is outside 1..65535",
                "protocol: PROTOCOL_TCP port: 80 port_last: 70000     | listener.port_last 70000 is outside 1..65535",
                "protocol: PROTOCOL_TCP port: 80 port_last: 79        | listener.port_last 79 is below the first port 80",
                "protocol: PROTOCOL_TCP port: 80 port_last: 81 member_port: 9 | listener.member_port 9 with ports 80-81",
                "protocol: PROTOCOL_TCP port: 80 member_port: 65536   | listener.member_port 65536 is outside 1..65535",
                "protocol: PROTOCOL_TCP port: 80 all_ports: true      | listener.port 80: 0 expected with all_ports",
                "protocol: PROTOCOL_UDP member_port: 53 all_ports: true | listener.member_port 53: 0 expected with all_ports",
                "protocol: PROTOCOL_ANY port: 80                      | listener.port 80: 0 expected with PROTOCOL_ANY",
                "protocol: PROTOCOL_ANY all_ports: true               | listener.all_ports: PROTOCOL_ANY has no ports"
            })
    void portsFitTheProtocol(String fields, String words) throws Exception {
        Listener message = TextFormat.parse("name: 'www' vip: 'fd00::1' " + fields, Listener.class);
        refused(words, () -> ModelCodec.fromWire(message));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type: MONITOR_TYPE_UDP                          | monitor payload is empty: a UDP probe sends 1..1024 bytes",
                "type: MONITOR_TYPE_TCP payload: 'x'             | monitor.payload is set: only a UDP probe has one",
                "type: MONITOR_TYPE_TCP expect: 'x'              | monitor.expect is set",
                "type: MONITOR_TYPE_HTTP path: '/' silence_up: true | monitor.silence_up is set",
                "type: MONITOR_TYPE_HTTP                         | monitor path ''",
                "type: MONITOR_TYPE_UDP payload: 'x' path: '/'   | monitor.path '/': only an HTTP probe has one",
                "type: MONITOR_TYPE_TCP path: '/'                | monitor.path '/': only an HTTP probe has one",
                "type: MONITOR_TYPE_UDP payload: 'x' expect: 'y' silence_up: true | monitor expect '79' contradicts silence",
                "type: MONITOR_TYPE_TCP port: 65536              | monitor port 65536 is outside 1..65535"
            })
    void aMonitorHasWhatItsTypeNeedsAndNothingElse(String fields, String words) throws Exception {
        HealthMonitor message = TextFormat.parse(
                "interval_millis: 1000 timeout_millis: 500 rise: 2 fall: 3 " + fields, HealthMonitor.class);
        refused(words, () -> MonitorCodec.fromWire(message));
    }

    @Test
    void aPayloadIsBounded() {
        var message = MONITOR.toBuilder().setType(MonitorType.MONITOR_TYPE_UDP);
        message.setPayload(ByteString.copyFrom(new byte[1024]));
        assertEquals(
                new MonitorCheck.Udp(ProbeBytes.of(new byte[1024]), ProbeBytes.NONE, MonitorCheck.Silence.FAILURE),
                MonitorCodec.fromWire(message.build()).check());
        message.setPayload(ByteString.copyFrom(new byte[1025]));
        refused("monitor.payload: 1025 bytes are outside 0..1024", () -> MonitorCodec.fromWire(message.build()));
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
