package io.quorumlb.consensus.log;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The replicated log.
 *
 * <p>The consumer given when it was opened gets every {@link LogEvent} in order, from one thread at a time; it must not
 * block.
 */
public interface GenerationLog extends AutoCloseable {
    /** Proposes a command on this node; never fails exceptionally. Times out as {@link ProposeOutcome.Unknown}. */
    CompletableFuture<ProposeOutcome> propose(Command command);

    /**
     * Completes with true once this node has applied everything that the present leader had committed when it was
     * asked, with false if no leader answered in time.
     */
    CompletableFuture<Boolean> readBarrier();

    /**
     * Gives this node's leadership to another voter; never fails exceptionally. Completes with true once the other one
     * leads, with false if this node does not lead or the other one could not take over: then this node goes on, or has
     * stepped down and anybody may be elected.
     *
     * @param to who is to lead; empty if anybody else may
     */
    CompletableFuture<Boolean> handOver(Optional<NodeId> to);

    /** Stops taking part; the state on disk stays. */
    @Override
    void close();
}
