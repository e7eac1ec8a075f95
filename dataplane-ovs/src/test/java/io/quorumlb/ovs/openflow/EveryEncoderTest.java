package io.quorumlb.ovs.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.Meter;
import io.quorumlb.ovs.testbed.OvsTools;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Everything this program can write: bytes, and what Open vSwitch reads in them, as {@code openflow/goldens.txt} has it.
 * A kind without an entry fails. To renew the file run with {@code -Dquorumlb.goldens=write} and review the change.
 */
class EveryEncoderTest {
    private static final Path GOLDENS = Path.of("src/test/resources/openflow/goldens.txt");
    private static final String UNRECOGNISED = "Unrecognised";
    private static final long OURS = 0x5155_0000_0000_0000L;

    private record Golden(String name, String bytes, String print) {}

    // ---- what is written, by name ----

    private static Map<String, Consumer<ByteBuf>> encoded() {
        Map<String, Consumer<ByteBuf>> encoded = new TreeMap<>();
        actions().forEach((name, action) -> encoded.put("action " + name, out -> packetOut(action, out)));
        instructions().forEach((name, instruction) -> encoded.put("instruction " + name, out -> add(instruction, out)));
        for (Field field : Field.values()) {
            if (field != Field.DP_HASH) {
                encoded.put("match " + field, out -> match(exact(field), out));
                if (isMaskable(field)) {
                    encoded.put("match " + field + " masked", out -> match(masked(field), out));
                }
            }
        }
        requests().forEach((name, request) -> encoded.put("request " + name, request));
        for (BundleStep step : BundleStep.values()) {
            encoded.put("step " + step, out -> RequestEncoder.bundleControl(9, step, 8, out));
        }
        return encoded;
    }

    private static Map<String, Action> actions() {
        Map<String, Action> actions = new TreeMap<>();
        actions.put("Output", new Action.Output(3));
        actions.put("InPort", new Action.InPort());
        actions.put("SetField", new Action.SetField(Field.REG1, 7));
        actions.put("SetField masked", new Action.SetField(Field.REG1, 0x7, 0xff));
        actions.put("SetField wide", Action.SetField.wide(Field.XXREG2, 1, 2));
        actions.put("Move", new Action.Move(Field.ETH_SRC, Field.ETH_DST));
        actions.put("Move part", new Action.Move(Field.REG0, 3, Field.XXREG2, 70, 10));
        actions.put("Controller", new Action.Controller(600));
        actions.put("ToGroup", new Action.ToGroup(0x5155_0007));
        actions.put("ToMeter", new Action.ToMeter(7));
        actions.put("Resubmit", new Action.Resubmit(11));
        actions.put("DecTtl", new Action.DecTtl());
        for (Action.PacketFields fields : Action.PacketFields.values()) {
            actions.put("Multipath " + fields, new Action.Multipath(fields, 1, 1023, Field.REG1));
        }
        return actions;
    }

    private static Map<String, Instruction> instructions() {
        Map<String, Instruction> instructions = new TreeMap<>();
        instructions.put("GotoTable", new Instruction.GotoTable(12));
        instructions.put("ApplyActions", Instruction.ApplyActions.of(new Action.Output(1), new Action.Output(2)));
        return instructions;
    }

