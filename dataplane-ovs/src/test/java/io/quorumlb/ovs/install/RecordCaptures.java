package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.openflow.SampleFlows;
import io.quorumlb.ovs.ovsdb.DatabaseClient;
import io.quorumlb.ovs.ovsdb.DatabaseWatcher;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import io.quorumlb.ovs.testbed.Wiretap;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Records what this machine's Open vSwitch says into {@code src/test/resources/captures}; run by name when the samples
 * grow.
 */
class RecordCaptures {
    private static final Path CAPTURES = Path.of("src/test/resources/captures");
    private static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");
    private static final MacAddress OWN = MacAddress.parse("02:00:00:00:0a:01");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path real;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path tapped;

    @Test
    void record() throws Exception {
        Files.createDirectories(CAPTURES);
        try (var ovs = new PrivateSwitch(real)) {
            Path pidFile = real.resolve("ovs-vswitchd.pid");
            Files.copy(pidFile, tapped.resolve("ovs-vswitchd.pid"));
            String control = "ovs-vswitchd."
                    + Files.readString(pidFile, StandardCharsets.UTF_8).strip() + ".ctl";
            try (var openFlow = Wiretap.between(tapped.resolve("br0.mgmt"), real.resolve("br0.mgmt"));
                    var unixctl = Wiretap.between(tapped.resolve(control), real.resolve(control));
                    var database = Wiretap.between(tapped.resolve("db.sock"), real.resolve("db.sock"))) {
                talk(ovs);
                watch(ovs);
                Files.write(CAPTURES.resolve("openflow-3.1.hex"), messages(openFlow.answers()));
                Files.write(CAPTURES.resolve("unixctl-3.1.json"), objects(unixctl.answers()));
                Files.write(CAPTURES.resolve("ovsdb-3.1.json"), objects(database.answers()));
            }
        }
    }

    private void talk(PrivateSwitch ovs) throws Exception {
        var owner = new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK);
        try (var datapath = new OvsDatapath(new OvsBridge(tapped, PrivateSwitch.BRIDGE), owner)) {
            SortedMap<Integer, Group> groups = new TreeMap<>();
            groups.put(SlotFunctions.FINGERPRINT_GROUP, SlotFunctions.fingerprintGroup());
            groups.put(SampleFlows.group().id(), SampleFlows.group());
            var flows = new ArrayList<>(SampleFlows.all());
            flows.addAll(SlotFunctions.fingerprint());
            ovs.ofctl("add-group", "group_id=7,type=all,bucket=actions=drop,bucket=actions=output:1");
            ovs.ofctl("add-flow", "table=99,ct_state=+trk,ip,actions=ct(commit),set_queue:1,write_metadata:3");
            datapath.install(FlowDelta.between(new TreeMap<>(), flows).withGroups(new TreeMap<>(), groups));
            var bad = new Flow(new FlowKey(12, 5, Match.of().with(Field.TCP_DST, 80)), Cookie.OWNER, List.of());
            assertThrows(DatapathException.class, () -> datapath.install(new FlowDelta(List.of(bad), List.of())));
            assertEquals("", datapath.fingerprint(ROUTER, OWN, 8).trouble());
            datapath.packetOut(1, new byte[60]);
            ovs.ofctl("add-flow", "table=99,priority=7,tcp,reg0=1,reg1=2,actions=output:1");
            ovs.ofctl("mod-flows", "table=99,tcp,reg0=1,reg1=2,actions=output:2");
            ovs.ofctl("del-flows", "table=99,tcp");
            assertTrue(datapath.readBack().own().size() > 10);
        }
    }

    private void watch(PrivateSwitch ovs) throws Exception {
        var said = new LinkedBlockingQueue<SwitchDatabase>();
        try (var _ = DatabaseClient.open(
                tapped.resolve("db.sock"),
                PrivateSwitch.BRIDGE,
                Duration.ofSeconds(2),
                new DatabaseWatcher(said::add, _ -> {}))) {
            assertTrue(said.poll(10, TimeUnit.SECONDS) != null);
            ovs.vsctl("add-port", PrivateSwitch.BRIDGE, "p3", "--", "set", "interface", "p3", "type=dummy");
            ovs.vsctl("del-port", PrivateSwitch.BRIDGE, "p3");
            ovs.vsctl("set", "open_vswitch", ".", "other_config:a=b");
            while (!said.take().settings().containsKey("a")) {
                // Until the last change has come.
            }
        }
    }

    private static List<String> messages(byte[] stream) {
        List<String> messages = new ArrayList<>();
        var in = ByteBuffer.wrap(stream);
        while (in.remaining() >= 8) {
            byte[] message = new byte[Short.toUnsignedInt(in.getShort(in.position() + 2))];
            in.get(message);
            messages.add(HexFormat.of().formatHex(message));
        }
        return messages;
    }

    /** Cuts a stream of JSON objects where a brace closes what the first one opened. */
    private static List<String> objects(byte[] stream) {
        List<String> objects = new ArrayList<>();
        String text = new String(stream, StandardCharsets.UTF_8);
        int start = 0;
        int depth = 0;
        boolean quoted = false;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quoted) {
                if (c == '\\') {
                    at++;
                } else if (c == '"') {
                    quoted = false;
                }
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{') {
                depth++;
            } else if (c == '}') {
                depth--;
                if (depth == 0) {
                    objects.add(text.substring(start, at + 1).strip());
                    start = at + 1;
                }
            }
        }
        return objects;
    }
}
