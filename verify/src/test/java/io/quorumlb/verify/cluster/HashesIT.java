package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.Corpus;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import io.quorumlb.verify.contract.ContainerSwitch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** This machine's Open vSwitch beside the newer one of the site's image: do they give packets the same slots? */
@Tag("cluster")
class HashesIT {
    private static final int TUPLES = 10_000;
    private static final int TUPLES_BY_MAC = 300;
    private static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");
    private static final MacAddress ONE = MacAddress.parse("02:00:00:00:0a:01");
    private static final MacAddress OTHER = MacAddress.parse("02:00:00:00:0a:02");
    private static final Pattern SLOT = Pattern.compile("NXM_NX_REG1\\[\\] is now (0x[0-9a-f]+|0)");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path here;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path there;

    @Test
    void tenThousandPacketsGetTheSameSlotsFromBothWhateverTheirMacAddresses() throws Exception {
        try (var _ = new PrivateSwitch(here);
                var newer = new ContainerSwitch(there)) {
            Fingerprint older = fingerprint(here, ONE);
            Fingerprint younger = fingerprint(there, OTHER);
            assertEquals("", older.trouble());
            assertEquals("", younger.trouble(), newer.version());
            assertEquals(older, younger, "this machine's beside " + newer.version());
            assertEquals(Fingerprint.predicted(TUPLES), younger, "the formulas");
            assertEquals(
                    byMacAddresses(here, ONE, "symmetric_l3l4+udp"),
                    byMacAddresses(there, OTHER, "symmetric_l3l4+udp"));
            // The comparison can fail: this hash takes the MAC addresses in.
            assertNotEquals(byMacAddresses(here, ONE, "symmetric_l4"), byMacAddresses(there, OTHER, "symmetric_l4"));
        }
    }

    private static Fingerprint fingerprint(Path directory, MacAddress own) throws DatapathException {
        var bridge = new OvsBridge(directory, "br0", Duration.ofSeconds(60), Duration.ofSeconds(30));
        try (var datapath = new OvsDatapath(bridge, new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK))) {
            var held = datapath.readBack();
            SortedMap<Integer, Group> groups = new TreeMap<>();
            groups.put(SlotFunctions.FINGERPRINT_GROUP, SlotFunctions.fingerprintGroup());
            datapath.install(FlowDelta.between(held.ownFlows(), SlotFunctions.fingerprint())
                    .withGroups(held.groups(), groups));
            return datapath.fingerprint(ROUTER, own, TUPLES);
        }
    }

    private static Digest byMacAddresses(Path directory, MacAddress own, String fields) throws UnixControlException {
        List<Integer> slots = new ArrayList<>();
        try (var control = UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), Duration.ofSeconds(20))) {
            for (Tuple tuple : Corpus.tuples(TUPLES_BY_MAC)) {
                if (tuple.source().family() == IpFamily.IPV4 && tuple.protocol() == Tuple.TCP) {
                    String flow = "in_port=CONTROLLER,tcp,dl_src=%s,dl_dst=%s,nw_src=%s,nw_dst=%s,tcp_src=%d,tcp_dst=%d"
                            .formatted(
                                    ROUTER,
                                    own,
                                    tuple.source(),
                                    tuple.destination(),
                                    tuple.sourcePort(),
                                    tuple.destinationPort());
                    Matcher slot = SLOT.matcher(control.call(
                            "ofproto/trace-packet-out",
                            "br0",
                            flow,
                            "multipath(%s,1,modulo_n,1024,0,NXM_NX_REG1[])".formatted(fields)));
                    assertEquals(true, slot.find());
                    slots.add(Integer.decode(slot.group(1)));
                }
            }
        }
        return Fingerprint.digest(slots);
    }
}
