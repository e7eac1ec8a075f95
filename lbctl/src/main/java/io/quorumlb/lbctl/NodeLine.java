package io.quorumlb.lbctl;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.quorumlb.lbctl.Attempt.Answered;
import io.quorumlb.lbctl.Attempt.Lost;
import io.quorumlb.lbctl.Attempt.NotDone;
import io.quorumlb.lbctl.Attempt.Refused;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** The connection to one node. */
final class NodeLine implements AutoCloseable {
    private final Endpoint endpoint;
    private final InetSocketAddress address;
    private final ManagedChannel channel;

    /** Creates the line; connects with the first call. */
    NodeLine(Endpoint endpoint) {
        this.endpoint = endpoint;
        this.address = new InetSocketAddress(endpoint.host(), endpoint.port());
        // By address, not by target: neither DNS plug-ins nor proxies have a say in who is asked.
        this.channel = NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .disableRetry()
                .directExecutor()
                .maxInboundMessageSize(16 << 20)
                .build();
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
        if (address.isUnresolved()) {
            return new NotDone<>("unknown host");
        }
        if (!settled(connectLimit)) {
            return new NotDone<>("no answer in " + Age.exact(connectLimit.toMillis()));
        }
        Duration callLimit = answerLimit.get();
        CallTrace trace = new CallTrace();
        try {
            return new Answered<>(call.apply(ControlServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(trace)
                    .withDeadlineAfter(callLimit)));
        } catch (StatusRuntimeException e) {
            return failed(e.getStatus(), trace, callLimit);
        }
    }

    private static <R> Attempt<R> failed(Status status, CallTrace trace, Duration callLimit) {
        if (trace.answered()) {
            return status.getCode() == Status.Code.UNAVAILABLE
                    ? new NotDone<>(StatusSentence.description(status))
                    : new Refused<>(status);
        }
        if (!trace.sent()) {
            return new NotDone<>(reason(status));
        }
        return switch (status.getCode()) {
            case DEADLINE_EXCEEDED -> new Lost<>("no answer in " + Age.exact(callLimit.toMillis()));
            case UNAVAILABLE, CANCELLED -> new Lost<>("the connection broke");
            default -> new Refused<>(status);
        };
    }

    private static String reason(Status status) {
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return "connection refused";
            }
        }
        return StatusSentence.description(status);
    }

    /** Waits until the node has greeted or the connection has failed; false if neither in time. */
    private boolean settled(Duration limit) {
        long start = System.nanoTime();
        for (ConnectivityState state = channel.getState(true);
                state != ConnectivityState.READY && state != ConnectivityState.TRANSIENT_FAILURE;
                state = channel.getState(true)) {
            CountDownLatch changed = new CountDownLatch(1);
            channel.notifyWhenStateChanged(state, changed::countDown);
            long left = limit.toNanos() - (System.nanoTime() - start);
            try {
                if (left <= 0 || !changed.await(left, TimeUnit.NANOSECONDS)) {
                    return false;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailure(ExitCode.UNKNOWN, "interrupted before an answer came");
            }
        }
        return true;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
