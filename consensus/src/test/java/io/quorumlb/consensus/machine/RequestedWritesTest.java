package io.quorumlb.consensus.machine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.consensus.wire.SnapshotCodec;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A write that says who it is. */
class RequestedWritesTest {
    private static final long START = Duration.ofDays(20_000).toMillis();

    private ClusterState state = RandomCommands.state(3, 400);
    private final Command drain = admin(AdminState.DRAINED);
    private final Command enable = admin(AdminState.ENABLED);

    private Command admin(AdminState admin) {
        var member = state.model().members().values().stream()
                .filter(one -> !one.retired())
                .findFirst()
                .orElseThrow();
        String pool = state.model().pools().values().stream()
                .filter(one -> one.id() == member.poolId())
                .findFirst()
                .orElseThrow()
                .name();
        return new Command.SetMemberAdmin(pool, member.name(), admin);
    }

    private static Command.Requested write(String id, Command command, Duration at, OptionalLong expected) {
        return new Command.Requested(
                new Origin(new RequestId(id), OriginCodec.content(command), START + at.toMillis(), expected), command);
    }

    private static Command.Requested write(String id, Command command, Duration at) {
        return write(id, command, at, OptionalLong.empty());
    }

    private Outcome.Done done(Command.Requested write) {
        Applied applied = StateMachine.apply(state, write);
        state = applied.state();
        return assertInstanceOf(
                Outcome.Done.class, applied.outcome(), () -> applied.outcome().toString());
    }

    private Outcome.Refused refused(Cause cause, Command.Requested write) {
        Applied applied = StateMachine.apply(state, write);
        assertSame(state, applied.state());
        var refused = assertInstanceOf(Outcome.Refused.class, applied.outcome());
        assertEquals(cause, refused.cause(), refused.message());
        return refused;
    }

    @Test
    void aWriteThatIsAskedAgainIsAnsweredAndNotDoneAgain() {
        done(write("a", enable, Duration.ZERO));
        Outcome.Done first = done(write("b", drain, Duration.ZERO));
        done(write("c", enable, Duration.ofSeconds(1)));
        ClusterState before = state;
        assertEquals(first, done(write("b", drain, Duration.ofSeconds(2))));
        assertSame(before, state, "the member stays enabled");
    }

    @Test
    void aSnapshotRemembersToo() {
        Outcome.Done first = done(write("b", drain, Duration.ZERO));
        state = SnapshotCodec.fromWire(SnapshotCodec.toWire(state));
        done(write("c", enable, Duration.ofSeconds(1)));
        assertEquals(first, done(write("b", drain, Duration.ofSeconds(2))));
    }

    @Test
    void anotherWriteUnderTheSameIdIsRefused() {
        done(write("b", drain, Duration.ZERO));
        String message =
                refused(Cause.INVALID, write("b", enable, Duration.ZERO)).message();
        assertTrue(message.contains("'b' was used for another write"), message);
    }

    @Test
    void whatWasRefusedMayBeAskedAgain() {
        Command gone = new Command.SetMemberAdmin("nowhere", "m0", AdminState.DRAINED);
        refused(Cause.NOT_FOUND, write("b", gone, Duration.ZERO));
        done(write("b", drain, Duration.ZERO));
    }

    @Test
    void anExpectedRevisionThatIsOldIsRefusedWithBoth() {
        long revision = state.revision();
        done(write("a", drain, Duration.ZERO, OptionalLong.of(revision)));
        done(write("b", enable, Duration.ZERO, OptionalLong.of(state.revision())));
        String message = refused(Cause.CHANGED, write("c", drain, Duration.ZERO, OptionalLong.of(revision)))
                .message();
        assertTrue(message.contains("at revision " + state.revision() + ", " + revision + " was expected"), message);
        // The write that made the revision is answered all the same.
        done(write("b", enable, Duration.ZERO, OptionalLong.of(state.revision() - 1)));
    }

    @Test
    void itIsRememberedForTenMinutesOfTheLogAndForgottenAfterwards() {
        done(write("a", enable, Duration.ZERO));
        done(write("b", drain, Duration.ofSeconds(59)));
        done(write("c", enable, Duration.ofSeconds(59).plusMinutes(10)));
        ClusterState before = state;
        done(write("b", drain, Duration.ofSeconds(59).plusMinutes(10)));
        assertSame(before, state);
        done(write("d", enable, Duration.ofMinutes(11)));
        done(write("b", drain, Duration.ofMinutes(11)));
        assertTrue(state.revision() > before.revision(), "eleven minutes later it is a write of its own");
    }

    @Test
    void aLeaderWhoseClockIsBehindForgetsNothing() {
        done(write("a", drain, Duration.ofMinutes(30)));
        done(write("b", enable, Duration.ZERO));
        assertEquals(START + Duration.ofMinutes(30).toMillis(), state.requests().clockMillis());
        ClusterState before = state;
        done(write("a", drain, Duration.ofMinutes(5)));
        assertSame(before, state);
    }

    @Test
    void moreThanCanBeToldApartAreRefusedUntilTheOldestAreForgotten() {
        SortedMap<RequestId, Requests.Answer> first = new TreeMap<>();
        for (int i = 1; i < Requests.COUNT_MAX; i++) {
            first.put(new RequestId("r" + i), new Requests.Answer("content", new Outcome.Done(i, 1)));
        }
        state = state.with(
                new Requests(START, new TreeMap<>(Map.of(Requests.minute(START), first)), AuditTrail.none()));
        done(write("last", enable, Duration.ofMinutes(1)));
        String message = refused(Cause.TOO_MANY, write("one-more", drain, Duration.ofMinutes(9)))
                .message();
        assertTrue(message.contains("65536 writes"), message);
        done(write("later", drain, Duration.ofMinutes(11)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "\u00e9", "x\ny"})
    void anIdThatIsNoneSaysWhatIsExpected(String id) {
        var refused = assertThrows(IllegalArgumentException.class, () -> new RequestId(id));
        assertTrue(refused.toString().contains("1..64 printable ASCII characters"), refused::toString);
        assertThrows(IllegalArgumentException.class, () -> new RequestId("x".repeat(65)));
    }
}
