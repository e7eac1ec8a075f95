package io.quorumlb.lbctl;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.node.json.JsonGateway;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.WriteOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * A node's JSON port on loopback whose service gives the answers it was told to and can fail on request. Answers of one
 * call are given in order; the last is repeated.
 */
final class FakeNode implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final Map<String, Deque<Answer>> answers = new ConcurrentHashMap<>();
    private final List<Message> requests = new CopyOnWriteArrayList<>();
    private final List<String> requestIds = new CopyOnWriteArrayList<>();
    private final List<String> callers = new CopyOnWriteArrayList<>();
    private final HttpEndpoint server;

    private sealed interface Answer {
        record Response(Message message) implements Answer {}

        record Failure(Status status) implements Answer {}

        record Silence() implements Answer {}

        record Crash() implements Answer {}
    }

    FakeNode() {
        this(Optional.empty());
    }

    /** Makes a node that speaks TLS. */
    FakeNode(SSLContext tls) {
        this(Optional.of(tls));
    }

    private FakeNode(Optional<SSLContext> tls) {
        var service = ServerServiceDefinition.builder(ControlServiceGrpc.getServiceDescriptor());
        ControlServiceGrpc.getServiceDescriptor().getMethods().forEach(method -> add(service, method));
        try {
            var addresses = new TreeSet<>(List.of(Ipv4Address.parse("127.0.0.1")));
            var gateway = new JsonGateway(ServerInterceptors.intercept(service.build(), new Ear()));
            server = tls.isPresent()
                    ? HttpEndpoint.start(addresses, 0, gateway, tls.get())
                    : HttpEndpoint.start(addresses, 0, gateway);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hears who asks. */
    private final class Ear implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            Optional.ofNullable(headers.get(AUTHORIZATION)).ifPresent(callers::add);
            SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
            if (session != null) {
                try {
                    callers.add(session.getPeerPrincipal().getName());
                } catch (SSLPeerUnverifiedException _) {
                    // It has not said by a certificate who it is.
                }
            }
            return next.startCall(call, headers);
        }
    }

    @SuppressWarnings("unchecked") // the method's own marshallers make and read the messages
    private void add(ServerServiceDefinition.Builder service, MethodDescriptor<?, ?> method) {
        String name = String.valueOf(method.getBareMethodName());
        service.addMethod(
                (MethodDescriptor<Message, Message>) method,
                ServerCalls.asyncUnaryCall((request, observer) -> answer(name, request, observer)));
    }

    private void answer(String method, Message request, StreamObserver<Message> observer) {
        note(request);
        switch (next(method)) {
            case Answer.Response(var message) -> {
                observer.onNext(message);
                observer.onCompleted();
            }
            case Answer.Failure(var status) -> observer.onError(status.asRuntimeException());
            case Answer.Silence() -> {}
            case Answer.Crash() -> server.close();
        }
    }

    /** What a write asks for and which write it is are looked at apart. */
    private void note(Message request) {
        FieldDescriptor field = request.getDescriptorForType().findFieldByName("options");
        if (field == null) {
            requests.add(request);
            return;
        }
        WriteOptions options = (WriteOptions) request.getField(field);
        requestIds.add(options.getRequestId());
        WriteOptions rest = options.toBuilder().clearRequestId().build();
        Message.Builder asked = request.toBuilder();
        requests.add(
                rest.equals(WriteOptions.getDefaultInstance())
                        ? asked.clearField(field).build()
                        : asked.setField(field, rest).build());
    }

    private Answer next(String method) {
        Deque<Answer> queue = answers.getOrDefault(method, new ArrayDeque<>());
        if (queue.isEmpty()) {
            return new Answer.Failure(Status.INTERNAL.withDescription("no answer prepared for " + method));
        }
        return queue.size() > 1 ? queue.removeFirst() : queue.getFirst();
    }

    private FakeNode prepare(String method, Answer answer) {
        answers.computeIfAbsent(method, _ -> new ArrayDeque<>()).add(answer);
        return this;
    }

    FakeNode answers(String method, Message response) {
        return prepare(method, new Answer.Response(response));
    }

    FakeNode fails(String method, Status status) {
        return prepare(method, new Answer.Failure(status));
    }

    FakeNode neverAnswers(String method) {
        return prepare(method, new Answer.Silence());
    }

    FakeNode breaksOff(String method) {
        return prepare(method, new Answer.Crash());
    }

    List<Message> requests() {
        return new ArrayList<>(requests);
    }

    /** Returns the request ids of the writes, in order. */
    List<String> requestIds() {
        return new ArrayList<>(requestIds);
    }

    /** Returns what callers have shown: authorization headers, and subjects of certificates. */
    List<String> callers() {
        return new ArrayList<>(callers);
    }

    Message onlyRequest() {
        if (requests.size() != 1) {
            throw new AssertionError("not one request: " + requests);
        }
        return requests.getFirst();
    }

    String endpoint() {
        return "127.0.0.1:" + server.listening().getFirst().getPort();
    }

    @Override
    public void close() {
        server.close();
    }
}
