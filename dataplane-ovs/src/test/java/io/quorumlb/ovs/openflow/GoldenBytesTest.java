package io.quorumlb.ovs.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.ArpFrame;
import io.quorumlb.ovs.testbed.OvsTools;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes this program sends, and what Open vSwitch reads in them. */
class GoldenBytesTest {
    static Stream<Arguments> requests() {
        return Stream.of(
                request(
                        "OFPT_HELLO (OF1.5) (xid=0x1):\n version bitmap: 0x06",
                        "0600001000000001" + "0001000800000040",
                        out -> RequestEncoder.hello(1, out)),
                request(
                        "OFPT_ECHO_REQUEST (OF1.5) (xid=0x2): 0 bytes of payload",
                        "0602000800000002",
                        out -> RequestEncoder.echoRequest(2, out)),
                request(
                        "OFPT_ECHO_REPLY (OF1.5) (xid=0x7): 2 bytes of payload\n"
                                + "00000000  ab cd                                           |..              |",
                        "0603000a00000007abcd",
                        out -> RequestEncoder.echoReply(new Message.EchoRequest(7, "abcd"), out)),
                request(
                        "OFPT_FEATURES_REQUEST (OF1.5) (xid=0x3):",
                        "0605000800000003",
                        out -> RequestEncoder.featuresRequest(3, out)),
                request(
                        "OFPT_BARRIER_REQUEST (OF1.5) (xid=0x4):",
                        "0614000800000004",
                        out -> RequestEncoder.barrierRequest(4, out)),
                request(
                        "OFPT_PACKET_OUT (OF1.5) (xid=0x9): in_port=CONTROLLER actions=output:3 data_len=60\n"
                                + "arp,vlan_tci=0x0000,dl_src=02:00:0a:14:00:fb,dl_dst=ff:ff:ff:ff:ff:ff,"
                                + "arp_spa=10.20.0.251,arp_tpa=10.20.0.251,arp_op=1,"
                                + "arp_sha=02:00:0a:14:00:fb,arp_tha=00:00:00:00:00:00",
                        "060d006c00000009" + "ffffffff00100000" + "0001000c80000004fffffffd00000000"
                                + "0000001000000003" + "0000000000000000"
                                + "ffffffffffff02000a1400fb0806" + "0001080006040001" + "02000a1400fb0a1400fb"
                                + "0000000000000a1400fb" + "00".repeat(18),
                        out -> RequestEncoder.packetOut(
                                3,
                                ArpFrame.announcement(
                                                MacAddress.parse("02:00:0a:14:00:fb"), Ipv4Address.parse("10.20.0.251"))
                                        .bytes(),
                                9,
                                out)),
                request(
                        "OFPST_PORT_DESC request (OF1.5) (xid=0x5): port=ANY",
                        "0612001800000005" + "000d000000000000" + "ffffffff00000000",
                        out -> RequestEncoder.portsRequest(5, out)),
                request(
                        "OFPST_FLOW request (OF1.5) (xid=0x6): ",
                        "0612003800000006" + "0001000000000000" + "ff000000ffffffffffffffff00000000"
                                + "00000000000000000000000000000000" + "0001000400000000",
                        out -> RequestEncoder.flowsRequest(6, CookieMatch.ANY, out)),
                request(
                        "OFPT_BUNDLE_CONTROL (OF1.5) (xid=0x8):\n bundle_id=0x9 type=COMMIT_REQUEST flags=atomic ordered",
                        "0621001000000008" + "0000000900040003",
                        out -> RequestEncoder.bundleControl(9, BundleStep.COMMIT_REQUEST, 8, out)));
    }

