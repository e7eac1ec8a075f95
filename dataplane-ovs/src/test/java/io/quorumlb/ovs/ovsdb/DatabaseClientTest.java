package io.quorumlb.ovs.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The client against the database of a real Open vSwitch. */
class DatabaseClientTest {
    private static final Duration SILENCE = Duration.ofSeconds(4);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final LinkedBlockingQueue<SwitchDatabase> said = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> failed = new LinkedBlockingQueue<>();

    private DatabaseClient open(String bridge) {
        return DatabaseClient.open(
                directory.resolve("db.sock"), bridge, SILENCE, new DatabaseWatcher(said::add, failed::add));
    }

    private SwitchDatabase await(String what, Predicate<SwitchDatabase> wanted) throws InterruptedException {
        Optional<SwitchDatabase> last = Optional.empty();
        for (int i = 0; i < 50; i++) {
            SwitchDatabase next = said.poll(10, TimeUnit.SECONDS);
            if (next == null) {
                break;
            }
            if (wanted.test(next)) {
                return next;
            }
            last = Optional.of(next);
        }
        return fail(what + ", last " + last + ", failures " + failed);
    }

    @Test
    void saysHowTheBridgeIsConfiguredAndWhenThatChanges() throws InterruptedException {
        try (var ovs = new PrivateSwitch(directory);
                var _ = open(PrivateSwitch.BRIDGE)) {
            // As ovs-ctl does after it has started the switch.
            ovs.vsctl("--no-wait", "set", "Open_vSwitch", ".", "ovs_version=3.1.0");
            SwitchDatabase first = await(
                    "ports and version",
                    database ->
                            database.ports().size() == 3 && database.version().equals("3.1.0"));
            SwitchDatabase.Bridge bridge = first.bridge().orElseThrow();
            assertEquals("secure", bridge.failMode());
            assertEquals("dummy", bridge.datapathType());
            assertEquals(List.of(), bridge.controllers());
            assertEquals(List.of("br0", "p1", "p2"), List.copyOf(first.ports().keySet()));

            ovs.vsctl("set-controller", PrivateSwitch.BRIDGE, "tcp:127.0.0.1:1", "tcp:127.0.0.1:2");
            await(
                    "two controllers",
                    database -> database.bridge()
                            .orElseThrow()
                            .controllers()
                            .equals(List.of("tcp:127.0.0.1:1", "tcp:127.0.0.1:2")));
            ovs.vsctl("del-controller", PrivateSwitch.BRIDGE);
            await(
                    "none",
                    database -> database.bridge().orElseThrow().controllers().isEmpty());
            assertEquals(Set.of(), bridge.protocols());
            ovs.vsctl(
                    "set",
                    "bridge",
                    PrivateSwitch.BRIDGE,
                    "protocols=OpenFlow14,OpenFlow15",
                    "other_config:disable-in-band=true");
            await(
                    "protocols and a setting of the bridge",
                    database -> database.bridge().orElseThrow().protocols().equals(Set.of("OpenFlow14", "OpenFlow15"))
                            && database.bridge()
                                    .orElseThrow()
                                    .settings()
                                    .getOrDefault("disable-in-band", "")
                                    .equals("true"));
            ovs.vsctl("clear", "bridge", PrivateSwitch.BRIDGE, "fail_mode");
            await(
                    "no mode",
                    database -> database.bridge().orElseThrow().failMode().isEmpty());
            ovs.vsctl("set", "Open_vSwitch", ".", "other_config:flow-limit=1000");
            await("a setting", database -> database.settings().containsKey("flow-limit"));
            ovs.vsctl("add-port", PrivateSwitch.BRIDGE, "p9", "--", "set", "interface", "p9", "type=nonsense");
            await(
                    "a failed port",
                    database -> database.ports().containsKey("p9")
                            && !database.ports().get("p9").error().isEmpty());
            ovs.vsctl("del-br", PrivateSwitch.BRIDGE);
            await(
                    "no bridge",
                    database -> database.bridge().isEmpty() && database.ports().isEmpty());
            assertEquals(List.of(), List.copyOf(failed));
        }
    }

    @Test
    void saysThatThereIsNoDatabaseAndFindsItWhenItComes() throws InterruptedException {
        try (var _ = open("br1")) {
            String reason = failed.poll(5, TimeUnit.SECONDS);
            assertTrue(reason != null && reason.contains("db.sock: cannot connect"), () -> "" + reason);
            try (var _ = new PrivateSwitch(directory)) {
                SwitchDatabase found = await("an answer", _ -> true);
                assertEquals(Optional.empty(), found.bridge());
                failed.clear();
            }
            String gone = failed.poll(5, TimeUnit.SECONDS);
            assertTrue(gone != null && gone.contains("closed the connection"), () -> "" + gone);
        }
    }
}
