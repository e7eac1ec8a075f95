package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Nodes that gossip what they find over a bad network, and beside it what a naive model knows: everything each owner
 * has ever said, and when each owner last probed what with which result. Probing itself is played; the gossip is real.
 */
final class GossipWorld {
    static final Duration TICK = Duration.ofMillis(50);
    static final Duration DELAY_MAX = Duration.ofMillis(150);
    static final Duration SLOW = Duration.ofSeconds(1);
    static final Duration FAST = Duration.ofMillis(200);

    final SortedMap<NodeId, Node> nodes = new TreeMap<>();

    /** Links that carry nothing, one way: {@code n1>n2}. */
    final SortedSet<String> cut = new TreeSet<>();

    /** Members whose probes never end, by observer: {@code n1/7}. */
    final SortedSet<String> stuck = new TreeSet<>();

    double loss;
    double duplication;
    boolean flipping;

    private final Random random;
    private final FakeLog log = new FakeLog();
    private final SortedMap<NodeId, SortedMap<Long, List<Entry>>> said = new TreeMap<>();
    private final SortedMap<String, Duration> lastProbed = new TreeMap<>();
    private Duration time = Duration.ZERO;
    private int created;

    /** One node: its state, what is on its way to it, and a clock of its own. */
    final class Node {
        final NodeId id;
        final Duration clock;
        NodeState state;
        Duration frozenUntil = Duration.ZERO;
        private final List<Mail> inbox = new ArrayList<>();
        private final SortedMap<Integer, Health> truth = new TreeMap<>();
        private final SortedMap<Integer, Duration> nextProbe = new TreeMap<>();

        Node(NodeId id, long incarnation) {
            this.id = id;
            this.clock = Duration.ofSeconds(random.nextInt(100_000));
            this.state = NodeState.initial(settings(id, incarnation), now());
        }

        MonotonicTime now() {
            return new MonotonicTime(time.plus(clock).toNanos());
        }
    }

    private record Mail(Duration at, NodeId from, GossipMessage message) {}

    GossipWorld(long seed, int size) {
        random = new Random(seed);
        Site.configure(log);
        HealthMonitor fast =
                new HealthMonitor(new MonitorCheck.Tcp(), FAST, Duration.ofMillis(100), Site.MONITOR.rise(), 3);
        log.operator(new Command.CreatePool(new Pool(0, "fast", HashAlgoVersion.V1, 1024, fast)));
        for (int i = 0; i < 12; i++) {
            createMember();
        }
        for (int i = 1; i <= size; i++) {
            restart(new NodeId("n" + i), i);
        }
    }

    private void createMember() {
        created++;
        MemberKey key = MemberKey.parse("10.20.%d.%d:8080".formatted(0, 10 + created));
        var member = new Member(0, 0, 0, "m" + created, key, 1, AdminState.ENABLED);
        log.operator(new Command.CreateMember(created % 2 == 0 ? "web" : "fast", "p2", member));
    }

    private NodeSettings settings(NodeId id, long incarnation) {
        SortedSet<NodeId> voters = new TreeSet<>(nodes.keySet());
        voters.add(id);
        NodeSettings site = Site.settings(Site.N1, incarnation);
        return new NodeSettings("site", id, voters, incarnation, site.uplink(), site.nextHops(), site.segments());
    }

    /** Starts a node anew; it remembers nothing. */
    void restart(NodeId id, long incarnation) {
        nodes.put(id, new Node(id, incarnation));
        // Everybody is configured with everybody.
        SortedSet<NodeId> voters = new TreeSet<>(nodes.keySet());
        nodes.replaceAll((other, node) -> {
            if (!node.state.settings().voters().equals(voters)) {
                node.state =
                        NodeState.initial(settings(other, node.state.settings().incarnation()), node.now());
            }
            return node;
        });
    }

    void freeze(NodeId id, Duration until) {
        Optional.ofNullable(nodes.get(id)).orElseThrow().frozenUntil = until;
    }

