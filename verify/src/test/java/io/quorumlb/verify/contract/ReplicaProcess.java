package io.quorumlb.verify.contract;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of the model: while it stands still what it has to do waits, once it has ended nothing is done. */
final class ReplicaProcess {
    private final VirtualTime time;
    private final List<Runnable> backlog = new ArrayList<>();
    private boolean running = true;
    private boolean frozen;

    ReplicaProcess(VirtualTime time) {
        this.time = time;
    }

    boolean running() {
        return running;
    }

    boolean frozen() {
        return frozen;
    }

    long now() {
        return time.nowNanos();
    }

    void end() {
        running = false;
        backlog.clear();
    }

    void freeze() {
        frozen = true;
    }

    /** Goes on with everything that has become due or has arrived. */
    void thaw() {
        frozen = false;
        List<Runnable> due = List.copyOf(backlog);
        backlog.clear();
        due.forEach(this::run);
    }

    /** Does a task now, or when the process goes on. */
    void run(Runnable task) {
        if (!running) {
            return;
        }
        if (frozen) {
            backlog.add(task);
        } else {
            task.run();
        }
    }

    void after(Duration delay, Runnable task) {
        time.after(delay, () -> run(task));
    }
}
