package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.ClusterChange.Kind;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever takes in all changes, in order, knows what the cluster has. */
class ClusterChangesTest {
    private static final int COMMANDS = 400;

    /** What a follower knows. */
    private static final class Follower {
        private final SortedMap<Integer, Segment> segments = new TreeMap<>();
        private final SortedMap<Integer, Pool> pools = new TreeMap<>();
        private final SortedMap<Integer, Member> members = new TreeMap<>();
        private final SortedMap<Integer, Listener> listeners = new TreeMap<>();
        private final SortedMap<Integer, LoadBalancer> loadBalancers = new TreeMap<>();
        private final SortedMap<String, Long> generations = new TreeMap<>();
        private final SortedSet<String> empty = new TreeSet<>();
        private final SortedMap<NodeId, String> out = new TreeMap<>();
        private final SortedMap<String, MemberTimers> timers = new TreeMap<>();

        void take(ClusterChange change) {
            switch (change) {
                case ClusterChange.OfSegment(Kind kind, Segment segment) -> put(segments, kind, segment.id(), segment);
                case ClusterChange.OfPool(Kind kind, Pool pool) -> {
                    put(pools, kind, pool.id(), pool);
                    if (kind == Kind.DELETED) {
                        generations.remove(pool.name());
                        empty.remove(pool.name());
                    }
                }
                case ClusterChange.OfMember(Kind kind, Member member, String pool, String segment) -> {
                    assertTrue(!pool.isEmpty() && !segment.isEmpty(), change::toString);
                    put(members, kind, member.id(), member);
                    if (kind == Kind.DELETED) {
                        timers.remove(pool + "/" + member.name());
                    }
                }
                case ClusterChange.OfListener(Kind kind, Listener listener, String pool) -> {
                    assertTrue(!pool.isEmpty(), change::toString);
                    put(listeners, kind, listener.id(), listener);
                }
                case ClusterChange.OfLoadBalancer(Kind kind, LoadBalancer owner) ->
                    put(loadBalancers, kind, owner.id(), owner);
                case ClusterChange.OfGeneration(var generation, String pool) -> {
                    assertEquals(generations.getOrDefault(pool, 0L) + 1, generation.number());
                    generations.put(pool, generation.number());
                }
                case ClusterChange.OfEmptiness(String pool, boolean begins) ->
                    assertTrue(begins ? empty.add(pool) : empty.remove(pool));
                case ClusterChange.OfService(NodeId node, Service service, String reason) -> {
                    switch (service) {
                        case OUT -> out.put(node, reason);
                        case IN -> out.remove(node);
                    }
                }
                case ClusterChange.OfTimers(String pool, String member, MemberTimers now) ->
                    timers.put(pool + "/" + member, now);
                case ClusterChange.OfGateway _, ClusterChange.OfSlotFunction _ -> {
                    // Compared with nothing here.
                }
            }
        }

        private static <T> void put(SortedMap<Integer, T> objects, Kind kind, int id, T object) {
            T before = switch (kind) {
                case CREATED, CHANGED -> objects.put(id, object);
                case DELETED -> objects.remove(id);
            };
            assertEquals(kind != Kind.CREATED, before != null, () -> kind + " " + object);
        }

        void knows(ClusterState state) {
            assertEquals(state.model().segments(), segments);
            assertEquals(state.model().pools(), pools);
            SortedMap<Integer, Member> present = new TreeMap<>(state.model().members());
            present.values().removeIf(Member::retired);
            assertEquals(present, members);
            assertEquals(state.model().listeners(), listeners);
            assertEquals(state.model().loadBalancers(), loadBalancers);
            state.model()
                    .pools()
                    .forEach((id, pool) -> assertEquals(
                            state.generationNumber(id), generations.getOrDefault(pool.name(), 0L), pool::name));
            state.model().pools().forEach((id, pool) -> assertEquals(state.empty(id), empty.contains(pool.name())));
            assertEquals(state.outOfService().keySet(), out.keySet());
            SortedMap<String, MemberTimers> timed = new TreeMap<>();
            state.timers().members().forEach((id, wanted) -> {
                Member member = Objects.requireNonNull(state.model().members().get(id));
                Pool pool = Objects.requireNonNull(state.model().pools().get(member.poolId()));
                timed.put(pool.name() + "/" + member.name(), wanted);
            });
            timers.values().removeIf(MemberTimers::isEmpty);
            assertEquals(timed, timers);
        }
    }

    private static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aFollowerKnowsWhatThereIs(long seed) {
        RandomCommands source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        var follower = new Follower();
        for (int i = 0; i < COMMANDS; i++) {
            ClusterState next = StateMachine.apply(state, source.next(state)).state();
            ClusterChanges.between(state, next).forEach(follower::take);
            follower.knows(next);
            state = next;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void manyEntriesAtOnceAreTheirSum(long seed) {
        ClusterState state = RandomCommands.state(seed, COMMANDS);
        var follower = new Follower();
        List<ClusterChange> all = ClusterChanges.between(ClusterState.empty(), state);
        all.stream()
                .filter(change -> !(change instanceof ClusterChange.OfGeneration))
                .forEach(follower::take);
        assertEquals(state.model().pools(), follower.pools);
        assertEquals(state.model().listeners(), follower.listeners);
    }

    /** All that is said of one pool. */
    private static List<Object> ofPool(ClusterState state, int id) {
        return List.of(
                Optional.ofNullable(state.model().pools().get(id)),
                state.model().membersOf(id),
                state.model().membersOf(id).stream()
                        .map(member -> state.timers().of(member.id()))
                        .toList(),
                state.model().listenersOf(id),
                state.history().getOrDefault(id, List.of()),
                state.empty(id));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void poolsThatAreAsTheyWereAreNotNamed(long seed) {
        RandomCommands source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        for (int i = 0; i < COMMANDS; i++) {
            ClusterState before = state;
            ClusterState next = StateMachine.apply(state, source.next(state)).state();
            SortedSet<Integer> all = new TreeSet<>(before.model().pools().keySet());
            all.addAll(next.model().pools().keySet());
            SortedSet<Integer> changed = new TreeSet<>(all);
            changed.removeIf(id -> ofPool(before, id).equals(ofPool(next, id)));
            SortedSet<Integer> named = next.poolsChangedSince(before);
            assertTrue(named.containsAll(changed), () -> named + " does not name all of " + changed);
            // What is to become of members is one map: when it differs, all pools with such members are named.
            assertTrue(!next.timers().equals(before.timers()) || named.equals(changed), () -> named + " " + changed);
            state = next;
        }
    }

    @Test
    void nothingDiffersFromItself() {
        ClusterState state = RandomCommands.state(7, COMMANDS);
        assertEquals(new TreeSet<>(), state.poolsChangedSince(state));
        assertEquals(List.of(), ClusterChanges.between(state, state));
    }
}
