package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.verify.contract.LogMessage.Append;
import io.quorumlb.verify.contract.LogMessage.Entry;
import io.quorumlb.verify.contract.LogMessage.Round;
import io.quorumlb.verify.contract.LogMessage.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** One node of the model log for the life of one process: Raft over messages. */
final class Replica implements Election.Host {
    private static final int BATCH_MAX = 64;
    private static final int PENDING_MAX = 1024;

    /** Leadership on its way to another. */
    private record Transfer(NodeId to, CompletableFuture<Boolean> done) {}

    private final NodeId self;
    private final long life;
    private final SortedSet<NodeId> others;
    private final Disk disk;
    private final ModelLog cluster;
    private final LogSettings settings;
    private final ReplicaProcess process;
    private final Election election;
    private final Consumer<LogEvent> consumer;
    private final Applying applying;
    private final SortedMap<Long, Consumer<OptionalLong>> questions = new TreeMap<>();
    private Optional<NodeId> leader = Optional.empty();
    private Optional<Office> office = Optional.empty();
    private Optional<Transfer> transfer = Optional.empty();
    private Leadership told = new Leadership.Searching(0);
    private long lastQuestion;

    Replica(
            NodeId self,
            long life,
            Disk disk,
            ModelLog cluster,
            ReplicaProcess process,
            Random random,
            Consumer<LogEvent> consumer) {
        this.self = self;
        this.life = life;
        this.disk = disk;
        this.cluster = cluster;
        this.process = process;
        this.consumer = consumer;
        settings = cluster.settings();
        others = new TreeSet<>(cluster.voters());
        others.remove(self);
        applying = new Applying(disk, settings, process, random, consumer, this::applied);
        election = new Election(self, disk, settings, process, random, this);
    }

    /** Publishes what the disk holds and begins to take part. */
    void start() {
        applying.start();
        tell(new Leadership.Searching(disk.term()));
        election.start();
    }

    Leadership told() {
        return told;
    }

    ClusterState state() {
        return applying.state();
    }

    long applied() {
        return applying.applied();
    }

    private void after(Duration delay, Runnable task) {
        process.after(delay, task);
    }

    private long now() {
        return process.now();
    }

    @Override
    public void send(NodeId to, LogMessage message) {
        cluster.send(self, to, message);
    }

    @Override
    public void sendAll(LogMessage message) {
        others.forEach(node -> send(node, message));
    }

    @Override
    public int needed() {
        return settings.quorum().applyAsInt(others.size() + 1);
    }

    private int neededBeside() {
        return needed() - (disk.voter() ? 1 : 0);
    }

    private void tell(Leadership now) {
        if (!now.equals(told) && now.term() >= told.term()) {
            told = now;
            consumer.accept(new LogEvent.LeadershipChanged(now));
        }
    }

    // ---- office ----

    @Override
    public boolean leads() {
        return office.isPresent();
    }

    @Override
    public void leaderless() {
        leader = Optional.empty();
        tell(new Leadership.Searching(disk.term()));
    }

    @Override
    public void elected() {
        disk.append(new Entry(disk.term(), Optional.empty()));
        office = Optional.of(new Office(others, disk.lastIndex(), now()));
        heartbeat(disk.term());
        commit();
    }

    private void heartbeat(long term) {
        office.filter(_ -> disk.term() == term).ifPresent(held -> {
            long since = now() - settings.electionMax().toNanos();
            if (held.heardSince(since) < neededBeside()) {
                follow(disk.term(), Optional.empty());
                return;
            }
            Round round = held.nextRound(now());
            others.forEach(node -> send(held, node, round, held.follower(node).unacknowledged()));
            after(settings.heartbeat(), () -> heartbeat(term));
        });
    }

    private void follow(long term, Optional<NodeId> of) {
        boolean newTerm = term > disk.term();
        disk.enterTerm(term);
        if (leads() || newTerm) {
            election.expectLeader();
        }
        election.end();
        Optional<Office> left = office;
        office = Optional.empty();
        if (newTerm || of.isPresent() || left.isPresent()) {
            leader = of;
        }
        tell(leader.<Leadership>map(node -> new Leadership.Following(disk.term(), node))
                .orElseGet(() -> new Leadership.Searching(disk.term())));
        left.ifPresent(Office::leave);
        of.ifPresent(node -> transfer.ifPresent(it -> transferred(it, node.equals(it.to()))));
    }

