package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One node of a test cluster: its log, opened and closed at will, and what it was told. */
final class TestNode {
    static final Duration DEADLINE = Duration.ofSeconds(20);

    private final RaftSettings settings;
    private final RaftTuning tuning;
    private final Bell bell;
    private final List<LogEvent> events = new ArrayList<>();
    private Leadership leadership = new Leadership.Searching(0);
    private ClusterState state = ClusterState.empty();
    private volatile @Nullable RatisLog log;

    TestNode(RaftSettings settings, RaftTuning tuning, Bell bell) {
        this.settings = settings;
        this.tuning = tuning;
        this.bell = bell;
    }

    NodeId id() {
        return settings.self();
    }

    RaftSettings settings() {
        return settings;
    }

    void open() throws RaftStartException {
        synchronized (this) {
            events.clear();
            leadership = new Leadership.Searching(0);
            state = ClusterState.empty();
        }
        log = RatisLog.open(settings, tuning, this::record);
    }

    void close() {
        RatisLog open = log;
        log = null;
        if (open != null) {
            open.close();
        }
    }

    boolean running() {
        return log != null;
    }

    RatisLog log() {
        return Optional.ofNullable(log).orElseThrow();
    }

    private void record(LogEvent event) {
        synchronized (this) {
            events.add(event);
            switch (event) {
                case LogEvent.LeadershipChanged(var now) -> leadership = now;
                case LogEvent.Advanced(long _, var now) -> state = now;
                case LogEvent.Failed _ -> {
                    // Kept among the events.
                }
            }
        }
        bell.ring();
    }

    synchronized List<LogEvent> events() {
        return List.copyOf(events);
    }

    synchronized Leadership leadership() {
        return leadership;
    }

    synchronized ClusterState state() {
        return state;
    }

    /** Waits until what the node was told fits. */
    void await(String what, Predicate<TestNode> condition) throws InterruptedException {
        bell.await(
                () -> condition.test(this),
                () -> "%s %s; it has %s and revision %d".formatted(id(), what, leadership(), state().revision()));
    }

    void awaitState(ClusterState wanted) throws InterruptedException {
        await("at revision " + wanted.revision(), node -> node.state().equals(wanted));
    }

    ProposeOutcome propose(Command command) throws Exception {
        return get(log().propose(command));
    }

    boolean barrier() throws Exception {
        return get(log().readBarrier());
    }

    boolean handOver(Optional<NodeId> to) throws Exception {
        return get(log().handOver(to));
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }
}
