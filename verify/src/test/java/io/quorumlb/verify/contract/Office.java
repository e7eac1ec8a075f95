package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.verify.contract.LogMessage.Round;
import io.quorumlb.verify.contract.LogMessage.Standing;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** What a leader of the model log knows as long as it leads. */
final class Office {
    /** What the leader knows of one follower. */
    static final class Progress {
        /** Highest index that the follower is known to hold as the leader does. */
        private long match;
        /** Where the next message begins. */
        private long next;
        /** True once the follower's log was found to fit. */
        private boolean fits;

        private long life = -1;
        private boolean voter = true;
        private long heardRound;
        private long heardAsOfNanos;
        /** The first round that began after the follower came back without its disk. */
        private long returnedRound;

        private Progress(long next, long nowNanos) {
            this.next = next;
            heardAsOfNanos = nowNanos;
        }

        long match() {
            return match;
        }

        /** Returns the index at which the next message begins. */
        long next() {
            return next;
        }

        /** Returns the index at which a message begins that repeats what was not acknowledged. */
        long unacknowledged() {
            return fits ? match + 1 : next;
        }

        void sentUpTo(long index) {
            next = Math.max(next, index + 1);
        }
    }

    private record Asked(long round, long index, Consumer<OptionalLong> answer) {}

    private final long firstIndex;
    private final SortedMap<NodeId, Progress> followers = new TreeMap<>();
    private final SortedMap<Long, CompletableFuture<ProposeOutcome>> proposals = new TreeMap<>();
    private final List<Asked> barriers = new ArrayList<>();
    private long rounds;
    private boolean ready;

    /**
     * Begins a term.
     *
     * @param firstIndex index of the entry that begins it
     */
    Office(Collection<NodeId> others, long firstIndex, long nowNanos) {
        this.firstIndex = firstIndex;
        others.forEach(node -> followers.put(node, new Progress(firstIndex, nowNanos)));
    }

    long firstIndex() {
        return firstIndex;
    }

    boolean ready() {
        return ready;
    }

    void isReady() {
        ready = true;
    }

    SortedMap<NodeId, Progress> followers() {
        return followers;
    }

    Progress follower(NodeId node) {
        return Optional.ofNullable(followers.get(node)).orElseThrow();
    }

    Round nextRound(long nowNanos) {
        rounds++;
        return new Round(rounds, nowNanos);
    }

    /**
     * Notes that a follower has answered; a new process has to be asked what it holds.
     *
     * @return false if the answer comes from a process that is gone
     */
    boolean heard(NodeId node, Round round, Standing standing) {
        Progress progress = follower(node);
        if (standing.life() < progress.life) {
            return false;
        }
        if (progress.life != standing.life()) {
            boolean first = progress.life < 0;
            progress.life = standing.life();
            progress.match = 0;
            progress.fits = false;
            progress.heardRound = 0;
            progress.returnedRound = standing.voter() ? 0 : rounds + 1;
            if (!first) {
                progress.next = Math.min(progress.next, firstIndex);
            }
        }
        progress.voter = standing.voter();
        progress.heardRound = Math.max(progress.heardRound, round.number());
        progress.heardAsOfNanos = Math.max(progress.heardAsOfNanos, round.startedAtNanos());
        return true;
    }

    void holds(NodeId node, long index) {
        Progress progress = follower(node);
        progress.match = Math.max(progress.match, index);
        progress.next = Math.max(progress.next, index + 1);
        progress.fits = true;
    }

    void differs(NodeId node, long index) {
        Progress progress = follower(node);
        progress.fits = false;
        progress.next = Math.max(progress.match, Math.min(progress.next - 1, index)) + 1;
    }

    /** Returns the highest index that so many voters hold, the leader among them if it votes. */
    long held(long ownLast, boolean ownVote, int needed) {
        List<Long> held = new ArrayList<>();
        if (ownVote) {
            held.add(ownLast);
        }
        followers.values().stream().filter(progress -> progress.voter).forEach(progress -> held.add(progress.match));
        held.sort(Comparator.reverseOrder());
        return held.size() < needed ? 0 : held.get(needed - 1);
    }

    /** Returns how many voters beside the leader were heard as of that time or later. */
    int heardSince(long nanos) {
        return (int) followers.values().stream()
                .filter(progress -> progress.voter && progress.heardAsOfNanos >= nanos)
                .count();
    }

    /** Returns the life of a node that came back without its disk and may vote again. */
    OptionalLong readmissible(NodeId node, long committed) {
        Progress returned = follower(node);
        boolean othersInTerm = followers.values().stream()
                .filter(progress -> progress != returned)
                .allMatch(progress -> progress.heardRound >= returned.returnedRound);
        boolean complete = returned.match >= committed;
        boolean again = ready && !returned.voter && returned.returnedRound > 0 && othersInTerm && complete;
        return again ? OptionalLong.of(returned.life) : OptionalLong.empty();
    }

    void proposed(long index, CompletableFuture<ProposeOutcome> outcome) {
        proposals.put(index, outcome);
    }

    int underWay() {
        return proposals.size();
    }

    Optional<CompletableFuture<ProposeOutcome>> finished(long index) {
        return Optional.ofNullable(proposals.remove(index));
    }

    /** Notes a question for the commit index that a majority must confirm in the round. */
    void asked(Round round, long index, Consumer<OptionalLong> answer) {
        barriers.add(new Asked(round.number(), index, answer));
    }

    /** Returns the answers to questions that so many voters beside the leader have confirmed, and forgets those. */
    List<Runnable> confirmed(int neededBesideLeader) {
        List<Runnable> answers = new ArrayList<>();
        barriers.removeIf(asked -> {
            long confirmations = followers.values().stream()
                    .filter(progress -> progress.voter && progress.heardRound >= asked.round())
                    .count();
            boolean enough = confirmations >= neededBesideLeader;
            if (enough) {
                answers.add(() -> asked.answer().accept(OptionalLong.of(asked.index())));
            }
            return enough;
        });
        return answers;
    }

    /** Returns the voter that holds most. */
    Optional<NodeId> bestHeir() {
        return followers.entrySet().stream()
                .filter(entry -> entry.getValue().voter && entry.getValue().fits)
                .max(Comparator.comparingLong(entry -> entry.getValue().match))
                .map(Map.Entry::getKey);
    }

    /** Ends the office: what was written may be committed by others, or not. */
    void leave() {
        proposals
                .values()
                .forEach(outcome -> outcome.complete(
                        new ProposeOutcome.Unknown("the leader lost its office before the entry was committed")));
        proposals.clear();
        barriers.forEach(asked -> asked.answer().accept(OptionalLong.empty()));
        barriers.clear();
    }
}
