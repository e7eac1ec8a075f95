package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.verify.contract.LogMessage.Entry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A model of the replicated log: Raft over messages between the nodes, all in one thread, on virtual time, with chance
 * from a seed. What happens is a function of seed, settings and of what the test does.
 *
 * <p>A process is opened, closed, killed, frozen and thawed; its disk survives that, with term, vote, entries and
 * snapshot, unless it is wiped. A message is lost if its link says so, or if the receiving process is not the one it was
 * sent to; one that arrives at a frozen process waits.
 *
 * <p>A wiped node is safe here: it gets entries and snapshots and applies them, but neither votes nor counts until a
 * leader, which every other node has confirmed after its return, has seen that it holds everything committed; and then
 * it votes in later terms only. If another node is down for good it stays a listener.
 *
 * <p>What differs from the product's log, beside that (Ratis lets a wiped node vote and its leader never catches it up):
 * indices begin at 1, not 0; every barrier is confirmed by a majority, while a leader of Ratis with a valid lease answers
 * alone; a leader that cannot hand its office over goes on at once, while Ratis' leader may have to step down for it; a write to disk is never half done, and never slow.
 */
public final class ModelLog {
    /** One place in the log for ever: what a leader has declared committed. */
    public record Chosen(long index, long term, Optional<Command> command) {}

    private record Running(ReplicaProcess process, Replica replica) {}

    private static final class Machine {
        private Disk disk = new Disk(true);
        private Optional<Running> running = Optional.empty();
        private long wipes;
    }

    private final SortedSet<NodeId> voters;
    private final long seed;
    private final VirtualTime time;
    private final Links links;
    private final LogSettings settings;
    private final SortedMap<NodeId, Machine> machines = new TreeMap<>();
    private final List<Chosen> chosen = new ArrayList<>();
    private Optional<String> violation = Optional.empty();
    private long lives;

    /**
     * Makes the log of a cluster; no node runs yet.
     *
     * @param voters all nodes, for ever
     * @param seed of everything that is left to chance here
     * @param time drives timers and messages
     * @param links between the nodes, the log's own
     */
    public ModelLog(SortedSet<NodeId> voters, long seed, VirtualTime time, Links links, LogSettings settings) {
        this.voters = Collections.unmodifiableSortedSet(new TreeSet<>(voters));
        this.seed = seed;
        this.time = time;
        this.links = links;
        this.settings = settings;
        voters.forEach(node -> machines.put(node, new Machine()));
    }

    /**
     * Starts the process of a node from its disk. What a snapshot holds is published before this returns.
     *
     * @param consumer gets every event, in order; may call the log that is returned, but not open or kill nodes
     */
    public GenerationLog open(NodeId node, Consumer<LogEvent> consumer) {
        Machine machine = machine(node);
        if (running(node)) {
            throw new IllegalStateException("node %s runs already".formatted(node));
        }
        lives++;
        var random =
                new Random(seed * 1_000_003 + lives * 31 + voters.headSet(node).size());
        var process = new ReplicaProcess(time);
        var replica = new Replica(node, lives, machine.disk, this, process, random, consumer);
        machine.running = Optional.of(new Running(process, replica));
        replica.start();
        return new ReplicaLog(replica, process, settings);
    }

    /** Ends a node's process as {@code kill -9} does: nothing that it waited for is answered. */
    public void kill(NodeId node) {
        machine(node).running.map(Running::process).ifPresent(ReplicaProcess::end);
    }

    /** Makes a node's process stand still; closing or killing it ends that. */
    public void freeze(NodeId node) {
        running(machine(node)).map(Running::process).ifPresent(ReplicaProcess::freeze);
    }

    /** Lets a frozen process go on: first with all that has become due and all that has arrived. */
    public void thaw(NodeId node) {
        running(machine(node))
                .map(Running::process)
                .filter(ReplicaProcess::frozen)
                .ifPresent(ReplicaProcess::thaw);
    }

    /** Gives a node that does not run an empty disk. */
    public void wipe(NodeId node) {
        if (running(node)) {
            throw new IllegalStateException("node %s runs: kill it first".formatted(node));
        }
        Machine machine = machine(node);
        machine.disk = new Disk(false);
        machine.wipes++;
    }

    /** Returns whether a node's process is there, frozen or not. */
    public boolean running(NodeId node) {
        return running(machine(node)).isPresent();
    }

    /** Returns false for a node that has lost its disk and is not readmitted yet. */
    public boolean voting(NodeId node) {
        return machine(node).disk.voter();
    }

    /** Returns what a node has told its consumer about who leads; empty if it does not run. */
    public Optional<Leadership> leadership(NodeId node) {
        return running(machine(node)).map(Running::replica).map(Replica::told);
    }

    /** Returns the state as a node has applied it; empty if it does not run. */
    public Optional<ClusterState> state(NodeId node) {
        return running(machine(node)).map(Running::replica).map(Replica::state);
    }

    /** Returns the index up to which a node has applied; empty if it does not run. */
    public Optional<Long> applied(NodeId node) {
        return running(machine(node)).map(Running::replica).map(Replica::applied);
    }

    /** Returns what has been committed so far, by index from 1; grows only. */
    public List<Chosen> chosen() {
        return Collections.unmodifiableList(chosen);
    }

    /** Returns how the log has broken its promise, if it has: two entries committed at one index. */
    public Optional<String> violation() {
        return violation;
    }

    SortedSet<NodeId> voters() {
        return voters;
    }

    VirtualTime time() {
        return time;
    }

    LogSettings settings() {
        return settings;
    }

    void send(NodeId from, NodeId to, LogMessage message) {
        long wipes = machine(from).wipes;
        Optional<Running> receiver = running(machine(to));
        links.delay(from, to)
                .ifPresent(delay -> receiver.ifPresent(there -> time.after(delay, () -> {
                    if (machine(from).wipes == wipes) {
                        there.process().run(() -> there.replica().take(from, message));
                    }
                })));
    }

    void chosen(long index, Entry entry) {
        var now = new Chosen(index, entry.term(), entry.command());
        if (index <= chosen.size()) {
            Chosen before = chosen.get((int) index - 1);
            if (!before.equals(now)) {
                broken("committed at one index: %s and %s".formatted(before, now));
            }
        } else if (index == chosen.size() + 1L) {
            chosen.add(now);
        } else {
            broken("index %d is committed, but nobody has committed %d".formatted(index, chosen.size() + 1));
        }
    }

    void broken(String how) {
        violation = violation.or(() -> Optional.of(how));
    }

    private Machine machine(NodeId node) {
        return Optional.ofNullable(machines.get(node))
                .orElseThrow(() -> new IllegalArgumentException("no node %s among %s".formatted(node, voters)));
    }

    private static Optional<Running> running(Machine machine) {
        return machine.running.filter(it -> it.process().running());
    }
}
