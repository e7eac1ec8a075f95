package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Segment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The model of the log keeps Raft's promises under every fault it can play, and plays the same from the same seed. */
class ModelLogTest {
    private static final LogSettings SMALL = LogSettings.product().withSnapshots(15, 5);

    /** One cluster under random faults. */
    private static final class Storm {
        private final Random random;
        private final EventQueue time = new EventQueue();
        private final List<NodeId> nodes;
        private final ModelLog log;
        private final SortedMap<NodeId, GenerationLog> logs = new TreeMap<>();
        private final SortedSet<NodeId> frozen = new TreeSet<>();
        private final SortedMap<Long, NodeId> leaders = new TreeMap<>();
        private final SortedMap<Long, ClusterState> states = new TreeMap<>();
        private final List<Integer> acknowledged = new ArrayList<>();
        private final List<String> trace = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private final boolean[][] cut;
        private double loss;
        private int written;
        private int barriers;
        private int handedOver;

        Storm(long seed, int size) {
            this(seed, size, SMALL);
        }

        Storm(long seed, int size, LogSettings settings) {
            random = new Random(seed);
            cut = new boolean[size][size];
            nodes = IntStream.rangeClosed(1, size)
                    .mapToObj(number -> new NodeId("n" + number))
                    .toList();
            log = new ModelLog(new TreeSet<>(nodes), seed, time, this::delay, settings);
            nodes.forEach(this::open);
        }

        private Optional<Duration> delay(NodeId from, NodeId to) {
            boolean lost = cut[nodes.indexOf(from)][nodes.indexOf(to)] || random.nextDouble() < loss;
            long micros = random.nextInt(20) == 0 ? random.nextInt(200_000) : 100 + random.nextInt(3_000);
            return lost ? Optional.empty() : Optional.of(Duration.ofNanos(micros * 1_000));
        }

        private void open(NodeId node) {
            frozen.remove(node);
            var last = new long[] {0, 0};
            logs.put(node, log.open(node, event -> {
                trace.add(time.nowNanos() + " " + node + " " + shown(event));
                check(node, event, last);
            }));
        }

        private static String shown(LogEvent event) {
            return event instanceof LogEvent.Advanced(long index, ClusterState state)
                    ? index + " revision " + state.revision()
                    : event.toString();
        }

        private void check(NodeId node, LogEvent event, long[] last) {
            switch (event) {
                case LogEvent.Advanced(long index, ClusterState state) -> {
                    assertTrue(index > last[0], () -> node + " goes back from " + last[0] + " to " + index);
                    last[0] = index;
                    ClusterState other = states.putIfAbsent(index, state);
                    assertTrue(other == null || other.equals(state), () -> "two states at index " + index);
                }
                case LogEvent.LeadershipChanged(Leadership now) -> {
                    assertTrue(now.term() >= last[1], () -> node + " goes back to " + now);
                    last[1] = now.term();
                    if (now instanceof Leadership.Leading(long term)) {
                        NodeId other = leaders.putIfAbsent(term, node);
                        assertTrue(other == null || other.equals(node), () -> "two leaders in term " + term);
                    }
                }
                case LogEvent.Failed failed -> throw new AssertionError(failed);
            }
        }

        private GenerationLog log(NodeId node) {
            return Optional.ofNullable(logs.get(node)).orElseThrow();
        }

        private NodeId any() {
            return nodes.get(random.nextInt(nodes.size()));
        }

        private void write() {
            NodeId node = any();
            if (!log.running(node)) {
                return;
            }
            written++;
            int number = written;
            var _ = log(node).propose(segment(number)).thenAccept(outcome -> {
                trace.add(time.nowNanos() + " " + node + " wrote " + number + " " + outcome);
                if (outcome instanceof ProposeOutcome.Committed(Outcome.Done _)) {
                    acknowledged.add(number);
                }
            });
        }

        private void confirm() {
            NodeId node = any();
            if (!log.running(node)) {
                return;
            }
            List<Integer> before = List.copyOf(acknowledged);
            var _ = log(node).readBarrier().thenAccept(confirmed -> {
                if (confirmed) {
                    barriers++;
                    List<String> names = names(log.state(node).orElseThrow());
                    // A future swallows what is thrown here.
                    before.stream()
                            .filter(number -> !names.contains("s" + number))
                            .forEach(number -> problems.add("a barrier at " + node + " without write " + number));
                }
            });
        }

        private void handOver() {
            NodeId node = any();
            if (log.running(node)) {
                var _ = log(node)
                        .handOver(random.nextBoolean() ? Optional.empty() : Optional.of(any()))
                        .thenAccept(done -> handedOver += done ? 1 : 0);
            }
        }

        private void fault() {
            NodeId node = any();
            switch (random.nextInt(11)) {
                case 0 -> log.kill(node);
                case 1, 2 -> {
                    if (!log.running(node)) {
                        open(node);
                    }
                }
                case 3 -> {
                    log.freeze(node);
                    frozen.add(node);
                }
                case 4 -> {
                    log.thaw(node);
                    frozen.remove(node);
                }
                case 5, 6 -> cut[random.nextInt(nodes.size())][random.nextInt(nodes.size())] ^= true;
                case 7 -> loss = random.nextInt(3) * 0.15;
                case 8 -> handOver();
                case 9 -> {
                    if (log.running(node)) {
                        log(node).close();
                    }
                }
                default -> {
                    if (random.nextInt(4) == 0 && nodes.stream().allMatch(log::voting)) {
                        log.kill(node);
                        log.wipe(node);
                    }
                }
            }
        }

