package io.quorumlb.node.api;

import io.grpc.Context;
import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.proto.v1.WriteOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/** Brings a command to the leader, whoever that is. */
final class Writes {
    /** An election takes a second or two. */
    static final Duration RETRY_MAX = Duration.ofSeconds(5);

    /** No attempt begins that has less time than this: its answer would come too late. */
    private static final Duration ATTEMPT_MIN = Duration.ofMillis(200);

    private static final Duration RETRY_PAUSE_MAX = Duration.ofMillis(50);
    private static final Duration APPLY_MAX = Duration.ofSeconds(1);

    private final StateWatch watch;
    private final GenerationLog log;
    private final PeerLinks links;
    private final LongSupplier nanoTime;

    Writes(StateWatch watch, GenerationLog log, PeerLinks links, LongSupplier nanoTime) {
        this.watch = watch;
        this.log = log;
        this.links = links;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns once the command is committed and, within a second, visible in this node's own answers.
     *
     * <p>While nobody leads, or a leader has not answered, the proposal is made again for at most 5 s: its request id sees to it
     * that it is done once.
     *
     * @throws io.grpc.StatusRuntimeException as the service says
     */
    Outcome.Done commit(Command command, WriteOptions options) throws InterruptedException {
        Origin origin = Commands.origin(options, OriginCodec.content(command));
        return switch (outcome(new Command.Requested(origin, command))) {
            case Outcome.Done done -> done;
            case Outcome.Refused refused -> throw Refusals.refused(refused);
        };
    }

    /**
     * Returns what the state machine has made of the write, as {@link #commit} does, but for a refusal, which is returned.
     *
     * @throws io.grpc.StatusRuntimeException as the service says
     */
    Outcome outcome(Command.Requested write) throws InterruptedException {
        long start = nanoTime.getAsLong();
        Optional<String> doubt = Optional.empty();
        while (true) {
            Leadership before = watch.current().leadership();
            switch (propose(write, before, start)) {
                case ProposeOutcome.Committed(Outcome.Done done) -> {
                    return visible(write.command(), done);
                }
                case ProposeOutcome.Committed(Outcome.Refused refused) -> {
                    return refused;
                }
                case ProposeOutcome.Unknown(String reason) -> doubt = Optional.of(reason);
                case ProposeOutcome.NotLeader _ -> {
                    // What an earlier leader may have written is still in doubt.
                }
            }
            if (left(start) < ATTEMPT_MIN.toNanos()) {
                throw doubt.map(reason ->
                                Refusals.unknown(reason, write.origin().request()))
                        .orElseGet(() -> Refusals.noLeader(nobodyAnswered()));
            }
            pause(before);
        }
    }

    private long left(long start) {
        return RETRY_MAX.toNanos() - (nanoTime.getAsLong() - start);
    }

    private ProposeOutcome propose(Command.Requested write, Leadership leadership, long start)
            throws InterruptedException {
        ProposeOutcome own = outcome(log.propose(write.stamped(System.currentTimeMillis())), left(start));
        if (!(own instanceof ProposeOutcome.NotLeader(Optional<NodeId> named))) {
            return own;
        }
        Optional<NodeId> leader = named.or(() -> leader(leadership))
                .filter(node -> !node.equals(watch.current().settings().self()));
        return leader.isPresent() ? forward(leader.get(), write, leadership, start) : own;
    }

    /** A leader that has frozen answers nothing: once another leads there is nothing more to wait for. */
    private ProposeOutcome forward(NodeId leader, Command command, Leadership before, long start)
            throws InterruptedException {
        CompletableFuture<ProposeOutcome> answer = links.propose(leader, command);
        while (!answer.isDone() && !isReplaced(leader, before) && left(start) > 0) {
            try {
                return answer.get(RETRY_PAUSE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException _) {
                // Looks who leads now.
            } catch (ExecutionException e) {
                throw new IllegalStateException("a proposal must not fail exceptionally", e);
            }
        }
        return answer.getNow(new ProposeOutcome.Unknown(
                left(start) <= 0
                        ? "leader %s has not answered in time".formatted(leader)
                        : "node %s lost the lead before it answered".formatted(leader)));
    }

    /** What was known before does not count: the log may have named a newer leader than this node's state. */
    private boolean isReplaced(NodeId leader, Leadership before) {
        Leadership now = watch.current().leadership();
        return !now.equals(before) && (now instanceof Leadership.Leading || isOther(leader(now), leader));
    }

    private static boolean isOther(Optional<NodeId> one, NodeId leader) {
        return one.filter(node -> !node.equals(leader)).isPresent();
    }

    private static Optional<NodeId> leader(Leadership leadership) {
        return leadership instanceof Leadership.Following(long _, NodeId leader)
                ? Optional.of(leader)
                : Optional.empty();
    }

    private static ProposeOutcome outcome(CompletableFuture<ProposeOutcome> proposal, long nanosMax)
            throws InterruptedException {
        try {
            return proposal.get(nanosMax, TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            return new ProposeOutcome.Unknown("no majority has answered in time");
        } catch (ExecutionException e) {
            throw new IllegalStateException("a proposal must not fail exceptionally", e);
        }
    }

    /** Waits for news of the leader, or a moment. */
    private void pause(Leadership before) throws InterruptedException {
        if (Context.current().isCancelled()) {
            throw Refusals.cancelled();
        }
        boolean _ = watch.await(state -> !state.leadership().equals(before), RETRY_PAUSE_MAX);
    }

    private String nobodyAnswered() {
        Optional<NodeId> leader = leader(watch.current().leadership());
        return leader.isPresent()
                ? "leader %s did not answer this node within %d s, nothing was written: try again through another node"
                        .formatted(leader.get(), RETRY_MAX.toSeconds())
                : "no leader within %d s, nothing was written: a majority of the nodes %s must reach each other; try again"
                        .formatted(
                                RETRY_MAX.toSeconds(),
                                watch.current().settings().voters());
    }

    private Outcome.Done visible(Command command, Outcome.Done done) throws InterruptedException {
        boolean _ = watch.await(state -> isVisible(command, done, state), APPLY_MAX);
        return done;
    }

    /** The slot function is no part of the configuration: its revision does not tell. */
    private static boolean isVisible(Command command, Outcome.Done done, NodeState state) {
        return state.cluster().revision() >= done.revision()
                && (!(command instanceof Command.SetSlotFunction(var function))
                        || state.cluster().slotFunction() == function);
    }
}
