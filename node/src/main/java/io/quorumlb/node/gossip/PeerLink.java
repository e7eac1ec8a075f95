package io.quorumlb.node.gossip;

import io.grpc.Channel;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.ExamineRequest;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetNodeCountersRequest;
import io.quorumlb.proto.v1.GetNodeProbesRequest;
import io.quorumlb.proto.v1.ListRefusalsRequest;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.PeerServiceGrpc;
import io.quorumlb.proto.v1.ProposeRequest;
import io.quorumlb.proto.v1.TraceRequest;
import io.quorumlb.proto.v1.TracedPacket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one peer: one connection with one outgoing stream, made anew whenever it fails.
 *
 * <p>gRPC's own keepalive asks every 10 s at most, and its reconnecting waits for the kernel's retransmissions; both
 * are too slow here. So the link asks the peer's health service itself and throws a silent connection away. That also
 * keeps a peer that wakes from a pause from being fed all that was said meanwhile as if it were new.
 */
final class PeerLink implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    private final NodeId peer;
    private final InetSocketAddress address;
    private final Caller caller;
    private final Executor executor;
    private final LinkTimes times;
    private final Outbox outbox;
    private volatile Optional<ManagedChannel> open = Optional.empty();
    private volatile LinkState state = new LinkState.Unknown();

    PeerLink(
            NodeId peer,
            InetSocketAddress address,
            Caller caller,
            Executor executor,
            LinkTimes times,
            PeerTally tally) {
        this.peer = peer;
        this.address = address;
        this.caller = caller;
        this.executor = executor;
        this.times = times;
        this.outbox = new Outbox(caller, tally);
    }

    /** Never blocks; see {@link Outbox}. */
    void send(GossipMessage message) {
        outbox.put(message);
    }

    boolean connected() {
        return state instanceof LinkState.Connected;
    }

    CompletableFuture<ProposeOutcome> propose(Command command) {
        Optional<ManagedChannel> channel = open.filter(c -> c.getState(false) == ConnectivityState.READY);
        if (channel.isEmpty()) {
            return CompletableFuture.completedFuture(new ProposeOutcome.NotLeader(Optional.empty()));
        }
        ProposeRequest request = ProposeRequest.newBuilder()
                .setCaller(caller)
                .setEntry(EntryCodec.toWire(command))
                .build();
        ProposeCall call = new ProposeCall(peer);
        PeerServiceGrpc.newStub(channel.get())
                .withDeadlineAfter(times.propose().toMillis(), TimeUnit.MILLISECONDS)
                .propose(request, call);
        return call.outcome();
    }

    CompletableFuture<NodeCounters> counters(GetCountersRequest wanted, Duration limit) {
        var request = GetNodeCountersRequest.newBuilder()
                .setCaller(caller)
                .setWanted(wanted)
                .build();
        return ask(PeerAnswer.counters(peer), limit, (service, answer) -> service.getNodeCounters(request, answer));
    }

    CompletableFuture<NodeTrace> trace(TracedPacket packet, Duration limit) {
        var request =
                TraceRequest.newBuilder().setCaller(caller).setPacket(packet).build();
        return ask(PeerAnswer.trace(peer), limit, (service, answer) -> service.trace(request, answer));
    }

    CompletableFuture<NodeProbes> probes(int memberId, Duration limit) {
        var request = GetNodeProbesRequest.newBuilder()
                .setCaller(caller)
                .setMemberId(memberId)
                .build();
        return ask(PeerAnswer.probes(peer), limit, (service, answer) -> service.getNodeProbes(request, answer));
    }

    CompletableFuture<PeerRefusals> refusals(Duration limit) {
        var request = ListRefusalsRequest.newBuilder().setCaller(caller).build();
        return ask(PeerAnswer.refusals(peer), limit, (service, answer) -> service.listRefusals(request, answer));
    }

    CompletableFuture<Examination> examine(Duration limit) {
        var request = ExamineRequest.newBuilder().setCaller(caller).build();
        return ask(PeerAnswer.examination(peer), limit, (service, answer) -> service.examine(request, answer));
    }

    private <R, T> CompletableFuture<T> ask(
            PeerAnswer<R, T> answer,
            Duration limit,
            BiConsumer<PeerServiceGrpc.PeerServiceStub, PeerAnswer<R, T>> question) {
        Optional<ManagedChannel> channel = open.filter(c -> c.getState(false) == ConnectivityState.READY);
        if (channel.isEmpty()) {
            return answer.without("not connected");
        }
        question.accept(
                PeerServiceGrpc.newStub(channel.get()).withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS),
                answer);
        return answer.answer();
    }

    /** Keeps the link until its thread is interrupted. */
    @Override
    public void run() {
        try {
            while (true) {
                become(session());
                TimeUnit.MILLISECONDS.sleep(times.backoff().toMillis());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Connects and stays connected until the link fails; returns what it is then. */
    private LinkState session() throws InterruptedException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(address)
                .usePlaintext()
                .executor(executor)
                .disableRetry()
                .maxInboundMessageSize(PeerEndpoint.MESSAGE_BYTES_MAX)
                .build();
        try {
            Optional<LinkState> silent = ask(channel, times.connect());
            return silent.isPresent() ? silent.get() : gossip(channel);
        } finally {
            open = Optional.empty();
            outbox.detach();
            channel.shutdownNow();
        }
    }

    private LinkState gossip(ManagedChannel channel) throws InterruptedException {
        GossipCall call = new GossipCall(outbox::flush);
        // The generated stub returns the observer that it gave to beforeStart.
        outbox.attach((ClientCallStreamObserver<io.quorumlb.proto.v1.GossipRequest>)
                PeerServiceGrpc.newStub(channel).gossip(call));
        open = Optional.of(channel);
        while (true) {
            Optional<Status> end = call.endsWithin(times.period());
            if (end.isPresent()) {
                return ended(end.get());
            }
            // Only now: a peer that refuses us has said so by this time.
            become(new LinkState.Connected());
            Optional<LinkState> silent = ask(channel, times.answer());
            if (silent.isPresent()) {
                return silent.get();
            }
        }
    }

    /** Asks whether the peer lives; empty if it answered anything at all. */
    private static Optional<LinkState> ask(Channel channel, Duration limit) throws InterruptedException {
        try {
            var _ = HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .check(HealthCheckRequest.getDefaultInstance());
            return Optional.empty();
        } catch (StatusRuntimeException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted while asking a peer");
            }
            return switch (e.getStatus().getCode()) {
                case DEADLINE_EXCEEDED ->
                    Optional.of(new LinkState.Lost("no answer within %d ms".formatted(limit.toMillis())));
                case UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN -> Optional.of(ended(e.getStatus()));
                default -> Optional.empty();
            };
        }
    }

    private static LinkState ended(Status status) {
        String reason = Optional.ofNullable(status.getDescription())
                .map(text -> text.contains("GOAWAY") ? "the peer closed the connection" : text)
                .orElse(status.getCode().name());
        return switch (status.getCode()) {
            case PERMISSION_DENIED, INVALID_ARGUMENT, RESOURCE_EXHAUSTED, UNIMPLEMENTED ->
                new LinkState.Refused(reason);
            default -> new LinkState.Lost(cause(status).orElse(reason));
        };
    }

    /** Returns the innermost complaint: gRPC says "io exception" where the kernel says "Connection refused". */
    private static Optional<String> cause(Status status) {
        Optional<String> message = Optional.empty();
        for (Throwable cause = status.getCause(); cause != null; cause = cause.getCause()) {
            message = Optional.ofNullable(cause.getMessage()).or(() -> Optional.of("connection failed"));
        }
        return message;
    }

    private void become(LinkState next) {
        LinkState before = state;
        state = next;
        if (next.sameAs(before)) {
            return;
        }
        switch (next) {
            case LinkState.Connected _ -> LOG.info("peer connected peer={} address={}", peer, address);
            case LinkState.Lost(String reason) ->
                LOG.warn("peer lost peer={} address={} reason={}", peer, address, reason);
            case LinkState.Refused(String reason) ->
                LOG.warn("peer refuses this node peer={} address={} reason={}", peer, address, reason);
            case LinkState.Unknown _ -> {
                // Only before the first attempt.
            }
        }
    }
}
