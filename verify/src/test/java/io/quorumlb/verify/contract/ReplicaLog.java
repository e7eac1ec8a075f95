package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** The port to one replica of the model log, for the life of its process. No call is answered before it returns. */
final class ReplicaLog implements GenerationLog {
    private final Replica replica;
    private final ReplicaProcess process;
    private final LogSettings settings;
    /** What to say to a call under way if the log is closed. */
    private final SortedMap<Long, Runnable> underWay = new TreeMap<>();

    private long calls;

    ReplicaLog(Replica replica, ReplicaProcess process, LogSettings settings) {
        this.replica = replica;
        this.process = process;
        this.settings = settings;
    }

    /** Answers in time, and at the end; the call itself begins in a moment. */
    private <T> CompletableFuture<T> call(
            Duration timeout, T late, T closed, Runnable begin, CompletableFuture<T> done) {
        if (!process.running()) {
            done.complete(closed);
            return done;
        }
        calls++;
        long id = calls;
        underWay.put(id, () -> done.complete(closed));
        process.after(Duration.ZERO, begin);
        process.after(timeout, () -> done.complete(late));
        var _ = done.whenComplete((_, _) -> underWay.remove(id));
        return done;
    }

    @Override
    public CompletableFuture<ProposeOutcome> propose(Command command) {
        var outcome = new CompletableFuture<ProposeOutcome>();
        return call(
                settings.proposeTimeout(),
                new ProposeOutcome.Unknown("no majority has answered in time"),
                new ProposeOutcome.NotLeader(Optional.empty()),
                () -> replica.propose(command, outcome),
                outcome);
    }

    @Override
    public CompletableFuture<Boolean> readBarrier() {
        var done = new CompletableFuture<Boolean>();
        return call(
                settings.readTimeout(),
                false,
                false,
                () -> replica.askLeader(index -> {
                    if (index.isPresent()) {
                        replica.whenApplied(index.getAsLong(), () -> done.complete(true));
                    } else {
                        done.complete(false);
                    }
                }),
                done);
    }

    @Override
    public CompletableFuture<Boolean> handOver(Optional<NodeId> to) {
        var done = new CompletableFuture<Boolean>();
        return call(settings.handOverTimeout(), false, false, () -> replica.handOver(to, done), done);
    }

    @Override
    public void close() {
        if (process.running()) {
            // What has reached the log is unknown; all else was not done.
            replica.leave();
            process.end();
            List.copyOf(underWay.values()).forEach(Runnable::run);
        }
    }
}
