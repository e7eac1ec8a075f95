package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.verify.contract.LogMessage.Entry;
import io.quorumlb.verify.contract.LogMessage.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** What a replica knows to be committed, and the state as far as it has applied that: in order, a moment later. */
final class Applying {
    /** Hears of every entry that was applied. */
    @FunctionalInterface
    interface Listener {
        /** Gets the index of the entry and what became of its command, if it had one. */
        void applied(long index, Optional<Outcome> outcome);
    }

    private record Waiter(long index, Runnable then) {}

    private final Disk disk;
    private final LogSettings settings;
    private final ReplicaProcess process;
    private final Random random;
    private final Consumer<LogEvent> consumer;
    private final Listener listener;
    private final List<Waiter> waiters = new ArrayList<>();
    private ClusterState state;
    private long committed;
    private long applied;
    private boolean scheduled;

    Applying(
            Disk disk,
            LogSettings settings,
            ReplicaProcess process,
            Random random,
            Consumer<LogEvent> consumer,
            Listener listener) {
        this.disk = disk;
        this.settings = settings;
        this.process = process;
        this.random = random;
        this.consumer = consumer;
        this.listener = listener;
        state = disk.snapshot().state();
        committed = disk.snapshot().index();
        applied = committed;
    }

    long committed() {
        return committed;
    }

    long applied() {
        return applied;
    }

    ClusterState state() {
        return state;
    }

    /** Publishes what a snapshot on the disk holds. */
    void start() {
        if (applied > 0) {
            consumer.accept(new LogEvent.Advanced(applied, state));
        }
    }

    /** Takes entries up to an index as committed and applies them soon. */
    void commit(long index) {
        committed = Math.max(committed, index);
        if (!scheduled && applied < committed) {
            scheduled = true;
            long most = settings.applyMax().toNanos();
            process.after(Duration.ofNanos((long) (random.nextDouble() * most)), () -> {
                scheduled = false;
                while (process.running() && applied < Math.min(committed, disk.lastIndex())) {
                    applyNext();
                }
            });
        }
    }

    private void applyNext() {
        applied++;
        Entry entry = disk.entry(applied);
        Optional<Outcome> outcome = entry.command().map(command -> {
            Applied result = settings.applier().apply(state, command);
            state = result.state();
            return result.outcome();
        });
        consumer.accept(new LogEvent.Advanced(applied, state));
        listener.applied(applied, outcome);
        reached();
        if (applied - disk.snapshot().index() >= settings.snapshotEntries()) {
            disk.snapshotTaken(new Snapshot(applied, entry.term(), state), settings.keptEntries());
        }
    }

    /** Takes a leader's snapshot if it holds more than is known to be committed. */
    void install(Snapshot snapshot) {
        if (snapshot.index() > committed) {
            disk.snapshotInstalled(snapshot);
            committed = snapshot.index();
            applied = snapshot.index();
            state = snapshot.state();
            consumer.accept(new LogEvent.Advanced(applied, state));
            reached();
        }
    }

    /** Does something once an index is applied, at once if it is. */
    void whenApplied(long index, Runnable then) {
        waiters.add(new Waiter(index, then));
        reached();
    }

    private void reached() {
        List<Waiter> due =
                waiters.stream().filter(waiter -> waiter.index() <= applied).toList();
        waiters.removeAll(due);
        due.forEach(waiter -> waiter.then().run());
    }
}
