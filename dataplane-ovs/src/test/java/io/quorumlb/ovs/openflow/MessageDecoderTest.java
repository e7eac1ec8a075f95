package io.quorumlb.ovs.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bytes recorded from an Open vSwitch 3.1, and what the decoder makes of them and of broken ones. */
class MessageDecoderTest {
    private static final String HELLO = "0600000800000001";
    private static final String FEATURES = "0606002000000002" + "00006ecab7795c4400000000fe0000000000024f00000000";
    private static final String PORTS = "061300a000000003" + "000d000000000000"
            + "0000000100480000aa55aa550012000070320000000000000000000000000000000000000000000400000020"
            + "00000000000000000000000000000000000000000000000000000000"
            + "fffffffe004800006ecab7795c44000062723000000000000000000000000000000000000000000400000020"
            + "00000000000000000000000000000000000000000000000000000000";
    private static final String FLOWS = "061300c000000004" + "0001000000000000"
            + "00b000000a0000640000000000000000" + "5155000000000001"
            + "0001001d80000a020800800018040a63000a800014010680001c020050000000"
            + "000000348002000800000000054e084080020208000000000000000080020808000000000000000780020a08"
            + "000000000000012c00000000"
            + "000400380000000000190010000100040000000100000000"
            + "ffff002000002320000a000300010000000003ff000000000000001f00010204000100080b000000";
    private static final String REFUSAL = "0601000c00000005" + "00040009";
    private static final String COMMITTED = "0621001000000006" + "0000000900050003";
    private static final String BARRIER = "0615000800000007";
    private static final List<String> VALID = List.of(HELLO, FEATURES, PORTS, FLOWS, REFUSAL, COMMITTED, BARRIER);

    @Test
    void readsAFlowAsItWasSent() {
        var flows = assertInstanceOf(Message.Flows.class, decodeOne(FLOWS));
        FlowDescription found = flows.flows().getFirst();
        var expected = new Flow(
                new FlowKey(
                        10,
                        100,
                        Match.of()
                                .with(Field.ETH_TYPE, 0x0800)
                                .with(Field.IP_PROTO, 6)
                                .with(Field.IPV4_DST, 0x0a63000aL)
                                .with(Field.TCP_DST, 80)),
                0x5155_0000_0000_0001L,
                List.of(
                        Instruction.ApplyActions.of(
                                new Action.SetField(Field.REG0, 1),
                                new Action.Multipath(Action.PacketFields.SYMMETRIC_L3L4_UDP, 1, 1023, Field.REG1)),
                        new Instruction.GotoTable(11)));
        assertEquals(expected, found.flow());
        assertEquals(7, found.packets());
        assertEquals(300, found.bytes());
        assertEquals(Duration.ofMillis(89), found.age());
    }

    @Test
    void readsPorts() {
        var ports = assertInstanceOf(Message.Ports.class, decodeOne(PORTS));
        assertEquals(
                List.of(
                        new PortDescription(1, "p2", MacAddress.parse("aa:55:aa:55:00:12")),
                        new PortDescription(0xffff_fffe, "br0", MacAddress.parse("6e:ca:b7:79:5c:44"))),
                ports.ports());
    }

    @Test
    void readsTheRest() {
        assertEquals(new Message.Hello(1, 6, 0), decodeOne(HELLO));
        assertEquals(new Message.Hello(1, 6, 0x40), decodeOne("0600001000000001" + "0001000800000040"));
        assertEquals(new Message.Features(2, 0x6ecab7795c44L, 254), decodeOne(FEATURES));
        assertEquals(new Message.BundleControl(6, 9, BundleStep.COMMIT_REPLY), decodeOne(COMMITTED));
        assertEquals(new Message.BarrierReply(7), decodeOne(BARRIER));
        assertEquals(new Message.EchoRequest(8, "abcd"), decodeOne("0602000a00000008abcd"));
        var refusal = assertInstanceOf(Message.Failure.class, decodeOne(REFUSAL));
        assertEquals("BAD_MATCH/OFPBMC_BAD_PREREQ", ErrorNames.of(refusal));
        assertEquals("BAD_MATCH/code 99", ErrorNames.of(new Message.Failure(1, 4, 99, "")));
        assertEquals("error type 99/code 1", ErrorNames.of(new Message.Failure(1, 99, 1, "")));
    }

    @Test
    void readsRegistersThatTheSwitchListsInPairs() {
        assertEquals(
                Match.of().with(Field.REG0, 1).with(Field.REG1, 0x3e0),
                OxmCodec.decodeMatch(bytes("00010010" + "8001000800000001000003e0")));
        assertEquals(
                Match.of().with(Field.REG2, 3, 0xff),
                OxmCodec.decodeMatch(bytes("00010018" + "800103100000000300000000000000ff00000000")));
        // reg8 is none of ours
        assertEquals(
                "oxm(8001080800000001000003e0)",
                OxmCodec.decodeMatch(bytes("00010010" + "8001080800000001000003e0"))
                        .toString());
    }