    /** Deletes a member or creates one. */
    void changeMembers() {
        List<Member> present = log.state().model().members().values().stream()
                .filter(member -> !member.retired() && member.name().startsWith("m"))
                .toList();
        if (present.size() > 8 && random.nextBoolean()) {
            Member member = present.get(random.nextInt(present.size()));
            String pool = Optional.ofNullable(log.state().model().pools().get(member.poolId()))
                    .orElseThrow()
                    .name();
            log.operator(new Command.DeleteMember(pool, member.name()));
        } else if (created < 200) {
            createMember();
        }
    }

    Duration time() {
        return time;
    }

    void tick() {
        time = time.plus(TICK);
        for (Node node : List.copyOf(nodes.values())) {
            if (time.compareTo(node.frozenUntil) >= 0) {
                step(node);
            }
        }
    }

    private void step(Node node) {
        Turn turn = new Turn(node.state, node.now());
        turn.log = turn.log.with(0, log.state());
        Gossiping.noticeStall(turn);
        List<Mail> arrived = node.inbox.stream()
                .filter(mail -> mail.at().compareTo(time) <= 0)
                .toList();
        node.inbox.removeAll(arrived);
        arrived.forEach(mail -> Gossiping.received(turn, mail.from(), mail.message()));
        probe(node, turn);
        Gossiping.due(turn);
        Step step = turn.finish();
        node.state = step.state();
        Document own = node.state.gossip().own().content();
        said.computeIfAbsent(node.id, _ -> new TreeMap<>()).put(saying(own.incarnation(), own.version()), live(own));
        step.effects().forEach(effect -> {
            if (effect instanceof NodeEffect.Gossip(NodeId to, GossipMessage message)) {
                parts(message).forEach(part -> send(node.id, to, part));
            }
        });
    }

    /** Cuts large deltas into messages of few entries, as the wire does with those of many. */
    private static List<GossipMessage> parts(GossipMessage message) {
        List<GossipMessage> parts = new ArrayList<>();
        parts.add(new GossipMessage(message.beats(), List.of(), message.held(), message.wanted()));
        for (Delta delta : message.deltas()) {
            long base = delta.base();
            for (int from = 0; from < delta.entries().size(); from += 5) {
                int to = Math.min(from + 5, delta.entries().size());
                List<Entry> entries = delta.entries().subList(from, to);
                long version = to == delta.entries().size()
                        ? delta.version()
                        : entries.getLast().version();
                var part = new Delta(delta.owner(), delta.incarnation(), base, version, delta.whole(), entries);
                parts.add(new GossipMessage(List.of(), List.of(part), List.of(), List.of()));
                base = version;
            }
        }
        return parts;
    }

    private void probe(Node node, Turn turn) {
        SortedSet<Integer> present = new TreeSet<>();
        log.state().model().members().values().stream()
                .filter(member -> !member.retired())
                .forEach(member -> present.add(member.id()));
        for (int member : List.copyOf(turn.probes.keySet())) {
            turn.probes = present.contains(member) ? turn.probes : turn.probes.without(member);
        }
        for (int member : present) {
            Duration due =
                    node.nextProbe.computeIfAbsent(member, _ -> time.plus(Duration.ofMillis(random.nextInt(1000))));
            if (time.compareTo(due) < 0 || stuck.contains(node.id + "/" + member)) {
                continue;
            }
            Health before = node.truth.getOrDefault(member, Health.DOWN);
            Health health =
                    flipping && random.nextInt(20) == 0 ? before == Health.UP ? Health.DOWN : Health.UP : before;
            turn.news |= health != before;
            node.truth.put(member, health);
            node.nextProbe.put(
                    member, time.plus(turn.state().monitor(member).orElseThrow().interval()));
            turn.put(member, played(health, turn.now));
            lastProbed.put("%s/%d/%s".formatted(node.id, member, health), time);
        }
    }

    private static MemberProbe played(Health health, MonotonicTime at) {
        var settled = new RiseFall(Optional.of(health), health == Health.UP, 3);
        return new MemberProbe(
                settled, at, ProbeQueue.EMPTY, Recheck.none(at), Optional.of(at), "played", ProbePast.NONE);
    }