    // ---- messages ----

    /** Takes a message. */
    void take(NodeId from, LogMessage message) {
        if (message.term() > disk.term()) {
            follow(message.term(), Optional.empty());
        }
        switch (message) {
            case LogMessage.AskTrialVote ask -> election.answer(from, ask);
            case LogMessage.TrialVote vote -> election.counted(from, vote);
            case LogMessage.AskVote ask -> election.answer(from, ask);
            case LogMessage.Vote vote -> election.counted(from, vote);
            case Append append -> append(from, append);
            case LogMessage.Install install -> install(from, install);
            case LogMessage.Held(long term, Round round, Standing standing, long index) ->
                inOffice(term, held -> {
                    if (held.heard(from, round, standing)) {
                        held.holds(from, index);
                        acknowledged(held, from);
                    }
                });
            case LogMessage.Differs(long term, Round round, Standing standing, long index) ->
                inOffice(term, held -> {
                    if (held.heard(from, round, standing)) {
                        held.differs(from, index);
                        acknowledged(held, from);
                    }
                });
            case LogMessage.AskCommitted(long _, long id) ->
                askCommitted(index -> send(from, new LogMessage.Committed(disk.term(), id, index)));
            case LogMessage.Committed(long _, long id, OptionalLong index) ->
                Optional.ofNullable(questions.remove(id)).ifPresent(asker -> asker.accept(index));
            case LogMessage.TakeOver(long term) -> {
                if (term == disk.term()) {
                    election.takeOver();
                }
            }
            case LogMessage.Readmit(long term, long readmitted) -> {
                if (term == disk.term() && readmitted == life && !disk.voter()) {
                    disk.readmitted(from);
                }
            }
        }
    }

    private void inOffice(long term, Consumer<Office> then) {
        office.filter(_ -> term == disk.term()).ifPresent(then);
    }

    private Standing standing() {
        return new Standing(life, disk.voter());
    }

    private boolean fromLeader(NodeId from, long term) {
        if (term < disk.term()) {
            return false;
        }
        follow(term, Optional.of(from));
        election.leaderHeard();
        return true;
    }

    private void append(NodeId from, Append append) {
        if (!fromLeader(from, append.term())) {
            // The higher term makes the sender step down.
            send(from, new LogMessage.Differs(disk.term(), append.round(), standing(), disk.lastIndex()));
            return;
        }
        long previous = append.previousIndex();
        boolean known = previous <= disk.baseIndex()
                || (previous <= disk.lastIndex() && disk.termAt(previous) == append.previousTerm());
        if (!known) {
            long hint = Math.min(disk.lastIndex(), previous - 1);
            send(from, new LogMessage.Differs(disk.term(), append.round(), standing(), hint));
            return;
        }
        disk.firstConflict(previous, append.entries())
                .filter(index -> index <= applying.committed())
                .ifPresent(index ->
                        cluster.broken("%s held index %d as committed, %s replaces it".formatted(self, index, from)));
        disk.write(previous, append.entries());
        long match = previous + append.entries().size();
        send(from, new LogMessage.Held(disk.term(), append.round(), standing(), match));
        applying.commit(Math.min(append.commit(), match));
    }

    private void install(NodeId from, LogMessage.Install install) {
        if (!fromLeader(from, install.term())) {
            send(from, new LogMessage.Differs(disk.term(), install.round(), standing(), disk.lastIndex()));
            return;
        }
        applying.install(install.snapshot());
        long index = install.snapshot().index();
        send(from, new LogMessage.Held(disk.term(), install.round(), standing(), index));
    }

    private void sendNew(Office held, Round round) {
        others.forEach(node -> send(held, node, round, held.follower(node).next()));
    }

    private void send(Office held, NodeId to, Round round, long begin) {
        Office.Progress progress = held.follower(to);
        if (begin <= disk.baseIndex()) {
            send(to, new LogMessage.Install(disk.term(), round, disk.snapshot()));
            progress.sentUpTo(disk.snapshot().index());
        } else {
            List<Entry> entries = disk.from(begin, BATCH_MAX);
            long previous = begin - 1;
            send(to, new Append(disk.term(), round, previous, disk.termAt(previous), entries, applying.committed()));
            progress.sentUpTo(previous + entries.size());
        }
    }

