package io.quorumlb.node.shell;

import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.NodeTrace;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.pipeline.PacketPath;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Traces packets through this node's switch, a few at a time: each costs the switch's main thread. Any thread. */
public final class PacketTracing {
    private static final int AT_ONCE_MAX = 2;

    private final StateWatch watch;
    private final Question question;
    private final Semaphore free = new Semaphore(AT_ONCE_MAX);

    /** Asks the switch. */
    @FunctionalInterface
    public interface Question {
        /**
         * Returns the way of a packet.
         *
         * @throws DatapathException if the switch could not be asked
         */
        PacketPath ask(SwitchIntent intent, Tuple tuple) throws DatapathException;
    }

    /** Asks by {@code question} what the node's latest state is compared with. */
    public PacketTracing(StateWatch watch, Question question) {
        this.watch = watch;
        this.question = question;
    }

    /** Returns what this node would do with the packet; never throws, what is in the way is in the answer. */
    public NodeTrace trace(Tuple tuple) {
        NodeState state = watch.current();
        Optional<SwitchIntent> intent = state.intent();
        if (intent.isEmpty()) {
            return new NodeTrace(
                    state.settings().self(), 0, Optional.empty(), Optional.empty(), "the switch is not read yet");
        }
        PacketPath predicted = PacketPath.predicted(intent.get(), tuple);
        long generation = intent.get().pools().stream()
                .filter(pool -> predicted.pool().orElse(0) == pool.id())
                .mapToLong(SwitchIntent.ServedPool::generation)
                .findFirst()
                .orElse(0);
        if (!free.tryAcquire()) {
            return new NodeTrace(
                    state.settings().self(),
                    generation,
                    Optional.of(predicted),
                    Optional.empty(),
                    "%d traces are under way, the most this node makes at once".formatted(AT_ONCE_MAX));
        }
        try {
            PacketPath found = question.ask(intent.get(), tuple);
            return new NodeTrace(state.settings().self(), generation, Optional.of(predicted), Optional.of(found), "");
        } catch (DatapathException failed) {
            return new NodeTrace(
                    state.settings().self(),
                    generation,
                    Optional.of(predicted),
                    Optional.empty(),
                    String.valueOf(failed.getMessage()));
        } finally {
            free.release();
        }
    }
}
