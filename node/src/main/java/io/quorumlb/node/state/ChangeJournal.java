package io.quorumlb.node.state;

import io.quorumlb.consensus.machine.ClusterChange;
import io.quorumlb.consensus.machine.ClusterChanges;
import io.quorumlb.consensus.machine.ClusterState;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The latest changes of the committed state, by the index of the log entry that made them: the log's thread writes, any number of
 * readers follow at their own pace and keep nobody waiting.
 *
 * <p>Bounded: the oldest go first. What this node has not applied entry by entry, because it started or was sent a snapshot, is not
 * in it.
 */
public final class ChangeJournal {
    private static final int ENTRIES_MAX = 4096;
    private static final int CHANGES_MAX = 65_536;

    /**
     * What one log entry changed.
     *
     * @param index of the entry
     * @param revision of the configuration after it
     * @param changes at least one
     * @param appliedMillis when this node applied it, by its wall clock, in milliseconds since 1970
     */
    public record Entry(long index, long revision, List<ClusterChange> changes, long appliedMillis) {
        /** Copies the list. */
        public Entry {
            changes = List.copyOf(changes);
        }
    }

    /**
     * What comes after an index.
     *
     * @param entries in the order of the log
     * @param index of the last entry that is taken into account, whether it changed something or not
     * @param revision of the configuration after that
     * @param complete false if there was more, which is no longer kept
     * @param since index before the oldest entry that is kept
     */
    public record Page(List<Entry> entries, long index, long revision, boolean complete, long since) {
        /** Copies the list. */
        public Page {
            entries = List.copyOf(entries);
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final Deque<Entry> entries = new ArrayDeque<>();
    private ClusterState last = ClusterState.empty();
    private long index;
    private long since;
    private int changes;

    /** Makes an empty journal. */
    public ChangeJournal() {}

    /** Takes in the state after a log entry. */
    public void advanced(long at, ClusterState state) {
        lock.lock();
        try {
            if (at == index + 1) {
                List<ClusterChange> found = ClusterChanges.between(last, state);
                if (!found.isEmpty()) {
                    keep(new Entry(at, state.revision(), found, System.currentTimeMillis()));
                }
            } else {
                // A snapshot: what lies between is not known one by one.
                entries.clear();
                changes = 0;
                since = at;
            }
            index = at;
            last = state;
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void keep(Entry entry) {
        entries.addLast(entry);
        changes += entry.changes().size();
        while (entries.size() > ENTRIES_MAX || (changes > CHANGES_MAX && entries.size() > 1)) {
            Entry oldest = entries.removeFirst();
            changes -= oldest.changes().size();
            since = oldest.index();
        }
    }

    /** Returns the index of the last entry that was taken in. */
    public long index() {
        lock.lock();
        try {
            return index;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns what comes after an index, as soon as there is something or at the end of the time.
     *
     * @param after index up to which the reader knows everything
     * @param limit longest wait
     */
    public Page after(long after, Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lockInterruptibly();
        try {
            while (after >= since && (entries.isEmpty() || entries.getLast().index() <= after) && left > 0) {
                left = more.awaitNanos(left);
            }
            List<Entry> found = new ArrayList<>();
            for (Entry entry : entries) {
                if (entry.index() > after) {
                    found.add(entry);
                }
            }
            return new Page(found, Math.max(index, after), last.revision(), after >= since, since);
        } finally {
            lock.unlock();
        }
    }
}
