package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.pipeline.PacketPath;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.PacketWay;
import io.quorumlb.proto.v1.SlotSource;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracePacketResponse;
import io.quorumlb.proto.v1.TracedPacket;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One node with a switch that answers as told, and what the answers of several nodes make together. */
class TracingTest {
    private static final TracedPacket PACKET = TracedPacket.newBuilder()
            .setProtocol(6)
            .setSourceAddress("10.40.0.9")
            .setSourcePort(12_345)
            .setDestinationAddress("10.99.0.10")
            .setDestinationPort(80)
            .build();
    private static final TracePacketRequest REQUEST =
            TracePacketRequest.newBuilder().setPacket(PACKET).build();

    private final LoneNode node = LoneNode.leading();

    TracingTest() throws IOException {}

    @BeforeEach
    void serves() {
        ControlServiceGrpc.ControlServiceBlockingStub api = node.api();
        api.createSegment(Site.SEGMENT);
        api.createPool(Site.POOL);
        api.createMember(Site.member("be1", "10.20.0.2:8080"));
        long revision = api.createMember(Site.member("be2", "10.20.0.3:8080")).getRevision();
        api.createListener(Site.LISTENER);
        assertTrue(api.waitForGeneration(WaitForGenerationRequest.newBuilder()
                        .setPool("web")
                        .setRevision(revision)
                        .setTimeoutMillis(15_000)
                        .build())
                .getProven());
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static PacketPath found(PacketPath path, OptionalInt member) {
        return new PacketPath(
                path.listener(),
                path.slotSet(),
                path.slot(),
                member,
                path.port(),
                path.mac(),
                path.drop(),
                PacketPath.Source.TRACED);
    }

    private static PacketPath asPredicted(SwitchIntent intent, Tuple tuple) {
        PacketPath path = PacketPath.predicted(intent, tuple);
        return found(path, path.member());
    }

    @Test
    void whatTheSwitchSaysIsComparedWithTheTable() {
        node.question = TracingTest::asPredicted;
        TracePacketResponse response = node.api().tracePacket(REQUEST);
        assertEquals("n1", response.getAnsweredBy());
        assertEquals(List.of(), response.getDisagreementsList());
        NodeTrace trace = response.getTraces(0);
        assertEquals(1, response.getTracesCount());
        assertEquals(List.of("n1", "www", "web"), List.of(trace.getNode(), trace.getListener(), trace.getPool()));
        assertEquals("", trace.getTrouble());
        assertTrue(trace.getGeneration() > 0);
        assertEquals(SlotSource.SLOT_SOURCE_TRACED, trace.getFound().getSource());
        assertEquals(SlotSource.SLOT_SOURCE_PREDICTED, trace.getPredicted().getSource());
        assertEquals(trace.getPredicted().getSlot(), trace.getFound().getSlot());
    }

    @Test
    void aSwitchThatSaysOtherwiseDisagrees() {
        node.question = (intent, tuple) -> found(PacketPath.predicted(intent, tuple), OptionalInt.of(99));
        TracePacketResponse response = node.api().tracePacket(REQUEST);
        assertEquals(1, response.getDisagreementsCount(), response::toString);
        String sentence = response.getDisagreements(0);
        assertTrue(sentence.startsWith("n1: by its switch listener 1, pool 1, slot "), sentence);
        assertTrue(sentence.contains("member 99"), sentence);
        assertEquals("", response.getTraces(0).getMember(), "nobody has that number");
    }

    @Test
    void aSwitchThatCannotBeAskedIsSaid() {
        node.question = (_, _) -> {
            throw new DatapathException(DatapathException.Outcome.UNREACHABLE, "no such socket");
        };
        TracePacketResponse response = node.api().tracePacket(REQUEST);
        NodeTrace trace = response.getTraces(0);
        assertEquals("no such socket", trace.getTrouble());
        assertFalse(trace.hasFound());
        assertTrue(trace.getPredicted().hasSlot());
        assertEquals("www", trace.getListener());
        assertEquals(List.of(), response.getDisagreementsList());
    }

    @Test
    void whatNoListenerTakesHasNoWay() {
        node.question = TracingTest::asPredicted;
        TracePacketResponse response = node.api()
                .tracePacket(TracePacketRequest.newBuilder()
                        .setPacket(PACKET.toBuilder().setDestinationPort(81))
                        .build());
        NodeTrace trace = response.getTraces(0);
        assertFalse(trace.getFound().hasListenerId());
        assertEquals(SlotSource.SLOT_SOURCE_UNSPECIFIED, trace.getFound().getSource());
        assertEquals("no listener takes it", trace.getFound().getDrop());
        assertEquals(0, trace.getGeneration());
        assertEquals("", trace.getListener());
    }

    @Test
    void aSwitchIsAskedTwoThingsAtOnceAtMost() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        CountDownLatch answer = new CountDownLatch(1);
        node.question = (intent, tuple) -> {
            asked.countDown();
            try {
                assertTrue(answer.await(20, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return asPredicted(intent, tuple);
        };
        var api = ControlServiceGrpc.newFutureStub(node.channel).withDeadlineAfter(20, TimeUnit.SECONDS);
        List<ListenableFuture<TracePacketResponse>> first = List.of(api.tracePacket(REQUEST), api.tracePacket(REQUEST));
        assertTrue(asked.await(20, TimeUnit.SECONDS));
        NodeTrace busy = node.api().tracePacket(REQUEST).getTraces(0);
        assertEquals("2 traces are under way, the most this node makes at once", busy.getTrouble());
        assertFalse(busy.hasFound());
        answer.countDown();
        for (var trace : first) {
            assertTrue(trace.get(20, TimeUnit.SECONDS).getTraces(0).hasFound());
        }
        assertTrue(node.api().tracePacket(REQUEST).getTraces(0).hasFound(), "there is room again");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0   | 10.40.0.9   | 1     | 10.99.0.10 | 80 | packet.protocol 0 is outside 1..255",
                "256 | 10.40.0.9   | 1     | 10.99.0.10 | 80 | packet.protocol 256 is outside 1..255",
                "6   | 10.40.0     | 1     | 10.99.0.10 | 80 | packet.source_address: ",
                "6   | 10.40.0.9   | 1     | ''         | 80 | packet.destination_address: ",
                "6   | 10.40.0.9   | 65536 | 10.99.0.10 | 80 | packet.source_port 65536 is outside 0..65535",
                "17  | 10.40.0.9   | 1     | 10.99.0.10 | -1 | packet.destination_port 4294967295 is outside 0..65535",
                "47  | 10.40.0.9   | 0     | 10.99.0.10 | 80 | packet.destination_port must be 0, is 80: protocol 47 has",
                "6   | fd00:40::10 | 1     | 10.99.0.10 | 80 | source fd00:40::10 and destination 10.99.0.10 must be of"
            })
    void aPacketThatIsNoneIsRefused(
            int protocol, String source, int sourcePort, String destination, int destinationPort, String part) {
        TracedPacket packet = TracedPacket.newBuilder()
                .setProtocol(protocol)
                .setSourceAddress(source)
                .setSourcePort(sourcePort)
                .setDestinationAddress(destination)
                .setDestinationPort(destinationPort)
                .build();
        StatusRuntimeException refused = assertThrows(
                StatusRuntimeException.class,
                () -> node.api()
                        .tracePacket(TracePacketRequest.newBuilder()
                                .setPacket(packet)
                                .build()));
        assertEquals(Status.Code.INVALID_ARGUMENT, refused.getStatus().getCode(), refused::getMessage);
        String message = String.valueOf(refused.getStatus().getDescription());
        assertTrue(message.startsWith(part), message);
    }

    private static NodeTrace.Builder trace(String name, int member, int port) {
        PacketWay way = PacketWay.newBuilder()
                .setListenerId(1)
                .setPoolId(2)
                .setSlot(17)
                .setMemberId(member)
                .setPort(port)
                .setMac("02:00:00:00:00:0" + port)
                .build();
        return NodeTrace.newBuilder()
                .setNode(name)
                .setGeneration(5)
                .setPredicted(way)
                .setFound(way);
    }

    @Test
    void portsAndMacAddressesAreEachNodesOwn() {
        assertEquals(
                List.of(),
                Tracing.disagreements(
                        List.of(trace("n1", 3, 5).build(), trace("n2", 3, 7).build())));
    }

    @Test
    void nodesThatDifferAreNamedWithTheirGenerations() {
        NodeTrace later = trace("n3", 4, 5).setGeneration(6).build();
        assertEquals(
                List.of("n1 and n3: listener 1, pool 2, slot 17, member 3 (generation 5);"
                        + " listener 1, pool 2, slot 17, member 4 (generation 6)"),
                Tracing.disagreements(
                        List.of(trace("n1", 3, 5).build(), trace("n2", 3, 5).build(), later)));
    }

    @Test
    void anotherExitThanReckonedIsADifference() {
        NodeTrace strayed =
                trace("n2", 3, 5).setFound(trace("n2", 3, 7).getFound()).build();
        assertEquals(
                List.of("n2: by its switch listener 1, pool 2, slot 17, member 3, out of port 7 to 02:00:00:00:00:07;"
                        + " by its table of generation 5 listener 1, pool 2, slot 17, member 3, out of port 5 to"
                        + " 02:00:00:00:00:05"),
                Tracing.disagreements(List.of(trace("n1", 3, 5).build(), strayed)));
    }

    @Test
    void slotsOverAllEnabledMembersAreOthersThanThePoolsOwn() {
        NodeTrace open = trace("n1", 3, 5)
                .setFound(trace("n1", 3, 5).getFound().toBuilder().setFailOpen(true))
                .build();
        assertEquals(1, Tracing.disagreements(List.of(open)).size());
    }

    @Test
    void whoWasNotAskedIsNotCompared() {
        assertEquals(
                List.of(),
                Tracing.disagreements(List.of(
                        trace("n1", 3, 5).build(),
                        trace("n2", 4, 5).clearFound().build(),
                        NodeTrace.newBuilder()
                                .setNode("n3")
                                .setTrouble("no answer in time")
                                .build())));
    }
}
