package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Configured;
import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.wire.OriginCodec;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ObjectRevisionTest {
    private ClusterState state = RandomCommands.state(3, 400);

    private static LongStream seeds() {
        return LongStream.range(0, 30);
    }

    private static SortedMap<String, Configured> objects(Model model) {
        SortedMap<String, Configured> objects = new TreeMap<>();
        model.segments().forEach((id, it) -> objects.put("segment " + id, it));
        model.pools().forEach((id, it) -> objects.put("pool " + id, it));
        model.members().forEach((id, it) -> objects.put("member " + id, it));
        model.listeners().forEach((id, it) -> objects.put("listener " + id, it));
        model.loadBalancers().forEach((id, it) -> objects.put("load balancer " + id, it));
        return objects;
    }

    /** What an entry has changed says its revision; all else says what it has said before. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anObjectSaysWhichRevisionChangedItLast(long seed) {
        var source = new RandomCommands(seed);
        ClusterState before = ClusterState.empty();
        for (int i = 0; i < 400; i++) {
            ClusterState after = StateMachine.apply(before, source.next(before)).state();
            SortedMap<String, Configured> known = objects(before.model());
            long revision = after.revision();
            boolean same = revision == before.revision();
            objects(after.model()).forEach((name, object) -> {
                Configured old = known.get(name);
                if (old != null && old.meta().revision() == object.meta().revision()) {
                    assertEquals(old, object, name);
                } else {
                    assertEquals(revision, object.meta().revision(), name);
                    assertTrue(!same, name);
                }
            });
            before = after;
        }
    }

    private Outcome write(Command command, long expected) {
        var origin = new Origin(
                new RequestId("id-" + expected + command.hashCode()),
                OriginCodec.content(command),
                1,
                OptionalLong.empty(),
                OptionalLong.of(expected),
                Optional.empty());
        Applied applied = StateMachine.apply(state, new Command.Requested(origin, command));
        if (applied.outcome() instanceof Outcome.Refused) {
            assertSame(state, applied.state());
        }
        state = applied.state();
        return applied.outcome();
    }

    private String refused(Cause cause, Command command, long expected) {
        var refused = assertInstanceOf(Outcome.Refused.class, write(command, expected));
        assertEquals(cause, refused.cause(), refused::message);
        assertEquals("options.expected_object_revision", refused.field());
        return refused.message();
    }

    private static Command label(ObjectKind kind, String name, String value) {
        var labels = new TreeMap<String, String>();
        labels.put("site", value);
        return new Command.SetLabels(kind, name, new Labels(labels));
    }

    private String memberName() {
        return state.model().members().values().stream()
                .filter(member -> !member.retired())
                .map(member -> state.model().pools().values().stream()
                                .filter(pool -> pool.id() == member.poolId())
                                .findFirst()
                                .orElseThrow()
                                .name()
                        + "/" + member.name())
                .findFirst()
                .orElseThrow();
    }

    private long revision(ObjectKind kind, String name) {
        return state.model().object(kind, name).orElseThrow().meta().revision();
    }

    @Test
    void aWriteIsDoneOnTheObjectThatItsAuthorHasSeen() {
        String name = memberName();
        long seen = revision(ObjectKind.MEMBER, name);
        assertInstanceOf(Outcome.Done.class, write(label(ObjectKind.MEMBER, name, "a"), seen));
        assertEquals(state.revision(), revision(ObjectKind.MEMBER, name));
        String message = refused(Cause.CHANGED, label(ObjectKind.MEMBER, name, "b"), seen);
        assertTrue(
                message.startsWith("members[%s] was last changed by revision %d, %d was expected"
                        .formatted(name, state.revision(), seen)),
                message);
    }

    @Test
    void anotherObjectsChangeDoesNotMatter() {
        String name = memberName();
        long seen = revision(ObjectKind.MEMBER, name);
        String other = state.model().segments().values().stream()
                .findFirst()
                .orElseThrow()
                .name();
        assertInstanceOf(
                Outcome.Done.class,
                StateMachine.apply(state, label(ObjectKind.SEGMENT, other, "x")).outcome());
        state = StateMachine.apply(state, label(ObjectKind.SEGMENT, other, "x")).state();
        String[] path = name.split("/", 2);
        assertInstanceOf(
                Outcome.Done.class, write(new Command.SetMemberAdmin(path[0], path[1], AdminState.DRAINED), seen));
    }

    @Test
    void whatDoesNotExistHasNoRevision() {
        String message = refused(Cause.CHANGED, label(ObjectKind.POOL, "nowhere", "b"), 7);
        assertTrue(message.startsWith("pools[nowhere] does not exist"), message);
        refused(Cause.CHANGED, label(ObjectKind.MEMBER, "nowhere", "b"), 7);
    }

    @Test
    void aWriteOfManyObjectsCannotExpectOne() {
        String message = refused(Cause.INVALID, new Command.Batch(List.of()), 7);
        assertTrue(message.contains("only a write of one object"), message);
    }

    @Test
    void aPoolsWritesBeyondEditsExpectThePool() {
        String pool = state.model().pools().values().stream()
                .findFirst()
                .orElseThrow()
                .name();
        refused(Cause.CHANGED, new Command.CompactPool(pool, 0), revision(ObjectKind.POOL, pool) + 1);
    }

    @Test
    void labelsChangeNothingElseAndTheSameLabelsNothing() {
        String name = memberName();
        ClusterState before = state;
        state = StateMachine.apply(state, label(ObjectKind.MEMBER, name, "a")).state();
        assertEquals(before.revision() + 1, state.revision());
        assertSame(
                state,
                StateMachine.apply(state, label(ObjectKind.MEMBER, name, "a")).state());
        var changes = ClusterChanges.between(before, state);
        assertEquals(1, changes.size(), changes::toString);
        assertInstanceOf(ClusterChange.OfMember.class, changes.getFirst());
        var missing = assertInstanceOf(
                Outcome.Refused.class,
                StateMachine.apply(state, label(ObjectKind.LISTENER, "nowhere", "a"))
                        .outcome());
        assertEquals(Cause.NOT_FOUND, missing.cause());
    }
}