    private static Map<String, Consumer<ByteBuf>> requests() {
        Flow flow = SampleFlows.member();
        Map<String, Consumer<ByteBuf>> requests = new TreeMap<>();
        requests.put("RequestEncoder.hello", out -> RequestEncoder.hello(1, out));
        requests.put("RequestEncoder.echoRequest", out -> RequestEncoder.echoRequest(2, out));
        requests.put(
                "RequestEncoder.echoReply", out -> RequestEncoder.echoReply(new Message.EchoRequest(7, "abcd"), out));
        requests.put("RequestEncoder.featuresRequest", out -> RequestEncoder.featuresRequest(3, out));
        requests.put("RequestEncoder.barrierRequest", out -> RequestEncoder.barrierRequest(4, out));
        requests.put("RequestEncoder.portsRequest", out -> RequestEncoder.portsRequest(5, out));
        requests.put(
                "RequestEncoder.flowsRequest",
                out -> RequestEncoder.flowsRequest(6, new CookieMatch(OURS, 0xffff_0000_0000_0000L), out));
        requests.put("RequestEncoder.flowMonitorRequest", out -> RequestEncoder.flowMonitorRequest(7, out));
        requests.put("RequestEncoder.groupsRequest", out -> RequestEncoder.groupsRequest(8, out));
        requests.put("RequestEncoder.wantPackets", out -> RequestEncoder.wantPackets(9, out));
        requests.put("RequestEncoder.addMeter", out -> RequestEncoder.addMeter(new Meter(7, 1000, 200), 9, out));
        requests.put("RequestEncoder.changeMeter", out -> RequestEncoder.changeMeter(new Meter(7, 1000, 200), 9, out));
        requests.put("RequestEncoder.packetOut", out -> RequestEncoder.packetOut(3, frame(), 10, out));
        requests.put(
                "RequestEncoder.bundleControl",
                out -> RequestEncoder.bundleControl(9, BundleStep.OPEN_REQUEST, 8, out));
        requests.put("RequestEncoder.beginBundleAdd", out -> {
            int start = RequestEncoder.beginBundleAdd(9, 10, out);
            FlowModEncoder.add(flow, 10, out);
            Wire.finish(out, start);
        });
        requests.put("FlowModEncoder.add", out -> FlowModEncoder.add(flow, 11, out));
        requests.put(
                "FlowModEncoder.deleteStrict",
                out -> FlowModEncoder.deleteStrict(flow.key(), OURS, 0xffff_0000_0000_0000L, 12, out));
        requests.put("GroupCodec.put", out -> GroupCodec.put(SampleFlows.group(), 13, out));
        requests.put("GroupCodec.delete", out -> GroupCodec.delete(0x5155_0007, 14, out));
        return requests;
    }

    private static byte[] frame() {
        return ByteBufUtil.decodeHexDump("0200000000020200000000010800");
    }

    private static void packetOut(Action action, ByteBuf out) {
        RequestEncoder.packetOut(frame(), List.of(action), 1, out);
    }

    private static void add(Instruction instruction, ByteBuf out) {
        FlowModEncoder.add(new Flow(new FlowKey(3, 5, Match.of()), OURS, List.of(instruction)), 1, out);
    }

    private static void match(Match match, ByteBuf out) {
        FlowModEncoder.add(new Flow(new FlowKey(3, 5, match), OURS, List.of()), 1, out);
    }

    /** What a switch wants to see before it takes the field. */
    private static Match prerequisites(Field field) {
        Match ipv4 = Match.of().with(Field.ETH_TYPE, 0x0800);
        Match ipv6 = Match.of().with(Field.ETH_TYPE, 0x86dd);
        Match icmpv6 = ipv6.with(Field.IP_PROTO, 58);
        return switch (field) {
            case IN_PORT, ETH_DST, ETH_SRC, ETH_TYPE, REG0, REG1, REG2, REG3, REG4, XXREG2, DP_HASH -> Match.of();
            case IP_PROTO, IP_FRAG, IP_TTL, IPV4_SRC, IPV4_DST -> ipv4;
            case IPV6_SRC, IPV6_DST -> ipv6;
            case TCP_SRC, TCP_DST -> ipv4.with(Field.IP_PROTO, 6);
            case UDP_SRC, UDP_DST -> ipv4.with(Field.IP_PROTO, 17);
            case ICMPV4_TYPE, ICMPV4_CODE -> ipv4.with(Field.IP_PROTO, 1);
            case ICMPV6_TYPE, ICMPV6_CODE -> icmpv6;
            case ND_TARGET, ND_SLL, ND_RESERVED, ND_OPTIONS_TYPE ->
                icmpv6.with(Field.ICMPV6_TYPE, 135).with(Field.ICMPV6_CODE, 0);
            case ND_TLL -> icmpv6.with(Field.ICMPV6_TYPE, 136).with(Field.ICMPV6_CODE, 0);
            case ARP_OP, ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA -> Match.of().with(Field.ETH_TYPE, 0x0806);
        };
    }

    private static Match exact(Field field) {
        if (field == Field.ETH_TYPE) {
            return Match.of().with(field, 0x0800);
        }
        return field.bits() > Long.SIZE
                ? prerequisites(field).with(Match.Term.wide(field, 0xfd00_0099_0000_0000L, 0x10))
                : prerequisites(field).with(field, 1);
    }

    private static Match masked(Field field) {
        return field.bits() > Long.SIZE
                ? prerequisites(field).with(new Match.Term(field, 0xfd00_0099_0000_0000L, 0, -1, 0))
                : prerequisites(field).with(field, 1, 1);
    }

