package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.util.JsonFormat;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.node.json.JsonGateway;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The node's own calls through its JSON port. */
class JsonCallsTest {
    private final LoneNode node = LoneNode.leading();
    private final HttpEndpoint json = HttpEndpoint.start(
            new TreeSet<>(List.of(Ipv4Address.parse("127.0.0.1"))), 0, new JsonGateway(node.control.bindService()));
    private final HttpClient client = HttpClient.newHttpClient();

    JsonCallsTest() throws IOException {
        // Only the field initializers throw.
    }

    @AfterEach
    void close() {
        client.close();
        json.close();
        node.close();
    }

    static Stream<String> unaryMethods() {
        return ControlServiceGrpc.getServiceDescriptor().getMethods().stream()
                .filter(method -> method.getType() == MethodType.UNARY)
                .map(MethodDescriptor::getFullMethodName);
    }

    private HttpResponse<String> post(String method, String body) throws IOException, InterruptedException {
        int port = json.listening().getFirst().getPort();
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/%s".formatted(port, method)))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> call(String method, String body) throws IOException, InterruptedException {
        return post(ControlServiceGrpc.SERVICE_NAME + "/" + method, body);
    }

    /** What an empty request gets is the method's own word: a list, or what it lacks. */
    @ParameterizedTest
    @MethodSource("unaryMethods")
    void everyUnaryMethodIsReached(String method) throws Exception {
        HttpResponse<String> response = post(method, "{}");
        assertTrue(List.of(200, 400, 404).contains(response.statusCode()), response.body());
        assertFalse(response.body().contains("UNIMPLEMENTED"), response.body());
        assertFalse(response.body().contains("\"field\": \"body\""), response.body());
    }

    @Test
    void theSameAnswersAsOverGrpc() throws Exception {
        assertEquals(
                200,
                call("CreateSegment", JsonFormat.printer().print(Site.SEGMENT)).statusCode());
        assertEquals(
                200, call("CreatePool", JsonFormat.printer().print(Site.POOL)).statusCode());
        ListPoolsResponse overGrpc = node.api().listPools(ListPoolsRequest.getDefaultInstance());
        assertEquals("web", overGrpc.getPools(0).getName());
        ListPoolsResponse.Builder overJson = ListPoolsResponse.newBuilder();
        JsonFormat.parser().merge(call("ListPools", "").body(), overJson);
        assertEquals(overGrpc, overJson.build());
    }

    @Test
    void refusalsNameFieldValueAndLimit() throws Exception {
        HttpResponse<String> response =
                call("SetMemberWeight", "{\"pool\": \"web\", \"member\": \"be1\", \"weight\": 1001}");
        assertEquals(400, response.statusCode());
        for (String part : List.of(
                "\"status\": \"INVALID_ARGUMENT\"",
                "\"message\": \"weight 1001 is outside 0..1000\"",
                "\"reason\": \"INVALID\"",
                "\"field\": \"weight\"",
                "\"value\": \"1001\"",
                "\"limit\": \"0..1000\"",
                "google.rpc.BadRequest")) {
            assertTrue(response.body().contains(part), response.body());
        }
        HttpResponse<String> wait = call("WaitForGeneration", "{\"pool\": \"web\", \"timeoutMillis\": 4294967295}");
        assertTrue(wait.body().contains("\"value\": \"4294967295\""), wait.body());
        assertTrue(wait.body().contains("\"limit\": \"1..600000\""), wait.body());
        HttpResponse<String> missing = call("DeletePool", "{\"name\": \"web\"}");
        assertEquals(404, missing.statusCode());
        assertTrue(missing.body().contains("\"reason\": \"NOT_FOUND\""), missing.body());
    }
}
