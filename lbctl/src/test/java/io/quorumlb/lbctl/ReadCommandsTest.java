package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GetPoolSlotsRequest;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracedPacket;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class ReadCommandsTest {
    private static final String TRACE = "trace tcp 10.40.0.9:12345 10.99.0.10:80";

    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of("cluster status", "GetClusterStatus", Samples.converged(), ExitCode.YES, "converged.txt"),
                Arguments.of(
                        "cluster status", "GetClusterStatus", Samples.troubled(), ExitCode.UNKNOWN, "troubled.txt"),
                Arguments.of("pool list", "ListPools", Samples.pools(), ExitCode.YES, "pools.txt"),
                Arguments.of("pool slots web", "GetPoolSlots", Samples.slots(), ExitCode.YES, "slots.txt"),
                Arguments.of("pool slots odd", "GetPoolSlots", Samples.oddSlots(), ExitCode.YES, "odd-slots.txt"),
                Arguments.of("member list", "ListMembers", Samples.members(), ExitCode.YES, "members.txt"),
                Arguments.of("monitor list", "ListHealthMonitors", Samples.monitors(), ExitCode.YES, "monitors.txt"),
                Arguments.of("segment list", "ListSegments", Samples.segments(), ExitCode.YES, "segments.txt"),
                Arguments.of("lb list", "ListLoadBalancers", Samples.loadBalancers(), ExitCode.YES, "lbs.txt"),
                Arguments.of("neigh list", "ListNeighbours", Samples.neighbours(), ExitCode.YES, "neighbours.txt"),
                Arguments.of("listener list", "ListListeners", Samples.listeners(), ExitCode.YES, "listeners.txt"),
                Arguments.of("listener stats", "GetCounters", Samples.counters(), ExitCode.NO, "listener-stats.txt"),
                Arguments.of("member stats", "GetCounters", Samples.counters(), ExitCode.NO, "member-stats.txt"),
                Arguments.of("node drops", "GetCounters", Samples.counters(), ExitCode.NO, "drops.txt"),
                Arguments.of("audit", "ListAuditRecords", AuditSamples.records(), ExitCode.NO, "audit.txt"),
                Arguments.of(TRACE, "TracePacket", Samples.traced(), ExitCode.YES, "traced.txt"),
                Arguments.of(TRACE, "TracePacket", Samples.disagreeing(), ExitCode.NO, "disagreeing.txt"),
                Arguments.of(TRACE, "TracePacket", Samples.halfTraced(), ExitCode.UNKNOWN, "half-traced.txt"),
                Arguments.of("doctor", "Diagnose", Samples.ill(), ExitCode.NO, "ill.txt"),
                Arguments.of("doctor", "Diagnose", Samples.healthy(), ExitCode.YES, "healthy.txt"),
                Arguments.of("doctor", "Diagnose", Samples.halfExamined(), ExitCode.UNKNOWN, "half-examined.txt"));
    }

    @ParameterizedTest(name = "{0}: {4}")
    @MethodSource("tables")
    void peopleSeeATable(String line, String method, Message response, ExitCode code, String golden) {
        node.answers(method, response);
        Ran ran = Ran.at(node, line).endsWith(code).writesGolden(golden);
        assertEquals("", ran.err());
    }

    @ParameterizedTest(name = "-o json {0}: {4}")
    @MethodSource("tables")
    void programsSeeTheProto3JsonOfTheResponse(
            String line, String method, Message response, ExitCode code, String ignoredGolden) throws Exception {
        node.answers(method, response);
        Ran ran = Ran.at(node, "-o json " + line).endsWith(code);
        assertEquals(
                JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(response) + System.lineSeparator(),
                ran.out());
        Message.Builder parsed = response.newBuilderForType();
        JsonFormat.parser().merge(ran.out(), parsed);
        assertEquals(response, parsed.build());
        assertEquals("", ran.err());
    }

    @ParameterizedTest(name = "-o yaml {0}: {4}")
    @MethodSource("tables")
    void yamlIsTheSameTreeAsJson(String line, String method, Message response, ExitCode code, String ignoredGolden)
            throws Exception {
        node.answers(method, response);
        String yaml = Ran.at(node, "-o yaml " + line).endsWith(code).out();
        String json = JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(response);
        assertEquals(
                new Load(LoadSettings.builder().build()).loadFromString(json),
                new Load(LoadSettings.builder().build()).loadFromString(yaml));
        assertFalse(yaml.startsWith("{"), yaml);
    }

    @Test
    void statusIsNoWhenAMajorityIsKnownAndNotConverged() {
        var status = Samples.converged().toBuilder().setConverged(false);
        status.getNodesBuilder(2).setReachable(false);
        node.answers("GetClusterStatus", status.build());
        Ran.at(node, "cluster status").endsWith(ExitCode.NO);
    }

    @Test
    void statusIsUnknownWithoutAMajority() {
        node.answers("GetClusterStatus", Samples.minority());
        Ran.at(node, "cluster status").endsWith(ExitCode.UNKNOWN);
    }

    @Test
    void statusOfNoNodesIsUnknown() {
        node.answers("GetClusterStatus", GetClusterStatusResponse.getDefaultInstance());
        Ran.at(node, "cluster status").endsWith(ExitCode.UNKNOWN);
    }

    @ParameterizedTest
    @CsvSource({
        "tcp 10.40.0.9:12345 10.99.0.10:80, 6, 10.40.0.9, 12345, 10.99.0.10, 80",
        "UDP [fd00:40::10]:1 [fd00:99::10]:65535, 17, fd00:40::10, 1, fd00:99::10, 65535",
        "17 10.40.0.9:53 10.99.0.11:53, 17, 10.40.0.9, 53, 10.99.0.11, 53",
        "47 10.40.0.9 10.99.0.12, 47, 10.40.0.9, 0, 10.99.0.12, 0",
        "255 fd00:40::10 [fd00:99::12], 255, fd00:40::10, 0, fd00:99::12, 0"
    })
    void thePacketGoesIntoTheRequest(
            String packet, int protocol, String source, int sourcePort, String destination, int destinationPort) {
        node.answers("TracePacket", Samples.traced());
        Ran.at(node, "trace " + packet).endsWith(ExitCode.YES);
        assertEquals(
                TracePacketRequest.newBuilder()
                        .setPacket(TracedPacket.newBuilder()
                                .setProtocol(protocol)
                                .setSourceAddress(source)
                                .setSourcePort(sourcePort)
                                .setDestinationAddress(destination)
                                .setDestinationPort(destinationPort))
                        .build(),
                node.onlyRequest());
    }

    @Test
    void namesGoIntoTheRequests() {
        node.answers("ListMembers", Samples.members()).answers("GetPoolSlots", Samples.slots());
        Ran.at(node, "member list --pool web").endsWith(ExitCode.YES);
        assertEquals(ListMembersRequest.newBuilder().setPool("web").build(), node.onlyRequest());
        Ran.at(node, "pool slots web").endsWith(ExitCode.YES);
        assertEquals(
                GetPoolSlotsRequest.newBuilder().setPool("web").build(),
                node.requests().getLast());
    }

    @Test
    void slotsThatContradictTheirDigestAreNo() {
        var slots = Samples.slots().toBuilder();
        slots.setOwners(17, slots.getOwners(17) % 4 + 1);
        node.answers("GetPoolSlots", slots.build());
        Ran ran = Ran.at(node, "pool slots web").endsWith(ExitCode.NO);
        assertTrue(ran.out().contains("(recomputed here: DIFFERENT)"), ran.out());
    }

    @Test
    void poolWithoutAGenerationSaysSo() {
        node.answers(
                "GetPoolSlots", GetPoolSlotsResponse.newBuilder().setPoolId(1).build());
        Ran.at(node, "pool slots web").endsWith(ExitCode.YES).writes("pool web has no generation yet\n");
    }

    @Test
    void colourOnlyChangesEscapeSequences() {
        node.answers("GetClusterStatus", Samples.troubled()).answers("GetPoolSlots", Samples.slots());
        for (String line : new String[] {"cluster status", "pool slots web"}) {
            String plain = Ran.at(node, line).out();
            String coloured = Ran.with(
                            Map.of(GlobalOptions.ENDPOINTS_VARIABLE, node.endpoint()), Console.Colour.ON, line)
                    .out();
            assertFalse(plain.contains("\u001b"));
            assertTrue(coloured.contains("\u001b["));
            assertEquals(plain, coloured.replaceAll("\u001b\\[[0-9;]*m", ""));
        }
    }
}
