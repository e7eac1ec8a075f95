package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.RandomCommands;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.consensus.wire.SnapshotCodec;
import io.quorumlb.consensus.wire.UnreadableEntryException;
import io.quorumlb.ovs.testbed.Fuzz;
import io.quorumlb.proto.v1.ClusterSnapshot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever bytes are found in the log or in a snapshot, they are read or refused in the documented way. */
class LogFuzzTest {
    private static final Duration NET = Duration.ofMinutes(1);

    static LongStream seeds() {
        return LongStream.range(0, 3);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void entries(long seed) {
        List<byte[]> real = new ArrayList<>();
        var source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        for (int i = 0; i < 60; i++) {
            Command command = source.next(state);
            real.add(EntryCodec.toWire(command).toByteArray());
            state = StateMachine.apply(state, command).state();
        }
        Fuzz.Tally tally = assertTimeoutPreemptively(NET, () -> Fuzz.run(seed, 30_000, real, LogFuzzTest::isEntry));
        assertTrue(tally.accepted() > 1_000 && tally.refused() > 5_000, tally::toString);
    }

    /** What is read must also be applied, to a done or a refused. */
    private static boolean isEntry(byte[] bytes) {
        try {
            Command command = EntryCodec.parse(ByteBuffer.wrap(bytes));
            return StateMachine.apply(ClusterState.empty(), command).state().revision() <= 1;
        } catch (UnreadableEntryException _) {
            return false;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void snapshots(long seed) {
        List<byte[]> real = new ArrayList<>();
        var source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        for (int i = 0; i < 24; i++) {
            state = StateMachine.apply(state, source.next(state)).state();
            if (i % 6 == 5) {
                real.add(SnapshotCodec.toWire(state).toByteArray());
            }
        }
        Fuzz.Tally tally = assertTimeoutPreemptively(NET, () -> Fuzz.run(seed, 10_000, real, LogFuzzTest::isSnapshot));
        assertTrue(tally.refused() > 2_000, tally::toString);
    }

    private static boolean isSnapshot(byte[] bytes) {
        try {
            return SnapshotCodec.fromWire(ClusterSnapshot.parseFrom(bytes)).revision() >= 0;
        } catch (InvalidProtocolBufferException | IllegalArgumentException _) {
            return false;
        }
    }
}
