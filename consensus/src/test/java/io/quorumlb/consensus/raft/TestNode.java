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
    private final List<LogEvent> events = new ArrayList<>();
    private @Nullable RatisLog log;

    TestNode(RaftSettings settings, RaftTuning tuning) {
        this.settings = settings;
        this.tuning = tuning;
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
        }
        log = RatisLog.open(settings, tuning, this::record);
    }

    void close() {
        if (log != null) {
            log.close();
            log = null;
        }
    }

    boolean running() {
        return log != null;
    }

    RatisLog log() {
        return Optional.ofNullable(log).orElseThrow();
    }

    private synchronized void record(LogEvent event) {
        events.add(event);
        notifyAll();
    }

    synchronized List<LogEvent> events() {
        return List.copyOf(events);
    }

    synchronized Leadership leadership() {
        return events.stream()
                .filter(LogEvent.LeadershipChanged.class::isInstance)
                .map(event -> ((LogEvent.LeadershipChanged) event).leadership())
                .reduce(new Leadership.Searching(0), (_, later) -> later);
    }

    synchronized ClusterState state() {
        return events.stream()
                .filter(LogEvent.Advanced.class::isInstance)
                .map(event -> ((LogEvent.Advanced) event).state())
                .reduce(ClusterState.empty(), (_, later) -> later);
    }

    /** Waits until what the node was told fits. */
    synchronized void await(String what, Predicate<TestNode> condition) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.test(this)) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                throw new AssertionError("%s: not %s within %s; %s, %d events"
                        .formatted(id(), what, DEADLINE, leadership(), events.size()));
            }
            wait(left);
        }
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

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }
}
