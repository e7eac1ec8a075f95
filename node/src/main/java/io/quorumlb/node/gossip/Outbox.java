package io.quorumlb.node.gossip;

import io.grpc.stub.ClientCallStreamObserver;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.node.wire.RecordCodec;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The latest message to one peer. Each message holds all that there is to say, so a newer one replaces one that still
 * waits; what waits grows older, because the receiver counts from receipt.
 */
final class Outbox {
    private record Waiting(List<NodeRecord> records, long sinceNanos) {}

    private final Caller caller;
    private final PeerTally tally;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Waiting> waiting = Optional.empty();
    private Optional<ClientCallStreamObserver<GossipRequest>> stream = Optional.empty();

    Outbox(Caller caller, PeerTally tally) {
        this.caller = caller;
        this.tally = tally;
    }

    /** Sends the records now if the peer takes them, else as soon as it does. */
    void put(List<NodeRecord> records) {
        lock.lock();
        try {
            if (waiting.isPresent()) {
                tally.dropped();
            }
            waiting = Optional.of(new Waiting(records, System.nanoTime()));
            send();
        } finally {
            lock.unlock();
        }
    }

    /** Begins with a message without records, so that a peer that refuses us says so at once. */
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

    void detach() {
        lock.lock();
        try {
            stream = Optional.empty();
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
        if (waiting.isEmpty() || stream.isEmpty() || !stream.get().isReady()) {
            return;
        }
        stream.get().onNext(message(waiting.get()));
        waiting = Optional.empty();
        tally.sent();
    }

    private GossipRequest message(Waiting message) {
        Duration waited = Duration.ofNanos(System.nanoTime() - message.sinceNanos());
        GossipRequest.Builder request = GossipRequest.newBuilder().setCaller(caller);
        for (NodeRecord nodeRecord : message.records()) {
            request.addRecords(
                    RecordCodec.toWire(nodeRecord.withAge(nodeRecord.age().plus(waited))));
        }
        return request.build();
    }
}
