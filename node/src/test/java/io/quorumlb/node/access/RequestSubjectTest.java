package io.quorumlb.node.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.Segment;
import io.quorumlb.proto.v1.SetListenerWhenEmptyRequest;
import io.quorumlb.proto.v1.Site;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RequestSubjectTest {
    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of(DrainMemberRequest.newBuilder().setPool("web").setMember("be1"), "web/be1"),
                Arguments.of(
                        CreateMemberRequest.newBuilder()
                                .setMember(Member.newBuilder()
                                        .setPool("web")
                                        .setName("be1")
                                        .setSegment("p2")
                                        .setAddress("10.20.0.2:8080")),
                        "web/be1"),
                Arguments.of(
                        CreateListenerRequest.newBuilder()
                                .setListener(
                                        Listener.newBuilder().setPool("web").setName("http")),
                        "web/http"),
                Arguments.of(
                        CreateSegmentRequest.newBuilder()
                                .setSegment(Segment.newBuilder().setName("p2")),
                        "p2"),
                Arguments.of(SetListenerWhenEmptyRequest.newBuilder().setListener("http"), "http"),
                Arguments.of(DeletePoolRequest.newBuilder().setName("web"), "web"),
                Arguments.of(ListPoolsRequest.newBuilder(), ""),
                Arguments.of(ApplyRequest.newBuilder().setSite(Site.getDefaultInstance()), ""));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void onlyNamesAreRead(Message.Builder request, String subject) {
        assertEquals(subject, RequestSubject.of(request.build()));
    }

    @Test
    void whatWritesSaysWhoItIs() {
        var options = WriteOptions.newBuilder().setRequestId("r1").build();
        assertEquals(
                "r1",
                RequestSubject.options(DrainMemberRequest.newBuilder()
                                .setOptions(options)
                                .build())
                        .orElseThrow()
                        .getRequestId());
        assertTrue(RequestSubject.options(ListPoolsRequest.getDefaultInstance()).isEmpty());
    }
}
