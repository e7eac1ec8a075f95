package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.RandomCommands;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorType;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.proto.v1.ClusterSnapshot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RoundTripTest {
    private static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void commandsAndOutcomesComeBackEqual(long seed) {
        RandomCommands source = new RandomCommands(seed);
        ClusterState state = ClusterState.empty();
        for (int i = 0; i < 200; i++) {
            Command command = source.next(state);
            assertEquals(
                    command,
                    EntryCodec.parse(ByteBuffer.wrap(EntryCodec.toWire(command).toByteArray())));
            var applied = StateMachine.apply(state, command);
            Outcome outcome = applied.outcome();
            assertEquals(
                    outcome,
                    OutcomeCodec.parse(
                            ByteBuffer.wrap(OutcomeCodec.toWire(outcome).toByteArray())));
            state = applied.state();
        }
    }

    @Test
    void aMonitorWrittenBeforeThereWasAFastIntervalHasTheDefault() {
        for (int interval : new int[] {100, 200, 1000}) {
            var monitor =
                    new HealthMonitor(MonitorType.TCP, "", Duration.ofMillis(interval), Duration.ofMillis(50), 2, 3);
            assertEquals(Duration.ofMillis(Math.min(interval, 200)), monitor.fastInterval());
            var old = ModelCodec.toWire(monitor).toBuilder()
                    .clearFastIntervalMillis()
                    .build();
            assertEquals(monitor, ModelCodec.fromWire(old));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void snapshotsComeBackEqual(long seed) throws Exception {
        ClusterState state = RandomCommands.state(seed, 400);
        byte[] bytes = SnapshotCodec.toWire(state).toByteArray();
        ClusterState back = SnapshotCodec.fromWire(ClusterSnapshot.parseFrom(bytes));
        assertEquals(state, back);
        assertEquals(SnapshotCodec.toWire(state), SnapshotCodec.toWire(back));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void objectsComeBackEqualButForTheIdsThatNamesStandFor(long seed) {
        var model = RandomCommands.state(seed, 400).model();
        model.segments().values().forEach(it -> assertEquals(it, ModelCodec.fromWire(ModelCodec.toWire(it))));
        model.pools().values().forEach(it -> assertEquals(it, ModelCodec.fromWire(ModelCodec.toWire(it))));
        model.members().values().forEach(it -> {
            var message = ModelCodec.toWire(it, model);
            assertEquals(
                    Optional.of(message.getPool()),
                    Optional.ofNullable(model.pools().get(it.poolId())).map(Pool::name));
            assertEquals(
                    Optional.of(message.getSegment()),
                    Optional.ofNullable(model.segments().get(it.segmentId())).map(Segment::name));
            assertEquals(
                    new Member(it.id(), 0, 0, it.name(), it.key(), it.weight(), it.admin(), it.ceiling(), it.staticMac()),
                    ModelCodec.fromWire(message));
        });
        model.listeners().values().forEach(it -> {
            var message = ModelCodec.toWire(it, model);
            assertEquals(
                    Optional.of(message.getPool()),
                    Optional.ofNullable(model.pools().get(it.poolId())).map(Pool::name));
            assertEquals(
                    new Listener(it.id(), it.name(), it.vip(), it.protocol(), it.port(), 0),
                    ModelCodec.fromWire(message));
        });
    }
}
