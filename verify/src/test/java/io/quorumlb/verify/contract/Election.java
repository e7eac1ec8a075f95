package io.quorumlb.verify.contract;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;

/** How a replica of the model log comes to vote, and to stand: after a silence, and only if a trial promises success. */
final class Election {
    /** What an election needs of the replica. */
    interface Host {
        void send(NodeId to, LogMessage message);

        void sendAll(LogMessage message);

        /** Returns how many votes win. */
        int needed();

        boolean leads();

        /** Nobody is known to lead in the disk's term. */
        void leaderless();

        /** A quorum has voted for this node. */
        void elected();
    }

    private enum Stage {
        NONE,
        TRIAL,
        VOTE
    }

    private final NodeId self;
    private final Disk disk;
    private final LogSettings settings;
    private final ReplicaProcess process;
    private final Random random;
    private final Host host;
    private final SortedSet<NodeId> votes = new TreeSet<>();
    private Stage stage = Stage.NONE;
    private long dueNanos;
    private long heardLeaderNanos;
    private boolean heardLeader;

    Election(NodeId self, Disk disk, LogSettings settings, ReplicaProcess process, Random random, Host host) {
        this.self = self;
        this.disk = disk;
        this.settings = settings;
        this.process = process;
        this.random = random;
        this.host = host;
    }

    /** Begins to watch for silence. */
    void start() {
        expectLeader();
        timer();
    }

    /** Waits for a leader for another timeout. */
    void expectLeader() {
        long min = settings.electionMin().toNanos();
        long spread = settings.electionMax().toNanos() - min;
        dueNanos = process.now() + min + (long) (random.nextDouble() * spread);
    }

    private void timer() {
        process.after(Duration.ofNanos(Math.max(0, dueNanos - process.now())), () -> {
            if (!host.leads() && process.now() >= dueNanos) {
                silence();
            }
            if (process.now() >= dueNanos) {
                expectLeader();
            }
            timer();
        });
    }

    /** Notes a message of the leader. */
    void leaderHeard() {
        heardLeader = true;
        heardLeaderNanos = process.now();
        expectLeader();
    }

    /** Ends what was under way. */
    void end() {
        stage = Stage.NONE;
    }

    private void silence() {
        heardLeader = false;
        stage = Stage.NONE;
        host.leaderless();
        if (disk.voter()) {
            stage = Stage.TRIAL;
            votes.clear();
            votes.add(self);
            host.sendAll(new LogMessage.AskTrialVote(disk.term(), disk.lastIndex(), disk.lastTerm()));
            count();
        }
    }

    /** Asks for votes in the next term. */
    void stand() {
        heardLeader = false;
        stage = Stage.VOTE;
        disk.enterTerm(disk.term() + 1);
        disk.voteFor(self);
        host.leaderless();
        votes.clear();
        votes.add(self);
        expectLeader();
        host.sendAll(new LogMessage.AskVote(disk.term(), disk.lastIndex(), disk.lastTerm()));
        count();
    }

    /** Stands because the leader asks for it; not while an election is under way here. */
    void takeOver() {
        if (stage == Stage.NONE && !host.leads() && disk.voter()) {
            stand();
        }
    }

    private void count() {
        if (votes.size() < host.needed()) {
            return;
        }
        switch (stage) {
            case TRIAL -> stand();
            case VOTE -> {
                stage = Stage.NONE;
                host.elected();
            }
            case NONE -> {
                // A vote that comes too late.
            }
        }
    }

    void answer(NodeId from, LogMessage.AskTrialVote ask) {
        boolean leaderLives = host.leads()
                || (heardLeader
                        && process.now() - heardLeaderNanos
                                < settings.electionMin().toNanos());
        boolean granted =
                disk.voter() && ask.term() == disk.term() && !leaderLives && upToDate(ask.lastIndex(), ask.lastTerm());
        host.send(from, new LogMessage.TrialVote(disk.term(), ask.term(), granted));
    }

    void answer(NodeId from, LogMessage.AskVote ask) {
        boolean granted = disk.voter()
                && ask.term() == disk.term()
                && disk.vote().map(from::equals).orElse(true)
                && upToDate(ask.lastIndex(), ask.lastTerm());
        if (granted) {
            disk.voteFor(from);
            expectLeader();
        }
        host.send(from, new LogMessage.Vote(disk.term(), granted));
    }

    private boolean upToDate(long lastIndex, long lastTerm) {
        return lastTerm > disk.lastTerm() || (lastTerm == disk.lastTerm() && lastIndex >= disk.lastIndex());
    }

    void counted(NodeId from, LogMessage.TrialVote vote) {
        if (vote.granted() && vote.asked() == disk.term() && stage == Stage.TRIAL) {
            votes.add(from);
            count();
        }
    }

    void counted(NodeId from, LogMessage.Vote vote) {
        if (vote.granted() && vote.term() == disk.term() && stage == Stage.VOTE) {
            votes.add(from);
            count();
        }
    }
}
