package io.quorumlb.node.state;

import io.quorumlb.node.core.NodeState;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The node's latest state: one thread publishes, any number look and wait. Those who wait may miss states between two
 * that they see, never the last one.
 */
public final class StateWatch {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition published = lock.newCondition();
    private volatile NodeState current;

    /** Holds the state until the first is published. */
    public StateWatch(NodeState initial) {
        this.current = initial;
    }

    /** Returns the state that was published last. */
    public NodeState current() {
        return current;
    }

    /** Replaces the state; waits for nobody's predicate. */
    public void publish(NodeState next) {
        lock.lock();
        try {
            current = next;
            published.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a published state, the present one first, is as wanted; false if none was within the limit.
     *
     * @param wanted called on the waiting thread for each state that it sees
     * @param limit zero or less only looks
     */
    public boolean await(Predicate<NodeState> wanted, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        NodeState seen = current;
        while (!wanted.test(seen)) {
            if (!awaitOther(seen, end)) {
                return false;
            }
            seen = current;
        }
        return true;
    }

    /** Waits until another state than the seen one is there; false at the end of the time. */
    private boolean awaitOther(NodeState seen, long end) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            // The same object is the same state: a state is immutable.
            while (current == seen) {
                long left = end - System.nanoTime();
                if (left <= 0 || (published.awaitNanos(left) <= 0 && current == seen)) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
