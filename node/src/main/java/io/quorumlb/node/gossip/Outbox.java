package io.quorumlb.node.gossip;

import io.grpc.stub.ClientCallStreamObserver;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.wire.GossipParts;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What one peer is sent: the parts of one message, and the message after it. A newer message replaces one that still
 * waits; who misses what was in that one asks for it. What waits grows older, because the receiver counts from receipt.
 */
final class Outbox {
    private record Waiting(GossipMessage message, long sinceNanos) {}

    private final Caller caller;
    private final PeerTally tally;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<GossipParts.Part> parts = new ArrayDeque<>();
    private long partsSinceNanos;
    private Optional<Waiting> next = Optional.empty();
    private Optional<ClientCallStreamObserver<GossipRequest>> stream = Optional.empty();

    Outbox(Caller caller, PeerTally tally) {
        this.caller = caller;
        this.tally = tally;
    }

    /** Sends the message now if the peer takes it, else as soon as it does. */
    void put(GossipMessage message) {
        lock.lock();
        try {
            if (next.isPresent()) {
                tally.dropped();
            }
            next = Optional.of(new Waiting(message, System.nanoTime()));
            send();
        } finally {
            lock.unlock();
        }
    }

    /** Begins with a message without content, so that a peer that refuses us says so at once. */
    void attach(ClientCallStreamObserver<GossipRequest> opened) {
        lock.lock();
        try {
            opened.onNext(GossipRequest.newBuilder().setCaller(caller).build());
            stream = Optional.of(opened);
            send();
        } finally {
            lock.unlock();
        }
    }

    /** The rest of a message whose first parts went to a lost stream leads nowhere. */
    void detach() {
        lock.lock();
        try {
            stream = Optional.empty();
            parts.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Sends what waits; called when the stream takes messages again. */
    void flush() {
        lock.lock();
        try {
            send();
        } finally {
            lock.unlock();
        }
    }

    private void send() {
        if (stream.isEmpty()) {
            return;
        }
        while (stream.get().isReady() && (!parts.isEmpty() || next.isPresent())) {
            if (parts.isEmpty()) {
                next.ifPresent(waiting -> {
                    parts.addAll(GossipParts.of(waiting.message()));
                    partsSinceNanos = waiting.sinceNanos();
                });
                next = Optional.empty();
            }
            Duration waited = Duration.ofNanos(System.nanoTime() - partsSinceNanos);
            GossipRequest request = parts.remove().toWire(caller, waited);
            tally.sent(request.getSerializedSize());
            stream.get().onNext(request);
        }
    }
}
