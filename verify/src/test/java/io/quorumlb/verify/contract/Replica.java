package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.verify.contract.LogMessage.Append;
import io.quorumlb.verify.contract.LogMessage.Entry;
import io.quorumlb.verify.contract.LogMessage.Round;
import io.quorumlb.verify.contract.LogMessage.Snapshot;
import io.quorumlb.verify.contract.LogMessage.Standing;
import java.time.Duration;
import java.util.ArrayList;
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
import java.util.function.LongConsumer;

/** One node of the model log for the life of one process: Raft over messages. */
final class Replica implements GenerationLog {
    private static final int BATCH_MAX = 64;
    private static final int PENDING_MAX = 1024;

    private enum Role {
        FOLLOWER,
        TRIES,
        CANDIDATE,
        LEADER
    }

    /** Leadership on its way to another. */
    private record Transfer(NodeId to, CompletableFuture<Boolean> done) {}

    private record Barrier(OptionalLong index, CompletableFuture<Boolean> done) {}

    private final NodeId self;
    private final long life;
    private final SortedSet<NodeId> others;
    private final Disk disk;
    private final ModelLog cluster;
    private final LogSettings settings;
    private final Random random;
    private final Consumer<LogEvent> consumer;
    private final List<Runnable> backlog = new ArrayList<>();
    private final SortedMap<Long, Barrier> barriers = new TreeMap<>();
    /** Calls that have not begun, with what to say if the log is closed before. */
    private final SortedMap<Long, Runnable> waiting = new TreeMap<>();
    private final SortedSet<NodeId> votes = new TreeSet<>();
    private boolean running = true;
    private boolean frozen;
    private Role role = Role.FOLLOWER;
    private Optional<NodeId> leader = Optional.empty();
    private Optional<Office> office = Optional.empty();
    private Optional<Transfer> transfer = Optional.empty();
    private Leadership told = new Leadership.Searching(0);
    private ClusterState state;
    private long committed;
    private long applied;
    private boolean applying;
    private long electionAtNanos;
    private long heardLeaderAtNanos;
    private boolean heardLeader;
    private long lastCall;

    Replica(NodeId self, long life, Disk disk, ModelLog cluster, Random random, Consumer<LogEvent> consumer) {
        this.self = self;
        this.life = life;
        this.disk = disk;
        this.cluster = cluster;
        this.random = random;
        this.consumer = consumer;
        settings = cluster.settings();
        others = new TreeSet<>(cluster.voters());
        others.remove(self);
        Snapshot snapshot = disk.snapshot();
        state = snapshot.state();
        committed = snapshot.index();
        applied = snapshot.index();
    }

    /** Publishes what the disk holds and begins to take part. */
    void start() {
        if (applied > 0) {
            consumer.accept(new LogEvent.Advanced(applied, state));
        }
        tell(new Leadership.Searching(disk.term()));
        expectLeader();
        electionTimer();
    }

    // ---- the process ----

    long life() {
        return life;
    }

    boolean running() {
        return running;
    }

    boolean frozen() {
        return frozen;
    }

    Leadership told() {
        return told;
    }

    ClusterState state() {
        return state;
    }

    long applied() {
        return applied;
    }

