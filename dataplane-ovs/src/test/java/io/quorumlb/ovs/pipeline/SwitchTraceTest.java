package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.SlotFormula;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site's flows in a real Open vSwitch: what it holds, and where it would send packets. */
class SwitchTraceTest {
    private static final CookieOwner OURS = new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK);
    private static final Pattern SLOT = Pattern.compile("(?m)^11\\. reg0=0x1,reg1=(0x[0-9a-f]+|0),");
    private static final Pattern MEMBER = Pattern.compile("(?m)^21\\. reg2=(0x[0-9a-f]+),");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private static Path directory;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static PrivateSwitch ovs;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static UnixControl control;

    private record Client(Ipv4Address client, int port) {
        int formula() {
            return SlotFormula.slot(
                    SlotFunction.MULTIPATH,
                    HashFields.FIVE_TUPLE,
                    new Tuple(client, SiteIntent.VIP, Tuple.TCP, port, 80),
                    SiteIntent.POOL,
                    SiteIntent.SLOTS);
        }
    }

    @BeforeAll
    static void start() throws UnixControlException {
        ovs = new PrivateSwitch(directory);
        for (int port = 3; port <= 6; port++) {
            ovs.vsctl(
                    "add-port",
                    PrivateSwitch.BRIDGE,
                    "p" + port,
                    "--",
                    "set",
                    "interface",
                    "p" + port,
                    "type=dummy",
                    "ofport_request=" + port);
        }
        control = UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), Duration.ofSeconds(10));
    }

    @AfterAll
    static void stop() {
        if (control != null) {
            control.close();
        }
        if (ovs != null) {
            ovs.close();
        }
    }

    @BeforeEach
    void empty() {
        ovs.ofctl("del-flows");
    }

    private static void install(SwitchIntent intent) throws DatapathException {
        try (var datapath = new OvsDatapath(new OvsBridge(directory, PrivateSwitch.BRIDGE), OURS)) {
            var desired = Pipeline.flows(intent);
            datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), desired));
            assertEquals(SiteIntent.byKey(desired), datapath.readBack().ownFlows(), "what is installed is read back");
        }
    }

    private static List<Client> tuples(int count) {
        var random = new Random(4_711);
        List<Client> tuples = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            tuples.add(
                    new Client(new Ipv4Address(0x0a32_0000 | random.nextInt(1 << 16)), 1024 + random.nextInt(64_512)));
        }
        return tuples;
    }

    private static String trace(String packet) throws UnixControlException {
        return control.call("ofproto/trace", PrivateSwitch.BRIDGE, packet);
    }

    private static String request(Client tuple, String source, MacAddress destination) throws UnixControlException {
        return trace("in_port=%d,tcp,dl_src=%s,dl_dst=%s,nw_src=%s,nw_dst=%s,nw_ttl=64,tcp_src=%d,tcp_dst=80"
                .formatted(SiteIntent.UPLINK, source, destination, tuple.client(), SiteIntent.VIP, tuple.port()));
    }

    private static int number(Pattern pattern, String trace) {
        Matcher matcher = pattern.matcher(trace);
        assertTrue(matcher.find(), () -> "no " + pattern + " in\n" + trace);
        return Integer.decode(matcher.group(1));
    }

    @Test
    void theSlotIsThatOfTheFormulaAndTheSameOnEveryNode() throws DatapathException, UnixControlException {
        SlotTable table = SiteIntent.table(1, 1, 1, 1);
        for (int node = 1; node <= 3; node++) {
            install(SiteIntent.allUp(node));
            MacAddress own = SiteIntent.ownMac(node, 10);
            String router = "02:00:00:00:aa:0" + node;
            for (Client tuple : tuples(200)) {
                String trace = request(tuple, router, own);
                int slot = number(SLOT, trace);
                assertEquals(tuple.formula(), slot, () -> tuple + "\n" + trace);
                assertEquals(table.owner(slot), number(MEMBER, trace), () -> tuple + "\n" + trace);
            }
        }
    }

    /** Shows that the test above can fail: this hash takes the MAC addresses in. */
    @Test
    void symmetricL4GivesOtherSlotsToOtherNodes() throws DatapathException, UnixControlException {
        int differ = 0;
        for (int node = 1; node <= 2; node++) {
            install(SiteIntent.allUp(node));
            ovs.ofctl(
                    "add-flow",
                    "table=10,priority=200,reg3=1,"
                            + "actions=multipath(symmetric_l4,1,modulo_n,1024,0,NXM_NX_REG1[]),goto_table:11");
            for (Client tuple : tuples(100)) {
                int slot = number(SLOT, request(tuple, "02:00:00:00:aa:0" + node, SiteIntent.ownMac(node, 10)));
                differ += slot == tuple.formula() ? 0 : 1;
            }
        }
        assertTrue(differ > 150, "different slots: " + differ + " of 200");
    }

    @Test
    void aRequestLeavesToItsMemberAndTheReplyToTheRouter() throws DatapathException, UnixControlException {
        install(SiteIntent.allUp(1));
        Client tuple = tuples(1).getFirst();
        String request = request(tuple, "02:00:00:00:aa:01", SiteIntent.ownMac(1, 10));
        int member = number(MEMBER, request);
        int out = member % 2 == 1 ? SiteIntent.P2 : SiteIntent.P3;
        assertTrue(request.contains("set_field:" + SiteIntent.key(member).address() + "->ip_dst"), request);
        assertTrue(request.contains("output:" + out), request);
        String reply = trace(
                "in_port=%d,tcp,dl_src=02:00:00:00:be:01,dl_dst=%s,nw_src=10.20.0.2,nw_dst=%s,nw_ttl=64,tcp_src=8080,tcp_dst=%d"
                        .formatted(SiteIntent.P2, SiteIntent.ownMac(1, 20), tuple.client(), tuple.port()));
        assertTrue(reply.contains("set_field:" + SiteIntent.VIP + "->ip_src"), reply);
        assertTrue(reply.contains("set_field:" + SiteIntent.ROUTER + "->eth_dst"), reply);
        assertTrue(reply.contains("output:" + SiteIntent.UPLINK), reply);
    }

    @Test
    void floodedFramesFragmentsAndUnknownPortsAreDropped() throws DatapathException, UnixControlException {
        install(SiteIntent.allUp(1));
        Client tuple = tuples(1).getFirst();
        String flooded = request(tuple, "02:00:00:00:aa:01", SiteIntent.ownMac(2, 10));
        assertTrue(flooded.contains("Datapath actions: drop"), flooded);
        String base =
                "in_port=1,tcp,dl_src=02:00:00:00:aa:01,dl_dst=%s,nw_src=10.50.0.1,nw_dst=%s,nw_ttl=%d,tcp_src=4000,";
        String own = SiteIntent.ownMac(1, 10).toString();
        String fragment = trace(base.formatted(own, SiteIntent.VIP, 64) + "tcp_dst=80,nw_frag=first");
        assertTrue(fragment.contains("priority 930") && fragment.contains("Datapath actions: drop"), fragment);
        String unknown = trace(base.formatted(own, SiteIntent.VIP, 64) + "tcp_dst=81");
        assertTrue(unknown.contains("Datapath actions: drop"), unknown);
        String expired = trace(base.formatted(own, SiteIntent.VIP, 1) + "tcp_dst=80");
        assertTrue(expired.contains("Datapath actions: drop"), expired);
    }

    @Test
    void arpForVipAndGatewayIsAnsweredAndForOthersIsNot() throws DatapathException, UnixControlException {
        install(SiteIntent.allUp(1));
        String request = "in_port=%d,arp,dl_src=02:00:00:00:aa:01,dl_dst=ff:ff:ff:ff:ff:ff,arp_op=1,arp_spa=10.0.0.9,"
                + "arp_sha=02:00:00:00:aa:01,arp_tha=00:00:00:00:00:00,arp_tpa=%s";
        String vip = trace(request.formatted(SiteIntent.UPLINK, SiteIntent.VIP));
        assertTrue(vip.contains("IN_PORT") && vip.contains("set_field:2->arp_op"), vip);
        assertTrue(vip.contains("set_field:" + SiteIntent.ownMac(1, 10) + "->arp_sha"), vip);
        assertTrue(trace(request.formatted(SiteIntent.P2, "10.20.0.251")).contains("IN_PORT"), "its own gateway");
        assertTrue(
                trace(request.formatted(SiteIntent.P2, "10.20.0.252")).contains("Datapath actions: drop"),
                "another node's gateway");
        assertTrue(trace(request.formatted(SiteIntent.P2, "10.20.0.11")).contains("IN_PORT"), "its own address");
    }
}
