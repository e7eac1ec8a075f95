package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DeleteSegmentRequest;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.GetPoolSlotsRequest;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.MonitorType;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class RefusalTest {
    private static final int UNKNOWN_ALGORITHM = 9;
    private final LoneNode node = LoneNode.leading();
    private final ControlServiceGrpc.ControlServiceBlockingStub api = node.api();

    RefusalTest() throws IOException {
        // Only the field initializers throw.
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aRequestThatIsWrongByItselfIsNotProposed() {
        invalid("segment", () -> api.createSegment(CreateSegmentRequest.getDefaultInstance()));
        invalid("segment.prefix", () -> api.createSegment(changed(segment -> segment.setPrefix("10.20.0.1/24"))));
        invalid("segment", () -> api.createSegment(changed(segment -> segment.setName("P 2"))));
        CreatePoolRequest.Builder pool = Site.POOL.toBuilder();
        invalid("pool.algorithm", () -> {
            pool.getPoolBuilder().setAlgorithmValue(UNKNOWN_ALGORITHM);
            return api.createPool(pool.build());
        });
        CreatePoolRequest.Builder monitor = Site.POOL.toBuilder();
        invalid("monitor.type", () -> {
            monitor.getPoolBuilder().getMonitorBuilder().setType(MonitorType.MONITOR_TYPE_UNSPECIFIED);
            return api.createPool(monitor.build());
        });
        invalid("member.address", () -> api.createMember(Site.member("be1", "10.20.0.2")));
        for (String vip : List.of("10.10.0.11", "10.20.0.251", "10.10.0.1")) {
            var listener = Site.LISTENER.toBuilder();
            listener.getListenerBuilder().setVip(vip);
            invalid("listener.vip", () -> api.createListener(listener.build()));
        }
        invalid("name", () -> api.deletePool(DeletePoolRequest.getDefaultInstance()));
        invalid("pool", () -> api.drainMember(DrainMemberRequest.getDefaultInstance()));
        invalid(
                "weight",
                () -> api.setMemberWeight(SetMemberWeightRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .setWeight(1001)
                        .build()));
        invalid("pool", () -> api.getPoolSlots(GetPoolSlotsRequest.getDefaultInstance()));
        invalid(
                "timeout_millis",
                () -> api.waitForGeneration(WaitForGenerationRequest.newBuilder()
                        .setPool("web")
                        .setTimeoutMillis(-1)
                        .build()));
        assertEquals(List.of(), node.log.proposed());
    }

    @Test
    void whatDoesNotExistIsNamed() {
        StatusRuntimeException unknown = refused(
                Code.NOT_FOUND,
                () -> api.getPoolSlots(
                        GetPoolSlotsRequest.newBuilder().setPool("wbe").build()));
        assertTrue(String.valueOf(unknown.getMessage()).contains("'wbe'"), unknown::getMessage);
        var _ = refused(
                Code.NOT_FOUND,
                () -> api.listMembers(
                        ListMembersRequest.newBuilder().setPool("web").build()));
        var _ = refused(
                Code.NOT_FOUND,
                () -> api.waitForGeneration(
                        WaitForGenerationRequest.newBuilder().setPool("web").build()));
        var _ = refused(
                Code.NOT_FOUND,
                () -> api.deletePool(
                        DeletePoolRequest.newBuilder().setName("web").build()));
    }

    @Test
    void whatTheStateRefusesHasItsOwnStatus() throws InvalidProtocolBufferException {
        var _ = api.createSegment(Site.SEGMENT);
        var _ = refused(Code.ALREADY_EXISTS, () -> api.createSegment(Site.SEGMENT));
        var _ = api.createPool(Site.POOL);
        var _ = api.createMember(Site.member("be1", "10.20.0.2:8080"));
        StatusRuntimeException inUse = refused(
                Code.FAILED_PRECONDITION,
                () -> api.deleteSegment(
                        DeleteSegmentRequest.newBuilder().setName("p2").build()));
        ErrorInfo info = detail(inUse, ErrorInfo.class).orElseThrow();
        assertEquals("IN_USE", info.getReason());
        assertEquals("quorumlb", info.getDomain());
        node.log.answer(_ ->
                new ProposeOutcome.Committed(new Outcome.Refused(Outcome.Cause.STALE, "revision", "changed since")));
        var _ = refused(Code.FAILED_PRECONDITION, () -> api.createPool(Site.POOL));
    }

    private static CreateSegmentRequest changed(
            java.util.function.UnaryOperator<io.quorumlb.proto.v1.Segment.Builder> change) {
        return CreateSegmentRequest.newBuilder()
                .setSegment(change.apply(Site.SEGMENT.getSegment().toBuilder()))
                .build();
    }

    /** One call. */
    private interface Call {
        Object make();
    }

    private static StatusRuntimeException refused(Code code, Call call) {
        Executable made = call::make;
        StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, made);
        assertEquals(code, refused.getStatus().getCode(), refused::getMessage);
        return refused;
    }

    private static void invalid(String field, Call call) {
        StatusRuntimeException refused = refused(Code.INVALID_ARGUMENT, call);
        BadRequest details = detail(refused, BadRequest.class).orElseThrow();
        assertEquals(field, details.getFieldViolations(0).getField(), refused::getMessage);
    }

    private static <T extends com.google.protobuf.Message> Optional<T> detail(
            StatusRuntimeException refused, Class<T> type) {
        var status = Optional.ofNullable(StatusProto.fromThrowable(refused)).orElseThrow();
        for (Any any : status.getDetailsList()) {
            if (any.is(type)) {
                try {
                    return Optional.of(any.unpack(type));
                } catch (InvalidProtocolBufferException e) {
                    throw new AssertionError("detail cannot be read", e);
                }
            }
        }
        return Optional.empty();
    }
}
