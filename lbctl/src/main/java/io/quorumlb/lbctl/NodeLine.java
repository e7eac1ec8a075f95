package io.quorumlb.lbctl;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorumlb.lbctl.Attempt.Answered;
import io.quorumlb.lbctl.Attempt.Lost;
import io.quorumlb.lbctl.Attempt.NotDone;
import io.quorumlb.lbctl.Attempt.Refused;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/** The connection to one node. */
final class NodeLine implements AutoCloseable {
    private final Endpoint endpoint;
    private final HttpConnection connection;

    /** Creates the line; connects with the first call. */
    NodeLine(Endpoint endpoint, Connection connection) {
        this.endpoint = endpoint;
        this.connection = new HttpConnection(endpoint, connection);
    }

    /** Returns where it leads. */
    Endpoint endpoint() {
        return endpoint;
    }

    /**
     * Asks once.
     *
     * @param connectLimit time to reach the node; a frozen one opens a TCP connection but does not get this far
     * @param answerLimit read once the node is reached: time for the answer
     */
    <R> Attempt<R> ask(
            Function<ControlServiceBlockingStub, R> call, Duration connectLimit, Supplier<Duration> answerLimit) {
        HttpChannel channel = new HttpChannel(connection, connectLimit, answerLimit);
        try {
            return new Answered<>(call.apply(ControlServiceGrpc.newBlockingStub(channel)));
        } catch (StatusRuntimeException e) {
            return switch (channel.attempt()) {
                case Answered<HttpReply> _ -> refused(e.getStatus());
                case Refused<HttpReply>(var status) -> refused(status);
                case NotDone<HttpReply>(String reason) -> new NotDone<>(reason);
                case Lost<HttpReply>(String reason) -> new Lost<>(reason);
            };
        }
    }

    /** The node's own word. */
    private static <R> Attempt<R> refused(Status status) {
        return status.getCode() == Status.Code.UNAVAILABLE
                ? new NotDone<>(StatusSentence.description(status))
                : new Refused<>(status);
    }

    @Override
    public void close() {
        connection.close();
    }
}
