package io.quorumlb.verify.contract;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Virtual time as a queue of tasks: the time of the next task is the next time. */
final class EventQueue implements VirtualTime {
    private record Due(long atNanos, long number, Runnable task) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparingLong(Due::atNanos).thenComparingLong(Due::number));
    private long nowNanos;
    private long number;

    @Override
    public long nowNanos() {
        return nowNanos;
    }

    @Override
    public void after(Duration delay, Runnable task) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("a task cannot be due %s ago".formatted(delay.negated()));
        }
        number++;
        queue.add(new Due(nowNanos + delay.toNanos(), number, task));
    }

    /** Runs the next task; returns false if there is none. */
    boolean step() {
        Due next = queue.poll();
        if (next == null) {
            return false;
        }
        nowNanos = next.atNanos();
        next.task().run();
        return true;
    }

    /** Runs everything that is due within a time. */
    void run(Duration time) {
        long end = nowNanos + time.toNanos();
        while (!queue.isEmpty() && queue.element().atNanos() <= end) {
            step();
        }
        nowNanos = end;
    }
}
