package io.quorumlb.verify.contract;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What the replicas of the model log tell each other: Raft, with trial votes, read index and transfer of leadership. */
sealed interface LogMessage {
    /** Returns the sender's term. */
    long term();

    /**
     * An entry of the log.
     *
     * @param term in which it was written
     * @param command empty for the entry with which a leader begins its term
     */
    record Entry(long term, Optional<Command> command) {}

    /** The state after the entry at an index. */
    record Snapshot(long index, long term, ClusterState state) {
        static final Snapshot NONE = new Snapshot(0, 0, ClusterState.empty());
    }

    /** Numbers what a leader sends, so that an answer proves how recent it is. */
    record Round(long number, long startedAtNanos) {}

    /** Would you vote for me in the next term? */
    record AskTrialVote(long term, long lastIndex, long lastTerm) implements LogMessage {}

    /** The answer to a trial; {@code asked} is the asker's term. */
    record TrialVote(long term, long asked, boolean granted) implements LogMessage {}

    /** Vote for me in this term. */
    record AskVote(long term, long lastIndex, long lastTerm) implements LogMessage {}

    /** A vote, or none. */
    record Vote(long term, boolean granted) implements LogMessage {}

    /** Entries behind a place that both logs must have; none is a heartbeat. */
    record Append(long term, Round round, long previousIndex, long previousTerm, List<Entry> entries, long commit)
            implements LogMessage {
        public Append {
            entries = List.copyOf(entries);
        }
    }

    /** The state instead of entries that are gone. */
    record Install(long term, Round round, Snapshot snapshot) implements LogMessage {}

    /** Everything up to the index is on the sender's disk as the leader has it. */
    record Held(long term, Round round, Standing standing, long index) implements LogMessage {}

    /** The logs differ; try again behind the index. */
    record Differs(long term, Round round, Standing standing, long index) implements LogMessage {}

    /**
     * Who answers.
     *
     * @param life number of the process
     * @param voter false after the disk was lost
     */
    record Standing(long life, boolean voter) {}

    /** How far have you committed? */
    record AskCommitted(long term, long id) implements LogMessage {}

    /** The leader had committed so far when it was asked; empty if it cannot say. */
    record Committed(long term, long id, OptionalLong index) implements LogMessage {}

    /** Ask for votes at once: your leader wants you to lead. */
    record TakeOver(long term) implements LogMessage {}

    /** You hold everything again: vote, but in later terms only. */
    record Readmit(long term, long life) implements LogMessage {}
}
