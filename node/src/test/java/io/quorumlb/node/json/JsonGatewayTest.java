package io.quorumlb.node.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Any;
import com.google.protobuf.StringValue;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.Status;
import io.grpc.protobuf.StatusProto;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.CreateSegmentResponse;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.Segment;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonGatewayTest {
    private final GatewayAt gateway = new GatewayAt();

    JsonGatewayTest() throws IOException {
        // Only the field initializer throws.
    }

    @AfterEach
    void close() {
        gateway.close();
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @Test
    void answersAreProto3JsonWithDefaultValues() throws Exception {
        gateway.pools.set(() -> ListPoolsResponse.newBuilder()
                .addPools(Pool.newBuilder().setName("web"))
                .build());
        for (String body : List.of("", "{}", " {\n} ")) {
            HttpResponse<String> response = gateway.post("ListPools", body);
            assertEquals(200, response.statusCode(), response.body());
            assertEquals("application/json", header(response, "Content-Type"));
            assertTrue(response.body().contains("\"name\": \"web\""), response.body());
            assertTrue(response.body().contains("\"minEligible\": 0"), response.body());
            assertTrue(
                    response.body().endsWith("\"revision\": \"0\",\n  \"nextPageToken\": \"\"\n}\n"), response.body());
        }
    }

    @Test
    void requestsAreProto3Json() throws Exception {
        HttpResponse<String> response =
                gateway.post("CreateSegment", "{\"segment\": {\"name\": \"p2\", \"prefix\": \"10.20.0.0/24\"}}");
        assertEquals(200, response.statusCode(), response.body());
        assertTrue(response.body().contains("\"revision\": \"7\""), response.body());
        assertEquals(
                List.of(CreateSegmentRequest.newBuilder()
                        .setSegment(Segment.newBuilder().setName("p2").setPrefix("10.20.0.0/24"))
                        .build()),
                gateway.segments);
    }

    @Test
    void binaryInBinaryOut() throws Exception {
        CreateSegmentRequest request = CreateSegmentRequest.newBuilder()
                .setSegment(Segment.newBuilder().setName("p2"))
                .build();
        HttpResponse<byte[]> response = gateway.postBinary("CreateSegment", request.toByteArray());
        assertEquals(200, response.statusCode());
        assertEquals("application/x-protobuf", header(response, "Content-Type"));
        assertEquals(7, CreateSegmentResponse.parseFrom(response.body()).getRevision());
        assertEquals(List.of(request), gateway.segments);
        HttpResponse<byte[]> refused = gateway.postBinary("CreateSegment", new byte[] {(byte) 0xff});
        assertEquals(400, refused.statusCode());
        assertEquals(3, Status.parseFrom(refused.body()).getCode());
    }

    @ParameterizedTest
    @CsvSource({
        "1, CANCELLED, 499",
        "2, UNKNOWN, 500",
        "3, INVALID_ARGUMENT, 400",
        "4, DEADLINE_EXCEEDED, 504",
        "5, NOT_FOUND, 404",
        "6, ALREADY_EXISTS, 409",
        "7, PERMISSION_DENIED, 403",
        "8, RESOURCE_EXHAUSTED, 429",
        "9, FAILED_PRECONDITION, 400",
        "10, ABORTED, 409",
        "11, OUT_OF_RANGE, 400",
        "12, UNIMPLEMENTED, 501",
        "13, INTERNAL, 500",
        "14, UNAVAILABLE, 503",
        "15, DATA_LOSS, 500",
        "16, UNAUTHENTICATED, 401",
    })
    void everyCodeHasItsHttpStatus(int code, String name, int http) throws Exception {
        refuse(Status.newBuilder()
                .setCode(code)
                .setMessage("no \"x\" 'y' \\u0027 <&>=\n")
                .build());
        HttpResponse<String> response = gateway.post("ListPools", "{}");
        assertEquals(http, response.statusCode());
        assertEquals(
                "{\"error\": {\"code\": %d, \"status\": \"%s\", \"message\": \"no \\\"x\\\" 'y' \\\\u0027 <&>=\\n\", \"details\": []}}\n"
                        .formatted(http, name),
                response.body());
        HttpResponse<byte[]> binary = gateway.postBinary("ListPools", new byte[0]);
        assertEquals(http, binary.statusCode());
        assertEquals(code, Status.parseFrom(binary.body()).getCode());
    }

    private void refuse(Status status) {
        gateway.pools.set(() -> {
            throw StatusProto.toStatusRuntimeException(status);
        });
    }

    @Test
    void detailsAreNamedAndPrinted() throws Exception {
        refuse(Status.newBuilder()
                .setCode(3)
                .setMessage("weight 1001 is outside 0..1000")
                .addDetails(Any.pack(ErrorInfo.newBuilder()
                        .setReason("INVALID")
                        .setDomain("quorumlb")
                        .putMetadata("limit", "1000")
                        .build()))
                .addDetails(Any.pack(BadRequest.newBuilder()
                        .addFieldViolations(
                                BadRequest.FieldViolation.newBuilder().setField("weight"))
                        .build()))
                .addDetails(Any.pack(StringValue.of("a type that no client was told of")))
                .build());
        String body = gateway.post("ListPools", "{}").body();
        assertTrue(body.contains("\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\""), body);
        assertTrue(body.contains("\"limit\": \"1000\""), body);
        assertTrue(body.contains("\"field\": \"weight\""), body);
        assertTrue(body.contains("{\"@type\": \"type.googleapis.com/google.protobuf.StringValue\"}"), body);
    }

    @Test
    void unknownPathsNameWhatThereIs() throws Exception {
        for (String path : List.of("/", "/x", GatewayAt.SERVICE, GatewayAt.SERVICE + "Nil", "/quorumlb.v1.Peer/Say")) {
            HttpResponse<String> response = gateway.send(gateway.to(path).POST(BodyPublishers.ofString("{}")));
            assertEquals(404, response.statusCode(), path);
            assertTrue(response.body().contains("\"UNIMPLEMENTED\""), response.body());
            assertTrue(response.body().contains("POST /quorumlb.v1.ControlService/METHOD"), response.body());
            assertTrue(response.body().contains("GetClusterStatus, "), response.body());
        }
    }

    @Test
    void aMethodThatTheServiceDoesNotServeIsUnimplemented() throws Exception {
        assertEquals(501, gateway.post("ListMembers", "{}").statusCode());
    }

    @Test
    void otherMethodsOfHttpAreNotAllowed() throws Exception {
        for (String method : List.of("GET", "PUT", "DELETE", "OPTIONS", "HEAD", "BREW")) {
            HttpResponse<String> response =
                    gateway.send(gateway.to(GatewayAt.SERVICE + "ListPools").method(method, BodyPublishers.noBody()));
            assertEquals(405, response.statusCode(), method);
            assertEquals("POST", header(response, "Allow"));
        }
    }

    @Test
    void aBodyThatSaysNotWhatItIsIsRefused() throws Exception {
        HttpResponse<String> response = gateway.send(gateway.to(GatewayAt.SERVICE + "CreateSegment")
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{\"segment\": {}}")));
        assertEquals(415, response.statusCode());
        assertTrue(response.body().contains("'text/plain' is none of 'application/json'"), response.body());
        assertEquals(List.of(), gateway.segments);
        HttpResponse<String> charset = gateway.send(gateway.to(GatewayAt.SERVICE + "CreateSegment")
                .header("Content-Type", "Application/JSON; charset=utf-8")
                .POST(BodyPublishers.ofString("{\"segment\": {}}")));
        assertEquals(200, charset.statusCode());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"segmnt\": {}}|Cannot find field: segmnt",
                "{\"segment\": []}|the body is not a CreateSegmentRequest: ",
                "[]|the body is not a CreateSegmentRequest: ",
                "{|the body is not JSON, line 1, column 2: ",
                "{\"segment\": {\"name\": 'p2'}}|the body is not JSON, line 1, column 22: ",
                "{segment: {}}|the body is not JSON, line 1, column 2: ",
                "{} {}|the body must be one JSON value, it has 2",
                "{}x|the body is not JSON, line 1, column 3: ",
                "{\"segment\": {}, \"segment\": {}}|Duplicate",
                "{\"segment\": {\"name\": NaN}}|the body is not JSON, line 1",
                "nul|the body is not JSON, line 1",
            })
    void whatIsWrongWithABodyIsSaid(String body, String part) throws Exception {
        HttpResponse<String> response = gateway.post("CreateSegment", body);
        assertEquals(400, response.statusCode(), response.body());
        assertTrue(response.body().contains(part), response.body());
        assertTrue(response.body().contains("\"field\": \"body\""), response.body());
        assertFalse(response.body().contains("Exception"), response.body());
        assertEquals(List.of(), gateway.segments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "5x", "0S", "-1S", "1.5S", "123456789S", "soon"})
    void aTimeoutThatIsNoneIsRefused(String timeout) throws Exception {
        HttpResponse<String> response = gateway.send(gateway.to(GatewayAt.SERVICE + "ListPools")
                .header("Grpc-Timeout", timeout)
                .POST(BodyPublishers.noBody()));
        assertEquals(400, response.statusCode());
        assertTrue(response.body().contains("for example 1500m"), response.body());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1n", "5u", "50m"})
    void aCallEndsAtItsTimeout(String timeout) throws Exception {
        HttpResponse<String> response = gateway.send(gateway.to(GatewayAt.SERVICE + "ListSegments")
                .header("Grpc-Timeout", timeout)
                .POST(BodyPublishers.noBody()));
        assertEquals(504, response.statusCode());
        assertTrue(response.body().contains("\"DEADLINE_EXCEEDED\""), response.body());
    }

    @Test
    void whatHasTimedOutIsCancelled() throws Exception {
        var _ = gateway.send(gateway.to(GatewayAt.SERVICE + "ListSegments")
                .header("Grpc-Timeout", "50m")
                .POST(BodyPublishers.noBody()));
        gateway.cancelled.await();
    }

    @Test
    void aDefectIsSaidWithoutItsTrace() throws Exception {
        gateway.pools.set(() -> {
            throw new IllegalStateException("secret");
        });
        HttpResponse<String> response = gateway.post("ListPools", "{}");
        assertEquals(500, response.statusCode());
        assertTrue(response.body().contains("\"INTERNAL\""), response.body());
        assertFalse(response.body().contains("secret"), response.body());
        gateway.pools.set(ListPoolsResponse::getDefaultInstance);
        assertEquals(200, gateway.post("ListPools", "{}").statusCode());
    }
}
