package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.TextFormat;
import io.grpc.Status;
import io.quorumlb.proto.v1.HealthMonitor;
import io.quorumlb.proto.v1.ListHealthMonitorsRequest;
import io.quorumlb.proto.v1.ListHealthMonitorsResponse;
import io.quorumlb.proto.v1.PoolMonitor;
import io.quorumlb.proto.v1.SetHealthMonitorRequest;
import io.quorumlb.proto.v1.SetHealthMonitorResponse;
import io.quorumlb.proto.v1.WriteOptions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Health monitors: listed, shown, changed. */
class MonitorCommandsTest {
    private static final String HTTP = """
            type: MONITOR_TYPE_HTTP path: "/health" interval_millis: 1000 timeout_millis: 500 rise: 2 fall: 3
            fast_interval_millis: 200""";
    private static final String UDP = """
            type: MONITOR_TYPE_UDP payload: "ping" expect: "pong" interval_millis: 1000 timeout_millis: 500 rise: 2
            fall: 3 fast_interval_millis: 200""";
    private static final String QUIET = UDP.replace("expect: \"pong\"", "silence_up: true");

    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private static HealthMonitor monitor(String text) {
        try {
            return TextFormat.parse(text, HealthMonitor.class);
        } catch (TextFormat.ParseException e) {
            throw new AssertionError(text, e);
        }
    }

    private static ListHealthMonitorsResponse page(String next, String pool, String monitor) {
        return ListHealthMonitorsResponse.newBuilder()
                .setRevision(17)
                .setNextPageToken(next)
                .addMonitors(PoolMonitor.newBuilder()
                        .setPool(pool)
                        .setPoolId(3)
                        .setMonitor(monitor(monitor))
                        .setRevision(9))
                .build();
    }

    @Test
    void theListFollowsItsPages() {
        node.answers("ListHealthMonitors", page("t1", "a", HTTP)).answers("ListHealthMonitors", page("", "b", UDP));
        Ran.at(node, "monitor list -o wide -l site=a").endsWith(ExitCode.YES).writes("""
                POOL  TYPE  ASKS                   INTERVAL  TIMEOUT   FAST  RISE  FALL  LABELS  REVISION  ID
                a     http  /health                      1s    500ms  200ms     2     3  -              9   3
                b     udp   "ping" expects "pong"        1s    500ms  200ms     2     3  -              9   3
                """);
        assertEquals(
                List.of("", "t1"),
                node.requests().stream()
                        .map(request -> ((ListHealthMonitorsRequest) request).getPageToken())
                        .toList());
    }

    @Test
    void oneIsShownWithAllItsFields() {
        node.answers("ListHealthMonitors", page("", "web", UDP));
        Ran ran = Ran.at(node, "monitor show web").endsWith(ExitCode.YES);
        assertTrue(ran.out().contains("monitor.expect                hex 706f6e67\n"), ran.out());
        assertEquals(ListHealthMonitorsRequest.newBuilder().setName("web").build(), node.onlyRequest());
    }

    @Test
    void thePoolThatDoesNotExistIsSaid() {
        node.fails("ListHealthMonitors", Status.NOT_FOUND.withDescription("pool 'wbe' does not exist"));
        Ran.at(node, "monitor show wbe").endsWith(ExitCode.NO).says("pool 'wbe' does not exist");
    }

    static Stream<Arguments> changes() {
        return Stream.of(
                Arguments.of("--interval 2s --fall 5", HTTP, "interval_millis: 2000 fall: 5", List.of()),
                Arguments.of(
                        "--path /up --probe-timeout 300ms --rise 1 --probe-fast-interval 50ms --probe-port 9000",
                        HTTP,
                        "path: '/up' timeout_millis: 300 rise: 1 fast_interval_millis: 50 port: 9000",
                        List.of()),
                Arguments.of("--monitor tcp", HTTP, "type: MONITOR_TYPE_TCP", List.of("path")),
                Arguments.of(
                        "--monitor udp --payload hi --expect-hex 00ff",
                        HTTP,
                        "type: MONITOR_TYPE_UDP payload: 'hi' expect: '\\000\\377'",
                        List.of("path")),
                Arguments.of("--expect=", UDP, "", List.of("expect")),
                Arguments.of("--payload-hex 00", UDP, "payload: '\\000'", List.of()),
                Arguments.of("--expect= --silence-up", UDP, "silence_up: true", List.of("expect")),
                Arguments.of("--rise 5", QUIET, "rise: 5", List.of()),
                Arguments.of("--silence-down", QUIET, "", List.of("silence_up")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("changes")
    void whatIsNotNamedStays(String options, String present, String change, List<String> gone) {
        var wanted = monitor(present).toBuilder().mergeFrom(monitor(change));
        gone.forEach(field -> wanted.clearField(HealthMonitor.getDescriptor().findFieldByName(field)));
        node.answers("ListHealthMonitors", page("", "web", present));
        node.answers(
                "SetHealthMonitor",
                SetHealthMonitorResponse.newBuilder().setRevision(18).build());
        Ran.at(node, "monitor set web " + options)
                .endsWith(ExitCode.YES)
                .writes("monitor of pool web set, revision 18\n");
        assertEquals(
                SetHealthMonitorRequest.newBuilder()
                        .setPool("web")
                        .setMonitor(wanted)
                        .setOptions(WriteOptions.newBuilder().setExpectedObjectRevision(9))
                        .build(),
                node.requests().getLast());
    }

    @Test
    void whatIsSoAlreadyIsSaid() {
        node.answers("ListHealthMonitors", page("", "web", HTTP));
        node.answers(
                "SetHealthMonitor",
                SetHealthMonitorResponse.newBuilder().setRevision(17).build());
        Ran.at(node, "monitor set web --monitor http --rise 2")
                .endsWith(ExitCode.YES)
                .writes("nothing to change, revision 17\n");
    }

    @Test
    void whoeverWasQuickerIsNotOverwritten() {
        node.answers("ListHealthMonitors", page("", "web", HTTP))
                .fails(
                        "SetHealthMonitor",
                        Status.ABORTED.withDescription("pools[web] was last changed by revision 10"));
        Ran.at(node, "monitor set web --rise 4")
                .endsWith(ExitCode.NO)
                .says("pools[web] was last changed by revision 10")
                .writes("");
    }
}