    @Test
    void keepsWhatItDoesNotKnow() {
        // eth_type and an IPv6 flow label; set_queue; write_metadata
        String match = "00010012" + "80000a0286dd" + "8000380400012345" + "000000000000";
        ByteBuf bytes = bytes(match);
        Match found = OxmCodec.decodeMatch(bytes);
        assertEquals("ipv6,oxm(8000380400012345)", found.toString());
        ByteBuf again = Unpooled.buffer();
        OxmCodec.encode(found, again);
        assertEquals(match, ByteBufUtil.hexDump(again));
        String actions =
                "0004001000000000" + "0015000800000001" + "0002001800000000" + "00000000000000010000000000000001";
        List<Instruction> instructions = InstructionCodec.decodeAll(bytes(actions));
        assertEquals(
                List.of(
                        Instruction.ApplyActions.of(new Action.Unrecognised("0015000800000001")),
                        new Instruction.Unrecognised("000200180000000000000000000000010000000000000001")),
                instructions);
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of("wrong version", "0415000800000007"),
                Arguments.of("HTTP", "485454502f312e3120343030"),
                Arguments.of("length below 8", "0615000400000007"),
                Arguments.of("length zero", "0615000000000007"),
                Arguments.of("unknown type", "06ff000800000007"),
                Arguments.of("a request", "0605000800000007"),
                Arguments.of("unknown multipart", "06130010000000070063000000000000"),
                Arguments.of("short error", "0601000a000000050004"),
                Arguments.of("short features", "060600100000000200006ecab7795c44"),
                Arguments.of("unknown bundle step", "062100100000000600000009000f0003"),
                Arguments.of("flow longer than message", FLOWS.replace("00b000000a00", "00b800000a00")),
                Arguments.of("flow of length zero", FLOWS.replace("00b000000a00", "000000000a00")),
                Arguments.of("match longer than flow", FLOWS.replace("0001001d8000", "000100fd8000")),
                Arguments.of("action of length zero", FLOWS.replace("ffff00200000", "ffff00000000")),
                Arguments.of("table 255", FLOWS.replace("00b000000a00", "00b00000ff00")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("broken")
    void refusesBrokenMessages(String name, String hex) {
        assertThrows(MalformedMessageException.class, () -> decodeOne(hex), name);
    }

    @Test
    void refusesAStreamThatEndsWithinAMessage() {
        var channel = new EmbeddedChannel(new MessageDecoder());
        assertTrue(!channel.writeInbound(bytes(FLOWS.substring(0, 100))));
        assertThrows(MalformedMessageException.class, channel::finish);
    }

    @Test
    void doesNotWaitForTheRestOfGarbage() {
        var channel = new EmbeddedChannel(new MessageDecoder());
        assertThrows(MalformedMessageException.class, () -> channel.writeInbound(bytes("ffffffffffffffff")));
    }

    static LongStream seeds() {
        return LongStream.range(0, 400);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyBytesGiveMessagesOrOneTypedError(long seed) {
        var random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            ByteBuf input = seed % 4 == 0 ? noise(random) : mutated(random);
            var channel = new EmbeddedChannel(new MessageDecoder());
            try {
                while (input.isReadable()) {
                    channel.writeInbound(input.readRetainedSlice(1 + random.nextInt(input.readableBytes())));
                }
                channel.finishAndReleaseAll();
            } catch (DecoderException refused) {
                assertInstanceOf(MalformedMessageException.class, refused);
            } finally {
                var _ = channel.close();
                channel.releaseInbound();
                input.release();
            }
        }
    }

    private static ByteBuf noise(Random random) {
        byte[] noise = new byte[random.nextInt(300)];
        random.nextBytes(noise);
        if (noise.length > 3 && random.nextBoolean()) {
            noise[0] = 6;
            noise[1] = (byte) (random.nextBoolean() ? Wire.OFPT_MULTIPART_REPLY : Wire.OFPT_ERROR);
            noise[2] = 0;
        }
        return Unpooled.wrappedBuffer(noise);
    }

    private static ByteBuf mutated(Random random) {
        ByteBuf stream = Unpooled.buffer();
        for (int i = 0; i < 3; i++) {
            stream.writeBytes(bytes(VALID.get(random.nextInt(VALID.size()))));
        }
        for (int i = random.nextInt(6); i > 0; i--) {
            stream.setByte(random.nextInt(stream.readableBytes()), random.nextBoolean() ? 0 : random.nextInt(256));
        }
        if (random.nextInt(4) == 0) {
            stream.writerIndex(random.nextInt(stream.readableBytes()) + 1);
        }
        return stream;
    }

    private static Message decodeOne(String hex) {
        var channel = new EmbeddedChannel(new MessageDecoder());
        channel.writeInbound(bytes(hex));
        Message message = channel.readInbound();
        channel.finishAndReleaseAll();
        return message;
    }

    private static ByteBuf bytes(String hex) {
        return Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
    }
}
