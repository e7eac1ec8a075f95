package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;

/** Everything that one seed makes: nodes, network, log, hosts, operators, faults, and the checks. */
final class World {
    private static final Duration STALLS_COUNT_FOR = Duration.ofSeconds(10);

    private record Stall(long endedAt, long nanos) {}

    final Settings settings;
    final Scheduler scheduler = new Scheduler();
    final Network gossip;
    final Network logLinks;
    final Hosts hosts;
    final Mischief mischief;
    final SimLog log;
    final Checks checks;
    private final Transcript transcript;
    private final Deque<Stall> stalls = new ArrayDeque<>();
    private final SortedMap<String, Integer> said = new TreeMap<>();
    private final SortedMap<NodeId, SimNode> nodes = new TreeMap<>();

    World(Settings settings, Planted planted, Transcript transcript) {
        var dice = new Dice(settings.seed());
        this.settings = settings;
        this.transcript = transcript;
        this.gossip = new Network(dice.fork("gossip"));
        this.logLinks = new Network(dice.fork("log links"));
        this.hosts = new Hosts(dice.fork("hosts"));
        this.mischief = new Mischief(this, planted);
        this.log = new SimLog(this, dice.fork("log"));
        this.checks = new Checks(this);
        for (NodeId id : SimSite.nodes(settings.nodes())) {
            nodes.put(id, new SimNode(this, id, dice.fork("node " + id)));
        }
    }

    List<SimNode> nodes() {
        return Collections.unmodifiableList(new ArrayList<>(nodes.values()));
    }

    SimNode node(NodeId id) {
        SimNode node = nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("no node " + id);
        }
        return node;
    }

    int majority() {
        return nodes.size() / 2 + 1;
    }

    long now() {
        return scheduler.nowNanos();
    }

    /** Runs all events up to the time. */
    void runUntil(long end) {
        while (scheduler.next(end)) {
            // Each event checks what it touches.
        }
    }

    void run(Duration time) {
        runUntil(now() + time.toNanos());
    }

    void thawed(long nanos) {
        stalls.addLast(new Stall(now(), nanos));
    }

    /** Returns the longest time that a node lately stood still: messages waited that long in its inbox. */
    Duration longestRecentStall() {
        long since = now() - STALLS_COUNT_FOR.toNanos();
        return Duration.ofNanos(stalls.stream()
                .filter(stall -> stall.endedAt >= since)
                .mapToLong(Stall::nanos)
                .max()
                .orElse(0));
    }

    /** Returns true if some node could commit now: it acts and exchanges log messages with enough others that act. */
    boolean majorityCanTalk() {
        return nodes.values().stream()
                .filter(SimNode::acting)
                .anyMatch(leader -> nodes.values().stream()
                                .filter(SimNode::acting)
                                .filter(other -> other == leader
                                        || (!logLinks.cut(leader.id, other.id) && !logLinks.cut(other.id, leader.id)))
                                .count()
                        >= majority());
    }

    /** Returns how often each kind of event was told to operators. */
    SortedMap<String, Integer> said() {
        return Collections.unmodifiableSortedMap(said);
    }

    void note(SimNode node, Supplier<String> what) {
        transcript.add(now(), node.id.value(), what);
    }

    void note(Supplier<String> what) {
        transcript.add(now(), "", what);
    }

    void noteEvents(SimNode node, List<NodeEvent> events) {
        transcript.events(now(), node, events);
    }

    void noteEffect(SimNode node, NodeEffect effect) {
        if (effect instanceof NodeEffect.Say say) {
            said.merge(say.code(), 1, Integer::sum);
        }
        transcript.effect(now(), node, effect);
    }
}