    private void acknowledged(Office held, NodeId from) {
        commit();
        Office.Progress progress = held.follower(from);
        if (progress.next() <= disk.lastIndex()) {
            send(held, from, held.nextRound(now()), progress.next());
        }
        held.readmissible(from, applying.committed())
                .ifPresent(readmitted -> send(from, new LogMessage.Readmit(disk.term(), readmitted)));
        if (transfer.filter(it -> it.to().equals(from)).isPresent() && progress.match() == disk.lastIndex()) {
            send(from, new LogMessage.TakeOver(disk.term()));
        }
        held.confirmed(neededBeside()).forEach(Runnable::run);
    }

    // ---- commit and apply ----

    private void commit() {
        office.ifPresent(held -> {
            long index = held.held(disk.lastIndex(), disk.voter(), needed());
            long before = applying.committed();
            if (index > before && disk.termAt(index) == disk.term()) {
                for (long chosen = before + 1; chosen <= index; chosen++) {
                    cluster.chosen(chosen, disk.entry(chosen));
                }
                applying.commit(index);
                sendNew(held, held.nextRound(now()));
            }
        });
    }

    private void applied(long index, Optional<Outcome> outcome) {
        office.ifPresent(held -> {
            if (index == held.firstIndex()) {
                held.isReady();
                tell(new Leadership.Leading(disk.term()));
            }
            outcome.ifPresent(it ->
                    held.finished(index).ifPresent(proposal -> proposal.complete(new ProposeOutcome.Committed(it))));
        });
    }

    // ---- what the port asks ----

    void propose(Command command, CompletableFuture<ProposeOutcome> outcome) {
        Optional<Office> held = office.filter(it -> it.ready() && transfer.isEmpty() && it.underWay() < PENDING_MAX);
        if (held.isEmpty()) {
            outcome.complete(new ProposeOutcome.NotLeader(leader));
            return;
        }
        disk.append(new Entry(disk.term(), Optional.of(command)));
        held.get().proposed(disk.lastIndex(), outcome);
        sendNew(held.get(), held.get().nextRound(now()));
        commit();
    }

    /** Asks the leader how far it has committed; the answer is empty if there is none, and may never come. */
    void askLeader(Consumer<OptionalLong> asker) {
        if (leads()) {
            askCommitted(asker);
        } else if (leader.isPresent()) {
            lastQuestion++;
            questions.put(lastQuestion, asker);
            send(leader.get(), new LogMessage.AskCommitted(disk.term(), lastQuestion));
        } else {
            asker.accept(OptionalLong.empty());
        }
    }

    void whenApplied(long index, Runnable then) {
        applying.whenApplied(index, then);
    }

    private void askCommitted(Consumer<OptionalLong> answer) {
        Optional<Office> held = office.filter(Office::ready);
        if (held.isEmpty()) {
            answer.accept(OptionalLong.empty());
            return;
        }
        Round round = held.get().nextRound(now());
        held.get().asked(round, applying.committed(), answer);
        sendNew(held.get(), round);
        held.get().confirmed(neededBeside()).forEach(Runnable::run);
    }

    void handOver(Optional<NodeId> to, CompletableFuture<Boolean> done) {
        Optional<Office> held = office.filter(it -> it.ready() && transfer.isEmpty());
        Optional<NodeId> heir = held.flatMap(it -> to.or(it::bestHeir)).filter(others::contains);
        if (held.isEmpty() || heir.isEmpty()) {
            done.complete(false);
            return;
        }
        var begun = new Transfer(heir.get(), done);
        transfer = Optional.of(begun);
        Office.Progress progress = held.get().follower(heir.get());
        send(held.get(), heir.get(), held.get().nextRound(now()), progress.unacknowledged());
        after(settings.handOverTimeout(), () -> transferred(begun, false));
    }

    private void transferred(Transfer which, boolean done) {
        if (transfer.filter(which::equals).isPresent()) {
            transfer = Optional.empty();
        }
        which.done().complete(done);
    }

    /** Leaves the office, if this node has one. */
    void leave() {
        Optional<Office> left = office;
        office = Optional.empty();
        left.ifPresent(Office::leave);
    }
}
