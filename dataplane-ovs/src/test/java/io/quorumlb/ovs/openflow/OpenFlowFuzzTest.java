package io.quorumlb.ovs.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.DecoderException;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.pipeline.ReadBack;
import io.quorumlb.ovs.testbed.Captures;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.Fuzz;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Anything may come out of the switch's socket: it is a message or refused as malformed, and costs no more than its length. */
class OpenFlowFuzzTest {
    private static final Duration NET = Duration.ofMinutes(1);
    private static final List<byte[]> REAL = Captures.bytes("openflow-3.1.hex");

    static LongStream seeds() {
        return LongStream.range(0, 6);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneMessage(long seed) {
        Fuzz.Tally tally =
                assertTimeoutPreemptively(NET, () -> Fuzz.run(seed, 40_000, REAL, OpenFlowFuzzTest::message));
        assertTrue(tally.accepted() > 4_000 && tally.refused() > 4_000, tally::toString);
    }

    private static boolean message(byte[] bytes) {
        if (bytes.length < Wire.HEADER_LENGTH) {
            return false;
        }
        try {
            return MessageDecoder.decodeMessage(Unpooled.wrappedBuffer(bytes), new KnownFlows()) != null;
        } catch (MalformedMessageException _) {
            return false;
        }
    }

    /** The stream comes in pieces of any length; after the first wrong byte nothing more is decoded. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {100, 101, 102, 103})
    void aStreamInPieces(long seed) {
        Fuzz.Tally tally =
                assertTimeoutPreemptively(NET, () -> Fuzz.run(seed, 10_000, REAL, bytes -> stream(bytes, seed)));
        assertTrue(tally.accepted() > 500 && tally.refused() > 500, tally::toString);
    }

    private static boolean stream(byte[] bytes, long seed) {
        var random = new Random(seed + bytes.length);
        var channel = new EmbeddedChannel(new MessageDecoder());
        boolean whole = false;
        try {
            for (int at = 0; at < bytes.length; ) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(bytes.length));
                channel.writeInbound(Unpooled.copiedBuffer(bytes, at, end - at));
                at = end;
            }
            whole = true;
            channel.finishAndReleaseAll();
            return true;
        } catch (DecoderException refused) {
            assertInstanceOf(MalformedMessageException.class, refused);
            if (!whole) {
                channel.releaseInbound();
                channel.writeInbound(Unpooled.copiedBuffer(REAL.getFirst()));
                assertTrue(channel.inboundMessages().isEmpty(), "decoded after what was malformed");
            }
            return false;
        } finally {
            var _ = channel.close();
            channel.releaseInbound();
        }
    }

    /** What flows say, whoever wrote them, is read back as tables without a complaint. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {200, 201, 202, 203})
    void flowsOfAnyKindAreReadBack(long seed) {
        List<byte[]> real = new ArrayList<>();
        for (Flow flow : Pipeline.flows(DualStackSite.intent())) {
            if (flow.key().table() != PipelineTable.SLOTS.id()
                    || flow.key()
                            .match()
                            .term(Field.REG1)
                            .filter(term -> term.value() < 4)
                            .isPresent()) {
                real.add(described(flow));
            }
        }
        SortedMap<Integer, PoolDefinition> definitions = new TreeMap<>();
        for (IpFamily family : IpFamily.values()) {
            for (DualStackSite.Role role : DualStackSite.Role.values()) {
                int pool = DualStackSite.pool(family, role);
                definitions.put(pool, PoolDefinition.of(HashAlgoVersion.V2, pool, DualStackSite.SLOTS, List.of()));
            }
        }
        var known = new KnownFlows();
        Fuzz.Tally tally = assertTimeoutPreemptively(
                NET, () -> Fuzz.run(seed, 25_000, real, bytes -> readBack(bytes, definitions, known)));
        assertTrue(tally.accepted() > 2_000 && tally.refused() > 2_000, tally::toString);
    }

    private static boolean readBack(byte[] bytes, SortedMap<Integer, PoolDefinition> definitions, KnownFlows known) {
        List<Flow> flows;
        try {
            flows = FlowDescriptionDecoder.decodeAll(Unpooled.wrappedBuffer(bytes), new KnownFlows()).stream()
                    .map(FlowDescription::flow)
                    .toList();
        } catch (MalformedMessageException | IndexOutOfBoundsException | IllegalArgumentException _) {
            // The message decoder turns these into one.
            return false;
        }
        assertEquals(
                flows,
                FlowDescriptionDecoder.decodeAll(Unpooled.wrappedBuffer(bytes), known).stream()
                        .map(FlowDescription::flow)
                        .toList(),
                "whatever was listed before");
        for (Flow flow : flows) {
            assertTrue(!flow.toString().isEmpty());
            ByteBuf again = Unpooled.buffer();
            FlowModEncoder.add(flow, 1, again);
        }
        assertEquals(
                definitions.keySet(), ReadBack.slotTables(flows, definitions).keySet());
        assertTrue(
                ReadBack.memberMacs(flows).size() + ReadBack.nextHopMacs(flows).size() <= flows.size());
        return true;
    }

    /** Parts of a list were taken without end: ports of any number, and parts with nothing in them. */
    @Test
    void aListWithoutEndIsRefused() {
        var empty = new Exchange.Read(1, 1);
        var parts = assertThrows(MalformedMessageException.class, () -> {
            for (int part = 0; part < 10_000; part++) {
                empty.receive(new Message.Ports(1, List.of(), true));
            }
        });
        assertEquals("the switch lists in more than 8192 parts", parts.getMessage());
        var full = new Exchange.Read(1, 1);
        List<PortDescription> many = Collections.nCopies(1_000, new PortDescription(1, "p1", new MacAddress(1)));
        var ports = assertThrows(MalformedMessageException.class, () -> {
            for (int part = 0; part < 100; part++) {
                full.receive(new Message.Ports(1, many, true));
            }
        });
        assertEquals("the switch lists more than 65536 ports", ports.getMessage());
    }

    /** Registers that no switch has were taken for those of the same number modulo 128: reg128 for reg0, reg35 for dp_hash. */
    @ParameterizedTest
    @ValueSource(strings = {"0001001080018008000000010000000200000000", "0001001080012208000000010000000200000000"})
    void pairsOfRegistersBeyondTheLastAreNoneOfOurs(String match) {
        Match read = OxmCodec.decodeMatch(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(match)));
        assertEquals(List.of(), read.terms());
        assertEquals(match.substring(8, 32), read.unrecognised());
    }

    /** Returns a flow as a switch lists it, without statistics. */
    private static byte[] described(Flow flow) {
        ByteBuf out = Unpooled.buffer();
        out.writeShort(0).writeZero(2);
        out.writeByte(flow.key().table()).writeZero(1).writeShort(flow.key().priority());
        out.writeZero(8).writeLong(flow.cookie());
        OxmCodec.encode(flow.key().match(), out);
        out.writeShort(0).writeShort(4).writeZero(4);
        for (Instruction instruction : flow.instructions()) {
            InstructionCodec.encode(instruction, out);
        }
        out.setShort(0, out.writerIndex());
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }
}
