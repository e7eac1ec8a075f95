package io.quorumlb.verify.contract;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.verify.contract.LogMessage.Entry;
import io.quorumlb.verify.contract.LogMessage.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a replica of the model log has written; survives the process. Every write is done at once and whole. */
final class Disk {
    private long term;
    private Optional<NodeId> vote = Optional.empty();
    private boolean voter;
    private Snapshot snapshot = Snapshot.NONE;
    /** Entries up to here are gone; a snapshot holds them. */
    private long baseIndex;

    private long baseTerm;
    private final List<Entry> entries = new ArrayList<>();

    /** An empty disk; that of a node which voted before must not vote until it is readmitted. */
    Disk(boolean voter) {
        this.voter = voter;
    }

    long term() {
        return term;
    }

    Optional<NodeId> vote() {
        return vote;
    }

    boolean voter() {
        return voter;
    }

    Snapshot snapshot() {
        return snapshot;
    }

    long baseIndex() {
        return baseIndex;
    }

    long lastIndex() {
        return baseIndex + entries.size();
    }

    long lastTerm() {
        return termAt(lastIndex());
    }

    /** Returns the term of the entry at an index between base and last. */
    long termAt(long index) {
        return index == baseIndex ? baseTerm : entry(index).term();
    }

    Entry entry(long index) {
        return entries.get((int) (index - baseIndex - 1));
    }

    /** Returns a copy of at most so many entries from an index on. */
    List<Entry> from(long index, int most) {
        int start = (int) (index - baseIndex - 1);
        return List.copyOf(entries.subList(start, Math.min(entries.size(), start + most)));
    }

    void enterTerm(long next) {
        if (next > term) {
            term = next;
            vote = Optional.empty();
        }
    }

    void voteFor(NodeId candidate) {
        vote = Optional.of(candidate);
    }

    void readmitted(NodeId leader) {
        voter = true;
        vote = Optional.of(leader);
    }

    void append(Entry entry) {
        entries.add(entry);
    }

    /** Returns the first index at which entries behind an index differ from those here. */
    Optional<Long> firstConflict(long previousIndex, List<Entry> more) {
        for (int i = 0; i < more.size(); i++) {
            long index = previousIndex + 1 + i;
            if (index > lastIndex()) {
                break;
            }
            if (index > baseIndex && termAt(index) != more.get(i).term()) {
                return Optional.of(index);
            }
        }
        return Optional.empty();
    }

    /** Writes entries behind an index; what is there already stays, what differs goes with all behind it. */
    void write(long previousIndex, List<Entry> more) {
        long index = previousIndex;
        for (Entry entry : more) {
            index++;
            if (index <= baseIndex) {
                continue;
            }
            if (index <= lastIndex() && termAt(index) != entry.term()) {
                entries.subList((int) (index - baseIndex - 1), entries.size()).clear();
            }
            if (index > lastIndex()) {
                entries.add(entry);
            }
        }
    }

    /** Keeps a snapshot of the own state and purges entries long before it. */
    void snapshotTaken(Snapshot taken, long kept) {
        snapshot = taken;
        purge(taken.index() - kept);
    }

    /** Takes a leader's snapshot in place of entries. */
    void snapshotInstalled(Snapshot installed) {
        snapshot = installed;
        if (installed.index() <= lastIndex() && termAt(installed.index()) == installed.term()) {
            purge(installed.index());
        } else {
            entries.clear();
            baseIndex = installed.index();
            baseTerm = installed.term();
        }
    }

    private void purge(long upTo) {
        if (upTo > baseIndex) {
            baseTerm = termAt(upTo);
            entries.subList(0, (int) (upTo - baseIndex)).clear();
            baseIndex = upTo;
        }
    }
}
