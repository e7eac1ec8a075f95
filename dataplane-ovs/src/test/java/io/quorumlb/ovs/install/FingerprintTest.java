package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real Open vSwitch's hashes give: by traces and by real packets. */
class FingerprintTest {
    private static final CookieOwner OURS = new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK);
    private static final MacAddress ROUTER = MacAddress.parse("02:00:00:00:aa:01");
    private static final MacAddress OWN = MacAddress.parse("02:00:00:00:0a:01");
    private static final MacAddress OTHER = MacAddress.parse("02:00:00:00:0a:02");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static PrivateSwitch ovs;

    @BeforeAll
    static void start() {
        ovs = new PrivateSwitch(directory);
    }

    @AfterAll
    static void stop() {
        if (ovs != null) {
            ovs.close();
        }
    }

    @BeforeEach
    void empty() {
        ovs.ofctl("del-flows");
        ovs.ofctl("del-groups");
    }

    private static OvsDatapath open() {
        return new OvsDatapath(new OvsBridge(directory, PrivateSwitch.BRIDGE), OURS);
    }

    private static FlowDelta delta(OvsDatapath datapath) throws DatapathException {
        var held = datapath.readBack();
        return FlowDelta.between(held.ownFlows(), SlotFunctions.fingerprint()).withGroups(held.groups(), wanted());
    }

    private static SortedMap<Integer, Group> wanted() {
        SortedMap<Integer, Group> wanted = new TreeMap<>();
        wanted.put(SlotFunctions.FINGERPRINT_GROUP, SlotFunctions.fingerprintGroup());
        return wanted;
    }

    @Test
    void theHashesAreThoseOfTheFormulasWhateverTheMacAddresses() throws DatapathException {
        try (var datapath = open()) {
            datapath.install(delta(datapath));
            Fingerprint one = datapath.fingerprint(ROUTER, OWN);
            Fingerprint other = datapath.fingerprint(OWN, OTHER);
            assertEquals("", one.trouble());
            assertEquals(Fingerprint.predicted(), one);
            assertEquals(one, other);
        }
    }

    @Test
    void withoutTheGroupThereIsNoSlotByTheDatapathsHash() throws DatapathException {
        try (var datapath = open()) {
            Fingerprint found = datapath.fingerprint(ROUTER, OWN);
            assertEquals(Fingerprint.predicted().of(SlotFunction.MULTIPATH), found.of(SlotFunction.MULTIPATH));
            assertEquals(Optional.empty(), found.of(SlotFunction.DP_HASH));
            assertTrue(found.trouble().contains("no slot by the datapath's hash"), found.trouble());
        }
    }

    @Test
    void anotherSaltInTheGroupIsAnotherFingerprint() throws DatapathException {
        try (var datapath = open()) {
            datapath.install(delta(datapath));
            ovs.ofctl(
                    "mod-group",
                    SlotFunctions.fingerprintGroup().toString().replace("param=4294967297", "param=4294967298"));
            Digest before = Fingerprint.predicted().of(SlotFunction.DP_HASH).orElseThrow();
            assertNotEquals(
                    Optional.of(before), datapath.fingerprint(ROUTER, OWN).of(SlotFunction.DP_HASH));
        }
    }

    @Test
    void groupsAreReadBackComparedRepairedAndDeleted() throws DatapathException {
        try (var datapath = open()) {
            datapath.install(delta(datapath));
            assertTrue(delta(datapath).isEmpty(), () -> "what is installed is read back");
            ovs.ofctl("del-groups", "group_id=" + SlotFunctions.FINGERPRINT_GROUP);
            assertEquals(1, delta(datapath).putGroups().size());
            datapath.install(delta(datapath));
            ovs.ofctl(
                    "mod-group",
                    "group_id=" + SlotFunctions.FINGERPRINT_GROUP
                            + ",type=all,bucket=actions=drop,bucket=actions=output:1");
            assertEquals(1, delta(datapath).putGroups().size());
            datapath.install(delta(datapath));
            assertTrue(delta(datapath).isEmpty());
            ovs.ofctl("add-group", "group_id=7,type=all,bucket=actions=output:1");
            assertTrue(delta(datapath).isEmpty(), "groups of others are none of ours");
            List<Flow> none = List.of();
            var held = datapath.readBack();
            datapath.install(FlowDelta.between(held.ownFlows(), none).withGroups(held.groups(), new TreeMap<>()));
            assertTrue(datapath.readBack().groups().isEmpty());
            assertFalse(ovs.ofctl("dump-groups").contains("dp_hash"));
            assertTrue(ovs.ofctl("dump-groups").contains("group_id=7"));
        }
    }
}