    private static boolean isMaskable(Field field) {
        return switch (field) {
            case IN_PORT,
                    ETH_TYPE,
                    IP_PROTO,
                    IP_TTL,
                    ICMPV4_TYPE,
                    ICMPV4_CODE,
                    ICMPV6_TYPE,
                    ICMPV6_CODE,
                    ND_RESERVED,
                    ND_OPTIONS_TYPE,
                    ARP_OP,
                    DP_HASH -> false;
            case ETH_DST,
                    ETH_SRC,
                    IP_FRAG,
                    IPV4_SRC,
                    IPV4_DST,
                    IPV6_SRC,
                    IPV6_DST,
                    TCP_SRC,
                    TCP_DST,
                    UDP_SRC,
                    UDP_DST,
                    ND_TARGET,
                    ND_SLL,
                    ND_TLL,
                    ARP_SPA,
                    ARP_TPA,
                    ARP_SHA,
                    ARP_THA,
                    REG0,
                    REG1,
                    REG2,
                    REG3,
                    REG4,
                    XXREG2 -> true;
        };
    }

    // ---- nothing is forgotten ----

    @Test
    void everyActionHasAnEntry() {
        assertEquals(kinds(Action.class), firstWords(actions()));
    }

    @Test
    void everyInstructionHasAnEntry() {
        assertEquals(kinds(Instruction.class), firstWords(instructions()));
    }

    @Test
    void everyRequestHasAnEntry() {
        var methods = new TreeSet<String>();
        for (Class<?> encoder : List.of(RequestEncoder.class, FlowModEncoder.class, GroupCodec.class)) {
            for (Method method : encoder.getDeclaredMethods()) {
                boolean writes = Arrays.asList(method.getParameterTypes()).contains(ByteBuf.class);
                boolean open = !Modifier.isPrivate(method.getModifiers()) && !method.isSynthetic();
                if (writes && open && !method.getName().startsWith("decode")) {
                    methods.add(encoder.getSimpleName() + "." + method.getName());
                }
            }
        }
        assertEquals(methods, new TreeSet<>(requests().keySet()));
    }

    private static Set<String> kinds(Class<?> sealed) {
        return Stream.of(sealed.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .filter(name -> !name.equals(UNRECOGNISED))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> firstWords(Map<String, ?> entries) {
        return entries.keySet().stream()
                .map(name -> name.split(" ", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- the bytes, and what they mean ----

    @BeforeAll
    static void renew() throws IOException {
        if ("write".equals(System.getProperty("quorumlb.goldens"))) {
            write();
        }
    }

    static Stream<String> names() {
        return encoded().keySet().stream();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void bytesAreTheRecordedOnes(String name) throws IOException {
        Golden golden = goldens().get(name);
        assertEquals(golden == null ? "an entry" : golden.bytes(), hex(encoded().getOrDefault(name, _ -> {})), name);
    }

    @Test
    void openVSwitchReadsInThemWhatIsMeant() throws IOException {
        OvsTools.require("ovs-ofctl");
        Map<String, Golden> goldens = goldens();
        assertEquals(encoded().keySet(), goldens.keySet());
        for (Golden golden : goldens.values()) {
            assertEquals(golden.print(), printed(golden.bytes()), golden.name());
        }
    }

    private static String hex(Consumer<ByteBuf> encoder) {
        ByteBuf out = Unpooled.buffer();
        encoder.accept(out);
        return ByteBufUtil.hexDump(out);
    }

    /** Returns what ovs-ofctl prints, in one line. */
    private static String printed(String bytes) {
        return OvsTools.run(List.of("ovs-ofctl", "ofp-print", bytes)).strip().replaceAll("\\s*\n\\s*", " | ");
    }

    private static Map<String, Golden> goldens() throws IOException {
        Map<String, Golden> goldens = new TreeMap<>();
        List<String> lines = Files.readAllLines(GOLDENS);
        for (int at = 0; at + 2 < lines.size(); at += 4) {
            goldens.put(lines.get(at), new Golden(lines.get(at), lines.get(at + 1), lines.get(at + 2)));
        }
        return goldens;
    }

    private static void write() throws IOException {
        List<String> lines = new ArrayList<>();
        encoded().forEach((name, encoder) -> {
            String bytes = hex(encoder);
            lines.addAll(List.of(name, bytes, printed(bytes), ""));
        });
        Files.createDirectories(GOLDENS.getParent());
        Files.write(GOLDENS, lines);
    }
}
