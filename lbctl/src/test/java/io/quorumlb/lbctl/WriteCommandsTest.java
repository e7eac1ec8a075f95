package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.util.JsonFormat;
import io.grpc.Status;
import io.quorumlb.proto.v1.CompactPoolRequest;
import io.quorumlb.proto.v1.CompactPoolResponse;
import io.quorumlb.proto.v1.CreateListenerRequest;
import io.quorumlb.proto.v1.CreateListenerResponse;
import io.quorumlb.proto.v1.CreateLoadBalancerRequest;
import io.quorumlb.proto.v1.CreateLoadBalancerResponse;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreateMemberResponse;
import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreatePoolResponse;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.CreateSegmentResponse;
import io.quorumlb.proto.v1.DeleteListenerRequest;
import io.quorumlb.proto.v1.DeleteListenerResponse;
import io.quorumlb.proto.v1.DeleteLoadBalancerRequest;
import io.quorumlb.proto.v1.DeleteLoadBalancerResponse;
import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DeleteMemberResponse;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DeletePoolResponse;
import io.quorumlb.proto.v1.DeleteSegmentRequest;
import io.quorumlb.proto.v1.DeleteSegmentResponse;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.DrainMemberResponse;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.EnableMemberResponse;
import io.quorumlb.proto.v1.SetListenerWhenEmptyRequest;
import io.quorumlb.proto.v1.SetListenerWhenEmptyResponse;
import io.quorumlb.proto.v1.SetMemberCeilingRequest;
import io.quorumlb.proto.v1.SetMemberCeilingResponse;
import io.quorumlb.proto.v1.SetMemberMacRequest;
import io.quorumlb.proto.v1.SetMemberMacResponse;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.SetMemberWeightResponse;
import io.quorumlb.proto.v1.SetPoolMinEligibleRequest;
import io.quorumlb.proto.v1.SetPoolMinEligibleResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WriteCommandsTest {
    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    static Stream<Arguments> writes() {
        return Stream.of(
                write(
                        "segment create p2 10.20.0.0/24 --gateway n2=10.20.0.252 --gateway n1=10.20.0.251",
                        "CreateSegment",
                        CreateSegmentRequest.newBuilder(),
                        """
                        segment { name: "p2" prefix: "10.20.0.0/24"
                          gateways { node: "n2" address: "10.20.0.252" }
                          gateways { node: "n1" address: "10.20.0.251" } }""",
                        CreateSegmentResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "segment p2 created with id 4, revision 18"),
                write(
                        "segment create p2 10.20.0.0/24 --prefix6 fd00:20::/64 --gateway n1=10.20.0.251"
                                + " --gateway n1=fd00:20::251",
                        "CreateSegment",
                        CreateSegmentRequest.newBuilder(),
                        """
                        segment { name: "p2" prefix: "10.20.0.0/24" prefix6: "fd00:20::/64"
                          gateways { node: "n1" address: "10.20.0.251" }
                          gateways { node: "n1" address: "fd00:20::251" } }""",
                        CreateSegmentResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "segment p2 created with id 4, revision 18"),
                write(
                        "segment create p6 fd00:20::/64",
                        "CreateSegment",
                        CreateSegmentRequest.newBuilder(),
                        "segment { name: 'p6' prefix6: 'fd00:20::/64' }",
                        CreateSegmentResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "segment p6 created with id 4, revision 18"),
                write(
                        "segment delete p2",
                        "DeleteSegment",
                        DeleteSegmentRequest.newBuilder(),
                        "name: 'p2'",
                        DeleteSegmentResponse.newBuilder().setRevision(18).build(),
                        "segment p2 deleted, revision 18"),
                write(
                        "pool create web --algorithm 1 --slots 2048 --monitor http --path /health --interval 2s"
                                + " --probe-timeout 400ms --probe-fast-interval 150ms --rise 4 --fall 5",
                        "CreatePool",
                        CreatePoolRequest.newBuilder(),
                        """
                        pool { name: "web" algorithm: HASH_ALGORITHM_V1 slots: 2048
                          monitor { type: MONITOR_TYPE_HTTP path: "/health" interval_millis: 2000 timeout_millis: 400
                            rise: 4 fall: 5 fast_interval_millis: 150 } }""",
                        CreatePoolResponse.newBuilder().setId(4).setRevision(18).build(),
                        "pool web created with id 4, revision 18"),
                write(
                        "pool create db --monitor tcp",
                        "CreatePool",
                        CreatePoolRequest.newBuilder(),
                        """
                        pool { name: "db" algorithm: HASH_ALGORITHM_V2 slots: 1024
                          monitor { type: MONITOR_TYPE_TCP interval_millis: 1000 timeout_millis: 500 rise: 2 fall: 3 } }""",
                        CreatePoolResponse.newBuilder().setId(5).setRevision(18).build(),
                        "pool db created with id 5, revision 18"),
                write(
                        "pool create dns --monitor udp --payload ping --expect-hex 706f6e67 --probe-port 5353",
                        "CreatePool",
                        CreatePoolRequest.newBuilder(),
                        """
                        pool { name: "dns" algorithm: HASH_ALGORITHM_V2 slots: 1024
                          monitor { type: MONITOR_TYPE_UDP payload: "ping" expect: "pong" port: 5353
                            interval_millis: 1000 timeout_millis: 500 rise: 2 fall: 3 } }""",
                        CreatePoolResponse.newBuilder().setId(5).setRevision(18).build(),
                        "pool dns created with id 5, revision 18"),
                write(
                        "pool create log --monitor udp --payload-hex 00ff --silence-up",
                        "CreatePool",
                        CreatePoolRequest.newBuilder(),
                        """
                        pool { name: "log" algorithm: HASH_ALGORITHM_V2 slots: 1024
                          monitor { type: MONITOR_TYPE_UDP payload: "\\x00\\xff" silence_up: true
                            interval_millis: 1000 timeout_millis: 500 rise: 2 fall: 3 } }""",
                        CreatePoolResponse.newBuilder().setId(5).setRevision(18).build(),
                        "pool log created with id 5, revision 18"),
                write(
                        "pool delete web",
                        "DeletePool",
                        DeletePoolRequest.newBuilder(),
                        "name: 'web'",
                        DeletePoolResponse.newBuilder().setRevision(18).build(),
                        "pool web deleted, revision 18"),
                write(
                        "listener create web-http 10.99.0.10:80 --protocol tcp --pool web",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'web-http' vip: '10.99.0.10' protocol: PROTOCOL_TCP port: 80 pool: 'web' hash: HASH_FIELDS_FIVE_TUPLE }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener web-http created with id 4, revision 18"),
                write(
                        "listener create l [fd00:99::10]:53 --protocol udp --member-port 5353 --pool web",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'l' pool: 'web' vip: 'fd00:99::10' protocol: PROTOCOL_UDP port: 53 member_port: 5353 hash: HASH_FIELDS_FIVE_TUPLE }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener l created with id 4, revision 18"),
                write(
                        "listener create l fd00:99::10 --port 8000-8100 --pool web",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'l' pool: 'web' vip: 'fd00:99::10' protocol: PROTOCOL_TCP port: 8000 port_last: 8100 hash: HASH_FIELDS_FIVE_TUPLE }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener l created with id 4, revision 18"),
                write(
                        "listener create l 10.99.0.10:all --protocol udp --pool web",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'l' pool: 'web' vip: '10.99.0.10' protocol: PROTOCOL_UDP all_ports: true hash: HASH_FIELDS_FIVE_TUPLE }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener l created with id 4, revision 18"),
                write(
                        "listener create l 10.99.0.10 --protocol any --pool web",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'l' pool: 'web' vip: '10.99.0.10' protocol: PROTOCOL_ANY hash: HASH_FIELDS_FIVE_TUPLE }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener l created with id 4, revision 18"),
                write(
                        "listener delete web-http",
                        "DeleteListener",
                        DeleteListenerRequest.newBuilder(),
                        "name: 'web-http'",
                        DeleteListenerResponse.newBuilder().setRevision(18).build(),
                        "listener web-http deleted, revision 18"),
                write(
                        "member create be1 10.20.0.2:8080 --pool web --segment p2",
                        "CreateMember",
                        CreateMemberRequest.newBuilder(),
                        """
                        member { name: "be1" address: "10.20.0.2:8080" pool: "web" segment: "p2"
                          admin: ADMIN_STATE_ENABLED }""",
                        CreateMemberResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "member be1 created with id 4, revision 18"),
                write(
                        "member create be1 10.20.0.2:8080 --pool web --segment p2 --weight 0 --label rack=7",
                        "CreateMember",
                        CreateMemberRequest.newBuilder(),
                        """
                        member { name: "be1" address: "10.20.0.2:8080" pool: "web" segment: "p2" weight: 0
                          admin: ADMIN_STATE_ENABLED labels { key: "rack" value: "7" } }""",
                        CreateMemberResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "member be1 created with id 4, revision 18"),
                write(
                        "lb create shop 10.99.0.10 --vip6 fd00:99::10 --label tier=web",
                        "CreateLoadBalancer",
                        CreateLoadBalancerRequest.newBuilder(),
                        "load_balancer { name: 'shop' vip: '10.99.0.10' vip6: 'fd00:99::10'"
                                + " state: LOAD_BALANCER_STATE_ENABLED labels { key: 'tier' value: 'web' } }",
                        CreateLoadBalancerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "load balancer shop created with id 4, revision 18"),
                write(
                        "lb create shop fd00:99::10 --disabled",
                        "CreateLoadBalancer",
                        CreateLoadBalancerRequest.newBuilder(),
                        "load_balancer { name: 'shop' vip6: 'fd00:99::10' state: LOAD_BALANCER_STATE_DISABLED }",
                        CreateLoadBalancerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "load balancer shop created with id 4, revision 18"),
                write(
                        "lb delete shop",
                        "DeleteLoadBalancer",
                        DeleteLoadBalancerRequest.newBuilder(),
                        "name: 'shop'",
                        DeleteLoadBalancerResponse.newBuilder().setRevision(18).build(),
                        "load balancer shop deleted, revision 18"),
                write(
                        "listener create www 10.99.0.10:80 --lb shop --pool web",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'www' vip: '10.99.0.10' protocol: PROTOCOL_TCP port: 80 pool: 'web'"
                                + " load_balancer: 'shop' hash: HASH_FIELDS_FIVE_TUPLE }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener www created with id 4, revision 18"),
                write(
                        "member delete web/be1",
                        "DeleteMember",
                        DeleteMemberRequest.newBuilder(),
                        "pool: 'web' member: 'be1'",
                        DeleteMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 deleted, revision 18"),
                write(
                        "member drain web/be1 --wait committed",
                        "DrainMember",
                        DrainMemberRequest.newBuilder(),
                        "pool: 'web' member: 'be1'",
                        DrainMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 drained, revision 18"),
                write(
                        "member enable web/be1 --wait none",
                        "EnableMember",
                        EnableMemberRequest.newBuilder(),
                        "pool: 'web' member: 'be1'",
                        EnableMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 enabled, revision 18"),
                write(
                        "member weight web/be1 3 --wait committed",
                        "SetMemberWeight",
                        SetMemberWeightRequest.newBuilder(),
                        "pool: 'web' member: 'be1' weight: 3",
                        SetMemberWeightResponse.newBuilder().setRevision(18).build(),
                        "web/be1 has weight 3, revision 18"),
                write(
                        "member weight web/be1 300 --ramp 60s --steps 6 --wait committed",
                        "SetMemberWeight",
                        SetMemberWeightRequest.newBuilder(),
                        "pool: 'web' member: 'be1' weight: 300 ramp_millis: 60000 ramp_steps: 6",
                        SetMemberWeightResponse.newBuilder().setRevision(18).build(),
                        "web/be1 has weight 300, takes all of it in 60.0s, revision 18"),
                write(
                        "member ramp web/be1 3 --wait committed",
                        "SetMemberCeiling",
                        SetMemberCeilingRequest.newBuilder(),
                        "pool: 'web' member: 'be1' ceiling: 3",
                        SetMemberCeilingResponse.newBuilder().setRevision(18).build(),
                        "web/be1 takes at most 3, revision 18"),
                write(
                        "member set-mac web/be1 02:00:00:00:00:07 --wait committed",
                        "SetMemberMac",
                        SetMemberMacRequest.newBuilder(),
                        "pool: 'web' member: 'be1' mac: '02:00:00:00:00:07'",
                        SetMemberMacResponse.newBuilder().setRevision(18).build(),
                        "web/be1 has MAC address 02:00:00:00:00:07, revision 18"),
                write(
                        "member set-mac web/be1 none",
                        "SetMemberMac",
                        SetMemberMacRequest.newBuilder(),
                        "pool: 'web' member: 'be1'",
                        SetMemberMacResponse.newBuilder().setRevision(18).build(),
                        "web/be1 is asked for its MAC address, revision 18"),
                write(
                        "listener when-empty www pool=sorry",
                        "SetListenerWhenEmpty",
                        SetListenerWhenEmptyRequest.newBuilder(),
                        "listener: 'www' when_empty: EMPTY_POLICY_FALLBACK_POOL fallback_pool: 'sorry'",
                        SetListenerWhenEmptyResponse.newBuilder()
                                .setRevision(18)
                                .build(),
                        "listener www when empty: pool=sorry, revision 18"),
                write(
                        "listener when-empty www reject",
                        "SetListenerWhenEmpty",
                        SetListenerWhenEmptyRequest.newBuilder(),
                        "listener: 'www' when_empty: EMPTY_POLICY_REJECT",
                        SetListenerWhenEmptyResponse.newBuilder()
                                .setRevision(18)
                                .build(),
                        "listener www when empty: reject, revision 18"),
                write(
                        "listener create www 10.99.0.10:80 --pool web --when-empty fail-open",
                        "CreateListener",
                        CreateListenerRequest.newBuilder(),
                        "listener { name: 'www' vip: '10.99.0.10' protocol: PROTOCOL_TCP port: 80 pool: 'web'"
                                + " hash: HASH_FIELDS_FIVE_TUPLE when_empty: EMPTY_POLICY_FAIL_OPEN }",
                        CreateListenerResponse.newBuilder()
                                .setId(4)
                                .setRevision(18)
                                .build(),
                        "listener www created with id 4, revision 18"),
                write(
                        "pool min-eligible web 2",
                        "SetPoolMinEligible",
                        SetPoolMinEligibleRequest.newBuilder(),
                        "pool: 'web' min_eligible: 2",
                        SetPoolMinEligibleResponse.newBuilder().setRevision(18).build(),
                        "pool web, once empty, is so until 2 members take traffic, revision 18"),
                write(
                        "pool compact web --moved-max 40 --wait committed",
                        "CompactPool",
                        CompactPoolRequest.newBuilder(),
                        "pool: 'web' moved_max: 40",
                        CompactPoolResponse.newBuilder()
                                .setRevision(18)
                                .addRetired("be5")
                                .setMoved(36)
                                .setCollateral(36)
                                .build(),
                        "pool web: 1 deleted members left the base [be5], 36 slots moved, 36 of them needlessly, revision 18"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "listener create l 10.99.0.10 --pool web                  | --port: missing",
                "listener create l 10.99.0.10:80 --port 81 --pool web     | --port: '81' beside port '80' of the VIP",
                "listener create l 10.99.0.10:http --pool web             | --port: 'http' is none of a port, a range",
                "listener create l fd00::1 --port 80-all --pool web       | --port: '80-all' is none of",
                "listener create l 10.99.0.10:80 --protocol any --pool web | --port: '80' with --protocol any",
                "listener create l 10.99.0.10:80 --protocol sctp --pool web | --protocol: 'sctp' is none of [tcp, udp, any]",
                "listener create l [fd00::1:80 --pool web                 | VIP: '[fd00::1:80' is neither",
                "listener create l 10.99.0.10:80 --pool web --when-empty open | --when-empty: 'open' is none of drop",
                "segment create p2 10.20.0.0/24 --gateway n1              | --gateway: 'n1' is not NODE=ADDRESS",
                "pool create p --monitor udp --payload-hex 0g             | --payload-hex: '0g' is not pairs",
                "pool create p --monitor udp --payload a --payload-hex 61 | --payload beside --payload-hex"
            })
    void whatCannotBeReadIsNotSent(String line, String words) {
        Ran.at(node, line).endsWith(ExitCode.USAGE).says(words).writes("");
        assertEquals(0, node.requests().size());
    }

    private static Arguments write(
            String line, String method, Message.Builder request, String text, Message response, String done) {
        try {
            TextFormat.merge(text, request);
        } catch (TextFormat.ParseException e) {
            throw new AssertionError(e);
        }
        return Arguments.of(line, method, request.build(), response, done);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("writes")
    void sendsOneRequestAndSaysWhatWasWritten(
            String line, String method, Message request, Message response, String done) {
        node.answers(method, response);
        Ran ran = Ran.at(node, line).endsWith(ExitCode.YES).writes(done + "\n");
        assertEquals(request, node.onlyRequest());
        assertEquals("", ran.err());
    }

    @ParameterizedTest(name = "{0} -o json")
    @MethodSource("writes")
    void programsSeeTheResponse(String line, String method, Message ignoredRequest, Message response, String ignored)
            throws Exception {
        node.answers(method, response);
        Ran.at(node, line + " -o json")
                .endsWith(ExitCode.YES)
                .writes(JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(response)
                        + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource({
        "INVALID_ARGUMENT, NO, 'refused: weight 2000 is outside 0..1000; correct the value'",
        "NOT_FOUND, NO, 'refused: weight 2000 is outside 0..1000; list what there is'",
        "ALREADY_EXISTS, NO, refused:",
        "FAILED_PRECONDITION, NO, refused:",
        "PERMISSION_DENIED, NO, refused:",
        "UNIMPLEMENTED, NO, refused: the node does not know this call",
        "UNAVAILABLE, UNKNOWN, nothing was written",
        "UNKNOWN, UNKNOWN, it may still be committed",
        "DEADLINE_EXCEEDED, UNKNOWN, --timeout",
        "INTERNAL, UNKNOWN, the node failed"
    })
    void errorsAreOneSentence(Status.Code code, ExitCode exit, String part) {
        node.fails(
                "SetMemberWeight",
                code.toStatus().withDescription("weight 2000 is outside 0..1000\n\tat io.quorumlb.Somewhere"));
        Ran ran = Ran.at(node, "member weight web/be1 2000")
                .endsWith(exit)
                .says(part)
                .writes("");
        assertEquals(1, ran.err().lines().count(), ran.err());
        assertEquals(1, node.requests().size());
    }
}