    private static Arguments request(String print, String bytes, Consumer<ByteBuf> encoder) {
        return Arguments.of(print, bytes, encoder);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("requests")
    void requestsAreThoseOfTheSpecification(String print, String bytes, Consumer<ByteBuf> encoder) {
        assertEquals(bytes, hex(encoder));
        OvsTools.require("ovs-ofctl");
        assertEquals(print.strip(), ofpPrint(bytes));
    }

    @Test
    void bundleAddWrapsAFlowModOfTheSameTransaction() {
        String bytes = hex(out -> {
            int start = RequestEncoder.beginBundleAdd(9, 10, out);
            FlowModEncoder.add(SampleFlows.selector(), 10, out);
            Wire.finish(out, start);
        });
        assertEquals(
                // bundle add, bundle 9, atomic and ordered
                "062200a00000000a" + "0000000900000003"
                        // flow-mod, cookie, cookie mask, table 10, add, no timeouts, priority 100
                        + "060e00900000000a" + "5155010000010000" + "0000000000000000" + "0a00000000000064"
                        // no buffer, any port, any group, no flags, no importance
                        + "ffffffffffffffffffffffff00000000"
                        // match: eth_type, ip_proto, ipv4_dst, tcp_dst
                        + "0001001d" + "80000a020800" + "8000140106" + "800018040a63000a" + "80001c020050" + "000000"
                        // apply: set_field reg0, multipath
                        + "0004003800000000" + "00190010000100040000000100000000"
                        + "ffff002000002320000a00030001" + "0000" + "000003ff00000000" + "0000001f00010204"
                        // goto 11
                        + "000100080b000000",
                bytes);
        OvsTools.require("ovs-ofctl");
        assertEquals("""
                OFPT_BUNDLE_ADD_MESSAGE (OF1.5) (xid=0xa):
                 bundle_id=0x9 flags=atomic ordered
                OFPT_FLOW_MOD (OF1.5) (xid=0xa): ADD table:10 priority=100,tcp,nw_dst=10.99.0.10,tp_dst=80 \
                cookie:0x5155010000010000 actions=set_field:0x1->reg0,\
                multipath(symmetric_l3l4+udp,1,modulo_n,1024,0,NXM_NX_REG1[]),goto_table:11""", ofpPrint(bytes));
    }

    @Test
    void deleteIsStrictAndLimitedToTheOwnersCookies() {
        Flow flow = SampleFlows.all().getLast();
        String bytes = hex(out ->
                FlowModEncoder.deleteStrict(flow.key(), 0x5155_0000_0000_0000L, 0xffff_0000_0000_0000L, 11, out));
        assertEquals(
                "060e00380000000b" + "5155000000000000" + "ffff000000000000" + "fa04000000000000"
                        + "ffffffffffffffffffffffff00000000" + "0001000400000000",
                bytes);
        OvsTools.require("ovs-ofctl");
        assertEquals(
                "OFPT_FLOW_MOD (OF1.5) (xid=0xb): DEL_STRICT table:250 priority=0 "
                        + "cookie:0x5155000000000000/0xffff000000000000 actions=drop",
                ofpPrint(bytes));
    }

    @Test
    void aGroupOfOneBucketReadsTheDatapathsHash() {
        Group group = SampleFlows.group();
        String bytes = hex(out -> GroupCodec.put(group, 12, out));
        assertEquals(
                // group-mod, add or modify, select, group, length of the bucket, all buckets
                "060f00780000000c" + "8000010051550007" + "00380000ffffffff"
                        // bucket, length, length of its actions, id
                        + "0038002800000000"
                        // copy ten bits of dp_hash to reg1, resubmit to 11
                        + "001c0018000a0000000000000001460400010204" + "00000000"
                        + "ffff001000002320000efff80b000000"
                        // weight 1
                        + "0000000800010000"
                        // selection method dp_hash, algorithm 1, basis 7
                        + "ffff00280000154d0000000100000000" + "64705f68617368000000000000000000"
                        + "0000000100000007",
                bytes);
        OvsTools.require("ovs-ofctl");
        assertEquals("""
                OFPT_GROUP_MOD (OF1.5) (xid=0xc):
                 ADD_OR_MOD group_id=1364525063,type=select,selection_method=dp_hash,\
                selection_method_param=4294967303,bucket=bucket_id:0,\
                actions=move:NXM_NX_DP_HASH[0..9]->NXM_NX_REG1[0..9],resubmit(,11)""", ofpPrint(bytes));
        // In a reply the description has no command: two bytes of length, type, number and so on.
        ByteBuf described = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(
                "0070" + "0100" + bytes.substring(24, 32) + "0038000000000000" + bytes.substring(48)));
        assertEquals(List.of(group), GroupCodec.decodeAll(described));
    }

    @Test
    void aFrameGoesToAGroupFromTheController() {
        byte[] frame = ByteBufUtil.decodeHexDump("0200000000020200000000010800");
        String bytes = hex(out -> {
            RequestEncoder.wantPackets(13, out);
            RequestEncoder.packetOut(frame, List.of(new Action.ToGroup(7)), 14, out);
        });
        assertEquals("0609000c0000000d" + "0000ffff", bytes.substring(0, 24));
        OvsTools.require("ovs-ofctl");
        String print = ofpPrint(bytes.substring(24));
        assertTrue(
                print.contains("OFPT_PACKET_OUT (OF1.5) (xid=0xe): in_port=CONTROLLER actions=group:7 data_len=14"),
                print);
    }

    static Stream<Flow> flows() {
        return SampleFlows.all().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("flows")
    void ovsReadsTheBytesOfAFlowAndItsTextAlike(Flow flow) {
        OvsTools.require("ovs-ofctl");
        String fromBytes = ofpPrint(hex(out -> FlowModEncoder.add(flow, 1, out)));
        String fromText = OvsTools.run(List.of("ovs-ofctl", "-O", "OpenFlow15", "parse-flow", flow.toString()));
        assertEquals(flowModBody(fromText), flowModBody(fromBytes));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("flows")
    void flowsSurviveTheirBytes(Flow flow) {
        ByteBuf bytes = Unpooled.buffer();
        OxmCodec.encode(flow.key().match(), bytes);
        assertEquals(flow.key().match(), OxmCodec.decodeMatch(bytes));
        flow.instructions().forEach(instruction -> InstructionCodec.encode(instruction, bytes));
        assertEquals(flow.instructions(), InstructionCodec.decodeAll(bytes));
    }

    private static String flowModBody(String print) {
        int add = print.indexOf("ADD");
        return (add < 0 ? print : print.substring(add)).strip().toLowerCase(Locale.ROOT);
    }

    private static String hex(Consumer<ByteBuf> encoder) {
        ByteBuf out = Unpooled.buffer();
        encoder.accept(out);
        return ByteBufUtil.hexDump(out);
    }

    private static String ofpPrint(String bytes) {
        return OvsTools.run(List.of("ovs-ofctl", "ofp-print", bytes)).strip();
    }
}