        private void heal() {
            for (boolean[] row : cut) {
                Arrays.fill(row, false);
            }
            loss = 0;
            nodes.forEach(node -> {
                log.thaw(node);
                if (!log.running(node)) {
                    open(node);
                }
            });
        }

        void run(int steps) {
            for (int step = 0; step < steps; step++) {
                time.run(Duration.ofMillis(random.nextInt(400)));
                write();
                confirm();
                if (random.nextInt(3) == 0) {
                    fault();
                }
                if (step % 30 == 29) {
                    heal();
                    time.run(Duration.ofSeconds(2));
                }
                assertKept();
            }
            heal();
            time.run(Duration.ofSeconds(10));
            assertKept();
        }

        private void assertKept() {
            assertEquals(Optional.empty(), log.violation());
            assertEquals(List.of(), problems);
        }

        void assertConverged() {
            ClusterState state = log.state(nodes.getFirst()).orElseThrow();
            List<String> names = names(state);
            acknowledged.forEach(number -> assertTrue(names.contains("s" + number), "write " + number + " is lost"));
            for (NodeId node : nodes) {
                assertEquals(
                        Optional.of(state),
                        log.state(node),
                        () -> node + " differs: "
                                + nodes.stream().map(log::leadership).toList());
                assertTrue(log.voting(node), () -> node + " is not readmitted");
            }
            assertEquals(
                    1,
                    nodes.stream()
                            .filter(node -> log.leadership(node).orElseThrow() instanceof Leadership.Leading)
                            .count());
            assertEquals(replayed(), state, "the state is what the log says");
        }

        private ClusterState replayed() {
            ClusterState state = ClusterState.empty();
            for (ModelLog.Chosen chosen : log.chosen()) {
                ClusterState now = state;
                state = chosen.command()
                        .map(command -> StateMachine.apply(now, command).state())
                        .orElse(now);
            }
            return state;
        }
    }

    private static List<String> names(ClusterState state) {
        return state.model().segments().values().stream().map(Segment::name).toList();
    }

    private static Command segment(int number) {
        return new Command.CreateSegment(new Segment(
                0,
                "s" + number,
                IpPrefix.parse("10.%d.%d.0/24".formatted(number / 256, number % 256)),
                new TreeMap<>()));
    }

    @Test
    void noFaultBreaksRaftsPromisesAndAllConvergeAfterwards() {
        int acknowledged = 0;
        int barriers = 0;
        int handedOver = 0;
        for (long seed = 1; seed <= 300; seed++) {
            var storm = new Storm(seed, seed % 3 == 0 ? 5 : 3);
            try {
                storm.run(120);
                storm.assertConverged();
            } catch (AssertionError broken) {
                throw new AssertionError("seed " + seed + ": " + broken.getMessage(), broken);
            }
            acknowledged += storm.acknowledged.size();
            barriers += storm.barriers;
            handedOver += storm.handedOver;
        }
        assertTrue(acknowledged > 300 * 10, "too few writes to prove anything: " + acknowledged);
        assertTrue(barriers > 300 * 10, "too few barriers to prove anything: " + barriers);
        assertTrue(handedOver > 30, "too few changes of leadership on request: " + handedOver);
    }

    @Test
    void aSeedPlaysTheSameAgain() {
        for (long seed = 1; seed <= 5; seed++) {
            var first = new Storm(seed, 3);
            first.run(60);
            var second = new Storm(seed, 3);
            second.run(60);
            assertEquals(first.trace, second.trace);
            assertFalse(first.trace.isEmpty());
        }
    }

    @Test
    void aQuorumThatIsNoMajorityIsFound() {
        boolean found = false;
        for (long seed = 1; seed <= 20 && !found; seed++) {
            var storm = new Storm(seed, 3, SMALL.withQuorum(_ -> 1));
            try {
                storm.run(120);
            } catch (AssertionError broken) {
                found = true;
            }
        }
        assertTrue(found, "two leaders could commit, and nobody saw it");
    }

    @Test
    void aWipedNodeDoesNotVoteUntilAllOthersHaveConfirmedItsLeader() {
        var storm = new Storm(1, 3);
        storm.time.run(Duration.ofSeconds(3));
        NodeId wiped = storm.nodes.getFirst();
        NodeId gone = storm.nodes.get(1);
        storm.log.kill(wiped);
        storm.log.wipe(wiped);
        storm.log.kill(gone);
        storm.open(wiped);
        storm.time.run(Duration.ofSeconds(10));
        assertFalse(storm.log.voting(wiped));
        assertFalse(storm.nodes.stream()
                .filter(storm.log::running)
                .anyMatch(node -> storm.log.leadership(node).orElseThrow() instanceof Leadership.Leading));
        storm.open(gone);
        storm.time.run(Duration.ofSeconds(5));
        assertTrue(storm.log.voting(wiped));
        storm.assertConverged();
    }
}