    private void send(NodeId from, NodeId to, GossipMessage message) {
        if (cut.contains(from + ">" + to)) {
            return;
        }
        for (int copies = random.nextDouble() < duplication ? 2 : 1; copies > 0; copies--) {
            if (random.nextDouble() >= loss) {
                Duration delay = Duration.ofMillis(random.nextLong(DELAY_MAX.toMillis() + 1));
                Node peer = nodes.get(to);
                if (peer != null) {
                    peer.inbox.add(new Mail(time.plus(delay), from, message));
                }
            }
        }
    }

    private static List<Entry> live(Document document) {
        return document.entries().after(0).stream()
                .filter(entry -> !entry.gone())
                .toList();
    }

    private static long saying(long incarnation, long version) {
        return incarnation * 1_000_000 + version;
    }

    /** Whatever is held whole must be what its owner said at that version. */
    void holdsOnlyWhatWasSaid(List<String> wrong) {
        for (Node node : nodes.values()) {
            node.state.gossip().held().forEach((owner, held) -> {
                Document content = held.content();
                if (content.incarnation() > 0 && content.isWhole()) {
                    List<Entry> then = said.getOrDefault(owner, new TreeMap<>())
                            .get(saying(content.incarnation(), content.version()));
                    if (!live(content).equals(then)) {
                        wrong.add("%s at %s: holds of %s what it never said at version %d"
                                .formatted(node.id, time, owner, content.version()));
                    }
                }
            });
        }
    }

    /** No observation may look younger than the probe it rests on, apart from the time in the network. */
    void agesAreNeverTooYoung(List<String> wrong) {
        Duration network = DELAY_MAX.multipliedBy(nodes.size() - 1L);
        for (Node node : nodes.values()) {
            if (time.compareTo(node.frozenUntil) < 0) {
                continue;
            }
            for (Observation seen : node.state.observations(node.now())) {
                Duration probed = lastProbed.getOrDefault(
                        "%s/%d/%s".formatted(seen.observer(), seen.memberId(), seen.health()), Duration.ofDays(-1));
                Duration least = time.minus(probed).minus(network);
                if (seen.age().compareTo(least) < 0) {
                    wrong.add("%s at %s: %s, but at least %s old".formatted(node.id, time, seen, least));
                }
            }
        }
    }

    /** Returns what keeps all nodes from holding exactly what each says now. */
    List<String> differences() {
        List<String> found = new ArrayList<>();
        for (Node owner : nodes.values()) {
            Document own = owner.state.gossip().own().content();
            for (Node node : nodes.values()) {
                if (node != owner) {
                    Document held = node.state.gossip().document(node.id, owner.id);
                    if (!held.stamp(owner.id).equals(own.stamp(owner.id))
                            || !live(held).equals(live(own))) {
                        found.add("%s holds %s of %s".formatted(node.id, held.stamp(owner.id), own.stamp(owner.id)));
                    }
                }
            }
        }
        return found;
    }

    /** Returns members that are probed and not stuck, of which a node lacks a fresh observation of another. */
    List<String> unfresh(Duration slack) {
        List<String> found = new ArrayList<>();
        for (Node node : nodes.values()) {
            SortedMap<String, Duration> ages = new TreeMap<>();
            node.state
                    .observations(node.now())
                    .forEach(seen -> ages.put(seen.observer() + "/" + seen.memberId(), seen.age()));
            for (Node owner : nodes.values()) {
                for (int member : owner.state.probes().keySet()) {
                    String key = owner.id + "/" + member;
                    Duration interval =
                            owner.state.monitor(member).orElseThrow().interval();
                    Duration age = ages.getOrDefault(key, Duration.ofDays(1));
                    if (!stuck.contains(key) && age.compareTo(interval.plus(slack)) > 0) {
                        found.add("%s: %s is %s old".formatted(node.id, key, age));
                    }
                }
            }
        }
        return found;
    }
}
