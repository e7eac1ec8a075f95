package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.TextFormat;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.RandomCommands;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.proto.v1.ClusterSnapshot;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
                    new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofMillis(interval), Duration.ofMillis(50), 2, 3);
            assertEquals(Duration.ofMillis(Math.min(interval, 200)), monitor.fastInterval());
            var old = MonitorCodec.toWire(monitor).toBuilder()
                    .clearFastIntervalMillis()
                    .build();
            assertEquals(monitor, MonitorCodec.fromWire(old));
        }
    }

    /** What a version wrote that knew IPv4 and single TCP ports only. */
    @Test
    void anEarlierVersionsEntriesMeanTheSame() throws Exception {
        var segment = TextFormat.parse(
                "name: 'p2' prefix: '10.20.0.0/24' gateways { node: 'n1' address: '10.20.0.251' }",
                io.quorumlb.proto.v1.Segment.class);
        var gateways = new TreeMap<>(Map.of(new NodeId("n1"), IpAddress.parse("10.20.0.251")));
        assertEquals(new Segment(0, "p2", IpPrefix.parse("10.20.0.0/24"), gateways), ModelCodec.fromWire(segment));
        var listener = TextFormat.parse(
                "id: 7 name: 'www' vip: '192.0.2.10' protocol: PROTOCOL_TCP port: 80 pool: 'web'",
                io.quorumlb.proto.v1.Listener.class);
        assertEquals(
                new Listener(7, "www", IpAddress.parse("192.0.2.10"), Protocol.TCP, 80, 0),
                ModelCodec.fromWire(listener));
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
        model.loadBalancers()
                .values()
                .forEach(it -> assertEquals(it, LoadBalancerCodec.fromWire(LoadBalancerCodec.toWire(it))));
        model.members().values().forEach(it -> {
            var message = ModelCodec.toWire(it, model);
            assertEquals(
                    Optional.of(message.getPool()),
                    Optional.ofNullable(model.pools().get(it.poolId())).map(Pool::name));
            assertEquals(
                    Optional.of(message.getSegment()),
                    Optional.ofNullable(model.segments().get(it.segmentId())).map(Segment::name));
            assertEquals(
                    new Member(
                                    it.id(),
                                    0,
                                    0,
                                    it.name(),
                                    it.key(),
                                    it.weight(),
                                    it.admin(),
                                    it.ceiling(),
                                    it.staticMac())
                            .withMeta(it.meta()),
                    ModelCodec.fromWire(message));
        });
        model.listeners().values().forEach(it -> {
            var message = ModelCodec.toWire(it, model);
            assertEquals(
                    Optional.of(message.getPool()),
                    Optional.ofNullable(model.pools().get(it.poolId())).map(Pool::name));
            assertEquals(it.placed(it.id(), 0), ModelCodec.fromWire(message));
        });
    }
}
