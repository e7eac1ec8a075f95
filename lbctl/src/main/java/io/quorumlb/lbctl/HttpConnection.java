package io.quorumlb.lbctl;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The way to one node's JSON port, on which calls go in protobuf's binary form.
 *
 * <p>The body of a call leaves only when the node has said that it may ({@code Expect: 100-continue}): a frozen node
 * opens a TCP connection but does not get this far, and what it was not told it will not do when it wakes. A body is
 * sent in chunks, since one of no bytes is no body otherwise, and the node would not wait for it.
 */
final class HttpConnection implements AutoCloseable {
    private static final int CONTINUE = 100;
    private static final int SERVER_ERROR = 500;

    /** The node's time ends after ours: it is for this side to say that no answer came. */
    private static final Duration GRACE = Duration.ofMillis(500);

    private final Endpoint endpoint;
    private final Connection connection;
    private Optional<HttpWire> idle = Optional.empty();

    /** Creates the way; connects with the first call. */
    HttpConnection(Endpoint endpoint, Connection connection) {
        this.endpoint = endpoint;
        this.connection = connection;
    }

    /** A connection on which somebody has answered the head of a request. */
    private record Reached(HttpWire wire, HttpWire.Head greeting) {}

    /**
     * Sends one call and waits for its answer.
     *
     * @param path of the method
     * @param message the request
     * @param connectLimit time to reach the node
     * @param answerLimit read once the node is reached: time for the answer
     * @return Answered with what a node wrote, NotDone or Lost
     */
    Attempt<HttpReply> exchange(
            String path, ByteString message, Duration connectLimit, Supplier<Duration> answerLimit) {
        Budget connect = new Budget(connectLimit);
        Reached reached;
        try {
            reached = reach(head(path, answerLimit.get()), connect);
        } catch (IOException e) {
            return new Attempt.NotDone<>(notReached(e, connectLimit));
        }
        return reached.greeting().status() == CONTINUE
                ? tell(reached.wire(), message, answerLimit.get())
                : unasked(reached, connect);
    }

    private byte[] head(String path, Duration answerLimit) {
        return HttpWire.ascii("POST /%s HTTP/1.1\r\nHost: %s\r\nContent-Type: %s\r\nGrpc-Timeout: %dm\r\n"
                        .formatted(
                                path,
                                endpoint,
                                HttpReply.PROTOBUF,
                                answerLimit.plus(GRACE).toMillis())
                + connection.authorization()
                + "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    private Reached reach(byte[] head, Budget connect) throws IOException {
        Optional<HttpWire> kept = idle;
        idle = Optional.empty();
        if (kept.isPresent()) {
            try {
                return greet(kept.get(), head, connect);
            } catch (IOException _) {
                // The node has closed it meanwhile; nothing was done.
            }
        }
        InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException();
        }
        return greet(connection.open(endpoint, address, connect), head, connect);
    }

    private static Reached greet(HttpWire wire, byte[] head, Budget connect) throws IOException {
        try {
            wire.send(head);
            return new Reached(wire, wire.head(connect));
        } catch (IOException e) {
            wire.close();
            throw e;
        }
    }

    private static String notReached(IOException e, Duration limit) {
        return switch (e) {
            case SocketTimeoutException _ -> "no answer in " + Age.exact(limit.toMillis());
            case ConnectException _ -> "connection refused";
            case UnknownHostException _ -> "unknown host";
            case TlsFailure tls -> tls.sentence();
            case ProtocolException _ -> notAJsonPort(String.valueOf(e.getMessage()));
            default ->
                // With TLS 1.3 a node says only then that it does not take a certificate.
                String.valueOf(e.getMessage()).startsWith("Received fatal alert")
                        ? new TlsFailure(String.valueOf(e.getMessage())).sentence()
                        : "the connection broke before anything was asked";
        };
    }

    private static String notAJsonPort(String what) {
        return what + ": is this a node's JSON port (7403 unless configured)?";
    }

    /** Whoever answers before it has the request has not done it. */
    private static Attempt<HttpReply> unasked(Reached reached, Budget connect) {
        try (HttpWire wire = reached.wire()) {
            HttpReply reply = reply(wire, reached.greeting(), connect);
            return reply.fromNode() ? new Attempt.Answered<>(reply) : foreign(reply.status());
        } catch (IOException _) {
            return foreign(reached.greeting().status());
        }
    }

    private static Attempt<HttpReply> foreign(int status) {
        return new Attempt.NotDone<>(notAJsonPort("answers HTTP %d".formatted(status)));
    }

    private Attempt<HttpReply> tell(HttpWire wire, ByteString message, Duration answerLimit) {
        Budget budget = new Budget(answerLimit);
        try {
            wire.send(chunks(message));
            HttpWire.Head head = wire.head(budget);
            while (head.interim()) {
                head = wire.head(budget);
            }
            HttpReply reply = reply(wire, head, budget);
            if (head.header("connection").equalsIgnoreCase("close")) {
                wire.close();
            } else {
                idle = Optional.of(wire);
            }
            if (reply.fromNode()) {
                return new Attempt.Answered<>(reply);
            }
            // Something between may have handed the request on before it gave up.
            return reply.status() >= SERVER_ERROR
                    ? new Attempt.Lost<>("answered HTTP %d".formatted(reply.status()))
                    : foreign(reply.status());
        } catch (SocketTimeoutException _) {
            wire.close();
            return new Attempt.Lost<>("no answer in " + Age.exact(answerLimit.toMillis()));
        } catch (IOException _) {
            wire.close();
            return new Attempt.Lost<>("the connection broke");
        }
    }

    private static byte[] chunks(ByteString message) {
        ByteString body = message.isEmpty()
                ? ByteString.EMPTY
                : text("%x\r\n".formatted(message.size())).concat(message).concat(text("\r\n"));
        return body.concat(text("0\r\n\r\n")).toByteArray();
    }

    private static ByteString text(String ascii) {
        return ByteString.copyFrom(HttpWire.ascii(ascii));
    }

    private static HttpReply reply(HttpWire wire, HttpWire.Head head, Budget budget) throws IOException {
        return new HttpReply(head.status(), head.header("content-type"), wire.body(head, budget));
    }

    @Override
    public void close() {
        idle.ifPresent(HttpWire::close);
        idle = Optional.empty();
    }
}
