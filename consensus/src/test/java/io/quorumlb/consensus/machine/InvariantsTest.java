package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.ReplyKey;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.maglev.IpAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever commands come, in whatever order, these hold after each. */
class InvariantsTest {
    private static final int COMMANDS = 500;

    private static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void holdAfterEveryCommand(long seed) {
        RandomCommands source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        int done = 0;
        for (int i = 0; i < COMMANDS; i++) {
            Command command = source.next(state);
            Applied applied = StateMachine.apply(state, command);
            assertEquals(applied, StateMachine.apply(state, command), "a function of its arguments");
            switch (applied.outcome()) {
                case Outcome.Refused _ -> assertSame(state, applied.state());
                case Outcome.Done(int _, long revision) -> {
                    done++;
                    if (!applied.state().equals(state)) {
                        assertEquals(revision, applied.state().revision());
                    }
                    assertTrue(revision - state.revision() <= 1);
                }
            }
            for (int pool : applied.state().history().keySet()) {
                long grown = applied.state().generationNumber(pool) - state.generationNumber(pool);
                assertTrue(grown == 0 || (grown == 1 && asked(command) instanceof Command.CommitGeneration));
            }
            state = applied.state();
            check(state);
        }
        assertTrue(done > COMMANDS / 10, "most commands missed: the source is too wild");
        assertEquals(state, SnapshotCodec.fromWire(SnapshotCodec.toWire(state)));
    }

    private static Command asked(Command command) {
        return command instanceof Command.Requested(var _, Command asked) ? asked : command;
    }

    private static void check(ClusterState state) {
        Model model = state.model();
        Set<Object> keys = new HashSet<>();
        Set<Object> places = new HashSet<>();
        model.members().forEach((id, member) -> {
            assertEquals(id, member.id());
            assertTrue(id <= state.lastIds().member());
            assertNotNull(model.pools().get(member.poolId()));
            var segment = model.segments().get(member.segmentId());
            assertTrue(segment != null && segment.contains(member.key().address()));
            assertTrue(member.retired() || keys.add(member.key()), "an address and port twice");
            assertTrue(places.add(List.of(member.poolId(), member.key())), "a place in a base twice");
        });
        model.listeners().forEach((id, listener) -> {
            assertEquals(id, listener.id());
            assertNotNull(model.pools().get(listener.poolId()));
            assertTrue(model.segments().values().stream().noneMatch(segment -> segment.contains(listener.vip())));
            listener.fallback()
                    .ifPresent(name -> assertTrue(model.pool(name)
                            .filter(pool -> pool.id() != listener.poolId())
                            .isPresent()));
        });
        model.pools()
                .keySet()
                .forEach(pool -> assertTrue(
                        Stream.concat(
                                                model.presentMembersOf(pool).stream()
                                                        .map(member ->
                                                                member.key().address()),
                                                model.listenersReaching(pool).stream()
                                                        .map(Listener::vip))
                                        .map(IpAddress::family)
                                        .distinct()
                                        .count()
                                <= 1,
                        "two versions of IP in one pool"));
        checkTranslation(model);
        assertTrue(model.pools().keySet().containsAll(state.history().keySet()));
        state.history().values().forEach(InvariantsTest::checkHistory);
        assertTrue(state.history().keySet().containsAll(state.emptySince().keySet()));
        state.history().forEach((pool, generations) -> {
            if (generations.getLast().eligible().isEmpty()) {
                assertTrue(state.empty(pool), "a pool without members does not count as empty");
            }
        });
        assertTrue(state.outOfService().size() < 3, "all three nodes out of service");
        state.timers().members().forEach((id, timers) -> {
            assertFalse(timers.isEmpty());
            Member member = model.members().get(id);
            assertTrue(member != null && !member.retired(), "a timer of a member that is gone");
            assertTrue(
                    timers.drain().isEmpty() || member.admin() == AdminState.DRAINED,
                    "only a drained member's drain ends");
            timers.ramp().ifPresent(ramp -> {
                assertEquals(AdminState.ENABLED, member.admin());
                assertEquals(ramp.ceiling(member.weight()), member.ceiling(), "the ceiling is the ramp's");
            });
        });
    }

    /** A packet to a VIP has one narrowest listener, a reply has one listener. */
    private static void checkTranslation(Model model) {
        assertEquals(Optional.empty(), ReplyKey.clash(model, _ -> true));
        List<Listener> listeners = List.copyOf(model.listeners().values());
        for (Listener one : listeners) {
            for (Listener other : listeners) {
                boolean apart = one.id() == other.id()
                        || !one.vip().equals(other.vip())
                        || one.traffic().dividesWith(other.traffic());
                assertTrue(apart, () -> one + " and " + other);
            }
        }
    }

    private static void checkHistory(List<PoolGeneration> generations) {
        assertTrue(generations.size() <= ClusterState.HISTORY_MAX);
        for (int i = 1; i < generations.size(); i++) {
            assertEquals(generations.get(i - 1).number() + 1, generations.get(i).number());
        }
    }
}
