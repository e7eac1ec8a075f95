package io.quorumlb.node.gossip;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** A log that answers every proposal as the test says. */
public final class HandLog implements GenerationLog {
    private final List<Command> proposed = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<Command, CompletableFuture<ProposeOutcome>> answer =
            _ -> CompletableFuture.completedFuture(new ProposeOutcome.Unknown("the test gave no answer"));

    /** Answers from now on with the function's result. */
    public void answer(Function<Command, ProposeOutcome> function) {
        answer = command -> CompletableFuture.completedFuture(function.apply(command));
    }

    /** Never answers from now on. */
    public void fallSilent() {
        answer = _ -> new CompletableFuture<>();
    }

    /** Returns the commands proposed so far. */
    public List<Command> proposed() {
        synchronized (proposed) {
            return List.copyOf(proposed);
        }
    }

    @Override
    public CompletableFuture<ProposeOutcome> propose(Command command) {
        proposed.add(command);
        return answer.apply(command);
    }

    @Override
    public CompletableFuture<Boolean> readBarrier() {
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletableFuture<Boolean> handOver(Optional<NodeId> to) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public void close() {
        // Holds nothing.
    }
}