    /** Ends the process without a word to anybody. */
    void kill() {
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

    /** Does a task of this process now, or when it goes on. */
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

    private void after(Duration delay, Runnable task) {
        cluster.time().after(delay, () -> run(task));
    }

    private long now() {
        return cluster.time().nowNanos();
    }

    private void send(NodeId to, LogMessage message) {
        cluster.send(self, to, message);
    }

    private int needed() {
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

    // ---- elections ----

    private Duration electionTimeout() {
        long min = settings.electionMin().toNanos();
        long spread = settings.electionMax().toNanos() - min;
        return Duration.ofNanos(min + (long) (random.nextDouble() * spread));
    }

    private void expectLeader() {
        electionAtNanos = now() + electionTimeout().toNanos();
    }

    private void electionTimer() {
        after(Duration.ofNanos(Math.max(0, electionAtNanos - now())), () -> {
            if (role != Role.LEADER && now() >= electionAtNanos) {
                noLeader();
            }
            if (now() >= electionAtNanos) {
                expectLeader();
            }
            electionTimer();
        });
    }

    private void noLeader() {
        leader = Optional.empty();
        heardLeader = false;
        tell(new Leadership.Searching(disk.term()));
        if (disk.voter()) {
            role = Role.TRIES;
            votes.clear();
            votes.add(self);
            others.forEach(
                    node -> send(node, new LogMessage.AskTrialVote(disk.term(), disk.lastIndex(), disk.lastTerm())));
            trialCounted();
        }
    }

    private void trialCounted() {
        if (role == Role.TRIES && votes.size() >= needed()) {
            stand();
        }
    }

    private void stand() {
        role = Role.CANDIDATE;
        leader = Optional.empty();
        heardLeader = false;
        disk.enterTerm(disk.term() + 1);
        disk.voteFor(self);
        tell(new Leadership.Searching(disk.term()));
        votes.clear();
        votes.add(self);
        expectLeader();
        others.forEach(node -> send(node, new LogMessage.AskVote(disk.term(), disk.lastIndex(), disk.lastTerm())));
        voteCounted();
    }

    private void voteCounted() {
        if (role == Role.CANDIDATE && votes.size() >= needed()) {
            lead();
        }
    }

    private void lead() {
        role = Role.LEADER;
        disk.append(new Entry(disk.term(), Optional.empty()));
        office = Optional.of(new Office(others, disk.lastIndex(), now()));
        heartbeat(disk.term());
        commit();
    }

    private void heartbeat(long term) {
        office.filter(_ -> role == Role.LEADER && disk.term() == term).ifPresent(held -> {
            long since = now() - settings.electionMax().toNanos();
            if (held.heardSince(since) < neededBeside()) {
                follow(disk.term(), Optional.empty());
                return;
            }
            Round round = held.nextRound(now());
            others.forEach(
                    node -> send(held, node, round, held.follower(node).unacknowledged()));
            after(settings.heartbeat(), () -> heartbeat(term));
        });
    }

    private void follow(long term, Optional<NodeId> of) {
        boolean newTerm = term > disk.term();
        disk.enterTerm(term);
        if (role == Role.LEADER || newTerm) {
            expectLeader();
        }
        role = Role.FOLLOWER;
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
            case LogMessage.AskTrialVote ask -> answerTrial(from, ask);
            case LogMessage.TrialVote(long _, long asked, boolean granted) -> {
                if (granted && asked == disk.term() && role == Role.TRIES) {
                    votes.add(from);
                    trialCounted();
                }
            }
            case LogMessage.AskVote ask -> answerVote(from, ask);
            case LogMessage.Vote(long term, boolean granted) -> {
                if (granted && term == disk.term() && role == Role.CANDIDATE) {
                    votes.add(from);
                    voteCounted();
                }
            }
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
            case LogMessage.Committed(long _, long id, OptionalLong index) -> barrierKnown(id, index);
            case LogMessage.TakeOver(long term) -> {
                if (term == disk.term() && role == Role.FOLLOWER && disk.voter()) {
                    stand();
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

    private boolean upToDate(long lastIndex, long lastTerm) {
        return lastTerm > disk.lastTerm() || (lastTerm == disk.lastTerm() && lastIndex >= disk.lastIndex());
    }

    private void answerTrial(NodeId from, LogMessage.AskTrialVote ask) {
        boolean leaderLives = role == Role.LEADER
                || (heardLeader && now() - heardLeaderAtNanos < settings.electionMin().toNanos());
        boolean granted = disk.voter()
                && ask.term() == disk.term()
                && !leaderLives
                && upToDate(ask.lastIndex(), ask.lastTerm());
        send(from, new LogMessage.TrialVote(disk.term(), ask.term(), granted));
    }

    private void answerVote(NodeId from, LogMessage.AskVote ask) {
        boolean granted = disk.voter()
                && ask.term() == disk.term()
                && disk.vote().map(from::equals).orElse(true)
                && upToDate(ask.lastIndex(), ask.lastTerm());
        if (granted) {
            disk.voteFor(from);
            expectLeader();
        }
        send(from, new LogMessage.Vote(disk.term(), granted));
    }

    private Standing standing() {
        return new Standing(life, disk.voter());
    }

    private boolean fromLeader(NodeId from, long term) {
        if (term < disk.term()) {
            return false;
        }
        follow(term, Optional.of(from));
        heardLeader = true;
        heardLeaderAtNanos = now();
        expectLeader();
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
                .filter(index -> index <= committed)
                .ifPresent(index -> cluster.broken("%s held index %d as committed, %s replaces it"
                        .formatted(self, index, from)));
        disk.write(previous, append.entries());
        long match = previous + append.entries().size();
        send(from, new LogMessage.Held(disk.term(), append.round(), standing(), match));
        committed = Math.max(committed, Math.min(append.commit(), match));
        apply();
    }

    private void install(NodeId from, LogMessage.Install install) {
        if (!fromLeader(from, install.term())) {
            send(from, new LogMessage.Differs(disk.term(), install.round(), standing(), disk.lastIndex()));
            return;
        }
        Snapshot snapshot = install.snapshot();
        if (snapshot.index() > committed) {
            disk.snapshotInstalled(snapshot);
            committed = snapshot.index();
            applied = snapshot.index();
            state = snapshot.state();
            consumer.accept(new LogEvent.Advanced(applied, state));
            barriersReached();
        }
        send(from, new LogMessage.Held(disk.term(), install.round(), standing(), snapshot.index()));
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
            send(to, new Append(disk.term(), round, previous, disk.termAt(previous), entries, committed));
            progress.sentUpTo(previous + entries.size());
        }
    }

    private void acknowledged(Office held, NodeId from) {
        commit();
        Office.Progress progress = held.follower(from);
        if (progress.next() <= disk.lastIndex()) {
            send(held, from, held.nextRound(now()), progress.next());
        }
        held.readmissible(from, committed)
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
            if (index > committed && disk.termAt(index) == disk.term()) {
                for (long chosen = committed + 1; chosen <= index; chosen++) {
                    cluster.chosen(chosen, disk.entry(chosen));
                }
                committed = index;
                sendNew(held, held.nextRound(now()));
                apply();
            }
        });
    }

    private void apply() {
        if (!applying && applied < committed) {
            applying = true;
            long most = settings.applyMax().toNanos();
            after(Duration.ofNanos((long) (random.nextDouble() * most)), () -> {
                applying = false;
                while (running && applied < Math.min(committed, disk.lastIndex())) {
                    applyNext();
                }
            });
        }
    }

    private void applyNext() {
        long index = applied + 1;
        Entry entry = disk.entry(index);
        Optional<Outcome> outcome = entry.command().map(command -> {
            Applied result = settings.applier().apply(state, command);
            state = result.state();
            return result.outcome();
        });
        applied = index;
        consumer.accept(new LogEvent.Advanced(index, state));
        office.ifPresent(held -> {
            if (index == held.firstIndex()) {
                held.isReady();
                tell(new Leadership.Leading(disk.term()));
            }
            outcome.ifPresent(it -> held.finished(index).ifPresent(proposal -> proposal.complete(committed(it))));
        });
        barriersReached();
        if (applied - disk.snapshot().index() >= settings.snapshotEntries()) {
            disk.snapshotTaken(new Snapshot(applied, entry.term(), state), settings.keptEntries());
        }
    }

    private static ProposeOutcome committed(Outcome outcome) {
        return new ProposeOutcome.Committed(outcome);
    }

    // ---- the port ----

    /** Begins a call in a moment; says something else if the log is closed before. */
    private long begin(LongConsumer call, Runnable closedBefore) {
        lastCall++;
        long id = lastCall;
        waiting.put(id, closedBefore);
        after(Duration.ZERO, () -> {
            waiting.remove(id);
            call.accept(id);
        });
        return id;
    }

    @Override
    public CompletableFuture<ProposeOutcome> propose(Command command) {
        var outcome = new CompletableFuture<ProposeOutcome>();
        if (!running) {
            outcome.complete(new ProposeOutcome.NotLeader(Optional.empty()));
            return outcome;
        }
        begin(
                _ -> propose(command, outcome),
                () -> outcome.complete(new ProposeOutcome.NotLeader(Optional.empty())));
        after(
                settings.proposeTimeout(),
                () -> outcome.complete(new ProposeOutcome.Unknown("no majority has answered in time")));
        return outcome;
    }

    private void propose(Command command, CompletableFuture<ProposeOutcome> outcome) {
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

    @Override
    public CompletableFuture<Boolean> readBarrier() {
        var done = new CompletableFuture<Boolean>();
        if (!running) {
            done.complete(false);
            return done;
        }
        long id = begin(call -> readBarrier(call, done), () -> done.complete(false));
        after(settings.readTimeout(), () -> barrierKnown(id, OptionalLong.empty()));
        return done;
    }

    private void readBarrier(long id, CompletableFuture<Boolean> done) {
        barriers.put(id, new Barrier(OptionalLong.empty(), done));
        if (role == Role.LEADER) {
            askCommitted(index -> barrierKnown(id, index));
        } else {
            leader.ifPresentOrElse(
                    node -> send(node, new LogMessage.AskCommitted(disk.term(), id)),
                    () -> barrierKnown(id, OptionalLong.empty()));
        }
    }

    private void askCommitted(Consumer<OptionalLong> answer) {
        Optional<Office> held = office.filter(Office::ready);
        if (held.isEmpty()) {
            answer.accept(OptionalLong.empty());
            return;
        }
        Round round = held.get().nextRound(now());
        held.get().asked(round, committed, answer);
        sendNew(held.get(), round);
        held.get().confirmed(neededBeside()).forEach(Runnable::run);
    }

    private void barrierKnown(long id, OptionalLong index) {
        Barrier waiting = barriers.remove(id);
        if (waiting == null) {
            return;
        }
        if (index.isEmpty()) {
            waiting.done().complete(false);
        } else {
            barriers.put(id, new Barrier(index, waiting.done()));
            barriersReached();
        }
    }

    private void barriersReached() {
        List<CompletableFuture<Boolean>> reached = new ArrayList<>();
        barriers.values().removeIf(barrier -> {
            boolean there = barrier.index().isPresent() && barrier.index().getAsLong() <= applied;
            if (there) {
                reached.add(barrier.done());
            }
            return there;
        });
        reached.forEach(done -> done.complete(true));
    }

    /** Gives the leadership away, as the port has it. */
    public CompletableFuture<Boolean> handOver(Optional<NodeId> to) {
        var done = new CompletableFuture<Boolean>();
        if (!running) {
            done.complete(false);
            return done;
        }
        begin(_ -> handOver(to, done), () -> done.complete(false));
        return done;
    }

    private void handOver(Optional<NodeId> to, CompletableFuture<Boolean> done) {
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

    @Override
    public void close() {
        if (running) {
            List.copyOf(waiting.values()).forEach(Runnable::run);
            waiting.clear();
            Optional<Office> left = office;
            office = Optional.empty();
            left.ifPresent(Office::leave);
            transfer.ifPresent(it -> transferred(it, false));
            List<Barrier> asked = List.copyOf(barriers.values());
            kill();
            asked.forEach(barrier -> barrier.done().complete(false));
        }
    }
}
