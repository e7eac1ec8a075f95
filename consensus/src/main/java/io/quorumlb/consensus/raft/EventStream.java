package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.LogEvent;
import java.util.function.Consumer;

/** Hands events to their consumer, one at a time, until it is closed. */
final class EventStream {
    private final Consumer<LogEvent> consumer;
    private boolean open = true;
    private boolean failed;

    EventStream(Consumer<LogEvent> consumer) {
        this.consumer = consumer;
    }

    synchronized void publish(LogEvent event) {
        if (open) {
            consumer.accept(event);
        }
    }

    /** Publishes the first failure; what follows from it is not worth a word. */
    synchronized void fail(String reason) {
        if (!failed) {
            failed = true;
            publish(new LogEvent.Failed(reason));
        }
    }

    /** After this returns the consumer is not called again. */
    synchronized void close() {
        open = false;
    }
}
