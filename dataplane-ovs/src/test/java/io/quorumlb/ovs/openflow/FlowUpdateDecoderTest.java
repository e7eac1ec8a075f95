package io.quorumlb.ovs.openflow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Match;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes recorded from the flow monitor of an Open vSwitch 3.1, and broken ones. */
class FlowUpdateDecoderTest {
    private static final String HEAD = "06130038000000000010000000000000";
    private static final String SLOT = "010010800100080000000100000003";
    private static final FlowKey KEY =
            new FlowKey(11, 100, Match.of().with(Field.REG0, 1).with(Field.REG1, 3));
    private static final String TWO_REMOVED = "06130050000000000010000000000000"
            + "00200002fc0200000000000000000000515500000000000000010004" + "00000000"
            + "00200002fd0200000000000000000000515500000000000000010004" + "00000000";

    private static List<FlowChange> decode(String hex) {
        ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        try {
            return assertInstanceOf(Message.FlowUpdates.class, MessageDecoder.decodeMessage(bytes, new KnownFlows()))
                    .changes();
        } finally {
            bytes.release();
        }
    }

    @Test
    void readsWhatOthersAddedChangedAndRemoved() {
        assertEquals(
                List.of(new FlowChange.Added(KEY, 0x5155_0200_0000_0001L)),
                decode(HEAD + "002800010b0000000000006400000000515502000000000100" + SLOT));
        assertEquals(
                List.of(new FlowChange.Modified(KEY, 0x5155_0200_0000_0001L)),
                decode(HEAD + "002800030b0000000000006400000000515502000000000100" + SLOT));
        assertEquals(
                List.of(new FlowChange.Removed(KEY, 0x5155_0200_0000_0002L)),
                decode(HEAD + "002800020b0200000000006400000000515502000000000200" + SLOT));
        assertEquals(2, decode(TWO_REMOVED).size());
    }

    @Test
    void ourOwnChangesAreAbbreviatedAndNoNews() {
        assertEquals(List.of(), decode("061300180000000000100000000000000008000400000041"));
        assertEquals(List.of(), decode("06130010000000220010000000000000"));
    }

    @Test
    void aPauseOfTheMonitorIsAChange() {
        assertEquals(List.of(new FlowChange.Gap()), decode("061300180000000000100000000000000008000500000000"));
        assertEquals(List.of(new FlowChange.Gap()), decode("061300180000000000100000000000000008000600000000"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "an unknown event, 061300180000000000100000000000000008000000000000",
        "a length of zero, 061300180000000000100000000000000000000100000000",
        "a length beyond the message, 061300180000000000100000000000000010000100000000",
        "a full update without its fields, 061300180000000000100000000000000008000100000000",
        "half an update, 0613001100000000001000000000000000",
    })
    void whatIsNoUpdateIsRefused(String name, String hex) {
        assertThrows(MalformedMessageException.class, () -> decode(hex), name);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void alteredBytesAreReadOrRefusedAndNothingElse(long seed) {
        var random = new Random(seed);
        byte[] whole = ByteBufUtil.decodeHexDump(TWO_REMOVED);
        for (int round = 0; round < 5000; round++) {
            byte[] altered = whole.clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                altered[16 + random.nextInt(altered.length - 16)] = (byte) random.nextInt(256);
            }
            ByteBuf bytes = Unpooled.wrappedBuffer(altered);
            try {
                var message = assertInstanceOf(
                        Message.FlowUpdates.class, MessageDecoder.decodeMessage(bytes, new KnownFlows()));
                assertTrue(message.changes().size() <= 8, message::toString);
            } catch (MalformedMessageException _) {
                // That is the other thing it may do.
            }
        }
    }
}
