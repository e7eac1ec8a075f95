package io.quorumlb.verify.sim;

import io.quorumlb.verify.contract.VirtualTime;
import java.time.Duration;
import java.util.PriorityQueue;

/** Virtual time of the whole world: events run in order of their time, those of one time in order of their making. */
final class Scheduler implements VirtualTime {
    private record Planned(long at, long order, Runnable event) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private final PriorityQueue<Planned> plan = new PriorityQueue<>();
    private long now;
    private long planned;
    private long ran;

    @Override
    public long nowNanos() {
        return now;
    }

    @Override
    public void after(Duration delay, Runnable event) {
        at(now + Math.max(0, delay.toNanos()), event);
    }

    /** Runs the event at the time, at once if that has passed. */
    void at(long nanos, Runnable event) {
        planned++;
        plan.add(new Planned(Math.max(now, nanos), planned, event));
    }

    /** Returns how many events have run. */
    long ran() {
        return ran;
    }

    /** Runs the next event if it is due before the end; returns false, with the time at the end, if none is. */
    boolean next(long end) {
        Planned first = plan.peek();
        if (first == null || first.at > end) {
            now = Math.max(now, end);
            return false;
        }
        plan.remove();
        now = first.at;
        ran++;
        first.event.run();
        return true;
    }
}
