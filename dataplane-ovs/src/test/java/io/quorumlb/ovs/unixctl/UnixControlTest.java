package io.quorumlb.ovs.unixctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnixControlTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @Test
    void callsTheDaemonAndReportsItsRefusals() throws UnixControlException {
        try (var ovs = new PrivateSwitch(directory);
                var control = UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), LIMIT)) {
            assertTrue(control.call("version").contains("Open vSwitch"));
            assertEquals("", control.call("revalidator/wait"));
            ovs.ofctl("add-flow", "table=0,in_port=1,actions=output:2");
            assertTrue(control.call("ofproto/trace", "br0", "in_port=1,tcp,tcp_dst=80")
                    .contains("output:2"));
            var refused = assertThrows(UnixControlException.class, () -> control.call("no/such"));
            assertTrue(refused.getMessage().contains("no/such"), refused.getMessage());
            assertTrue(control.isOpen(), "a refusal does not cost the connection");
            assertTrue(control.call("version").contains("Open vSwitch"));
            ovs.kill();
            assertThrows(UnixControlException.class, () -> control.call("version"));
            assertThrows(UnixControlException.class, () -> control.call("version"));
        }
    }

    @Test
    void manyCallsUnderWayGetEachItsOwnAnswer() throws UnixControlException {
        try (var ovs = new PrivateSwitch(directory);
                var control = UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), LIMIT)) {
            IntStream.rangeClosed(1, 50)
                    .forEach(port ->
                            ovs.ofctl("add-flow", "table=0,in_port=%d,actions=output:%d".formatted(port, port + 1)));
            List<UnixControl.PendingCall> calls = new ArrayList<>();
            for (int port = 1; port <= 50; port++) {
                calls.add(control.begin("ofproto/trace", "br0", "in_port=%d,tcp".formatted(port)));
            }
            var refused = control.begin("no/such");
            for (int port = 1; port <= 50; port++) {
                String trace = calls.get(port - 1).result();
                assertTrue(trace.contains("output:" + (port + 1) + "\n"), trace);
            }
            assertThrows(UnixControlException.class, refused::result);
            assertTrue(control.isOpen());
        }
    }

    @Test
    void aDaemonThatDoesNotRunIsNamed() {
        var absent = assertThrows(UnixControlException.class, () -> ControlSocket.of(directory, "ovs-vswitchd"));
        assertTrue(absent.getMessage().contains("is ovs-vswitchd running?"), absent.getMessage());
    }
}
