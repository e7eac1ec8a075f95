package io.quorumlb.node.json;

import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.CreateSegmentResponse;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A gateway on loopback in front of a service that lists pools as told, takes segments, never answers for segments, and
 * knows no other call.
 */
final class GatewayAt implements AutoCloseable {
    static final String SERVICE = "/quorumlb.v1.ControlService/";
    private static final int READ_MILLIS_MAX = 20_000;

    final AtomicReference<Answers> pools = new AtomicReference<>(ListPoolsResponse::getDefaultInstance);
    final List<CreateSegmentRequest> segments = new CopyOnWriteArrayList<>();
    final CountDownLatch cancelled = new CountDownLatch(1);
    private final HttpEndpoint endpoint;
    private final HttpClient client = HttpClient.newHttpClient();

    /** What ListPools does. */
    interface Answers {
        ListPoolsResponse get() throws StatusRuntimeException;
    }

    GatewayAt() throws IOException {
        endpoint = HttpEndpoint.start(
                new TreeSet<>(List.of(Ipv4Address.parse("127.0.0.1"))),
                0,
                new JsonGateway(new Service().bindService()));
    }

    private final class Service extends ControlServiceGrpc.ControlServiceImplBase {
        @Override
        public void listPools(ListPoolsRequest request, StreamObserver<ListPoolsResponse> response) {
            ListPoolsResponse answer;
            try {
                answer = pools.get().get();
            } catch (StatusRuntimeException e) {
                response.onError(e);
                return;
            }
            response.onNext(answer);
            response.onCompleted();
        }

        @Override
        public void createSegment(CreateSegmentRequest request, StreamObserver<CreateSegmentResponse> response) {
            segments.add(request);
            response.onNext(
                    CreateSegmentResponse.newBuilder().setId(1).setRevision(7).build());
            response.onCompleted();
        }

        @Override
        public void listSegments(ListSegmentsRequest request, StreamObserver<ListSegmentsResponse> response) {
            Context.current().addListener(_ -> cancelled.countDown(), Runnable::run);
        }
    }

    InetSocketAddress address() {
        return endpoint.listening().getFirst();
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address().getPort() + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Posts JSON to a method. */
    HttpResponse<String> post(String method, String json) throws IOException, InterruptedException {
        return send(
                to(SERVICE + method).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    HttpResponse<byte[]> postBinary(String method, byte[] message) throws IOException, InterruptedException {
        return client.send(
                to(SERVICE + method)
                        .header("Content-Type", "application/x-protobuf")
                        .POST(BodyPublishers.ofByteArray(message))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(
                Objects.requireNonNull(address().getAddress()), address().getPort());
        socket.setSoTimeout(READ_MILLIS_MAX);
        return socket;
    }

    /** Sends bytes as they are, says that no more will come, and returns all that comes back until the end or a reset. */
    String raw(byte[] bytes) throws IOException {
        var answer = new ByteArrayOutputStream();
        try (Socket socket = connect()) {
            socket.getOutputStream().write(bytes);
            socket.shutdownOutput();
            socket.getInputStream().transferTo(answer);
        } catch (SocketException _) {
            // The gateway has closed the connection before it had read all.
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        client.close();
        endpoint.close();
    }
}
