package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Traces as Open vSwitch 3.1.0 wrote them. */
class TraceReaderTest {
    private static final List<String> TRACES = List.of(
            "forwarded",
            "rest",
            "datapath-hash",
            "fail-open",
            "fail-close",
            "no-mac",
            "unknown-port",
            "not-ours",
            "foreign");
    private static final int MUTANTS = 2_000;

    private static String trace(String name) {
        try (var resource = TraceReaderTest.class.getResourceAsStream("/traces/" + name + ".txt")) {
            return new String(Objects.requireNonNull(resource, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String number(OptionalInt number) {
        return number.isPresent() ? Integer.toString(number.getAsInt()) : "-";
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "forwarded     | 110 | 11    | 119 | 2 | 5 | 02:00:00:00:be:05 | ''",
                "rest          | 110 | 11    | 119 | 2 | 5 | 02:00:00:00:be:05 | ''",
                "datapath-hash | 110 | 11    | -   | - | - | -                 | table 10: a flow that leads no further",
                "fail-open     | 217 | 65559 | 56  | 8 | 5 | 02:00:00:00:be:05 | ''",
                "fail-close    | 217 | 23    | 150 | - | - | -                 | table 11: no member has the slot",
                "no-mac        | 110 | 11    | 119 | 2 | - | - | table 21: the MAC address of its member is not known",
                "unknown-port  | -   | -     | -   | - | - | - | table 8: no listener of the VIP takes it",
                "not-ours      | -   | -     | -   | - | - | - | table 0: it is neither for this node nor for a VIP",
                "foreign       | 110 | 11    | 119 | 9 | - | - | table 11: its flow is not ours"
            })
    void aTraceTellsHowFarThePacketGot(
            String name,
            String listener,
            String slotSet,
            String slot,
            String member,
            String port,
            String mac,
            String drop) {
        PacketPath path = TraceReader.read(trace(name));
        assertEquals(listener, number(path.listener()));
        assertEquals(slotSet, number(path.slotSet()));
        assertEquals(slot, number(path.slot()));
        assertEquals(member, number(path.member()));
        assertEquals(port, number(path.port()));
        assertEquals(mac, path.mac().map(Object::toString).orElse("-"));
        assertEquals(drop.isEmpty() ? "" : "dropped by " + drop, path.drop());
        assertEquals(PacketPath.Source.TRACED, path.source());
    }

    @Test
    void theSetOverAllEnabledMembersIsOfItsPool() {
        PacketPath open = TraceReader.read(trace("fail-open"));
        assertEquals(OptionalInt.of(23), open.pool());
        assertTrue(open.failsOpen());
        PacketPath closed = TraceReader.read(trace("fail-close"));
        assertEquals(OptionalInt.of(23), closed.pool());
        assertTrue(!closed.failsOpen());
        assertTrue(!TraceReader.read(trace("unknown-port")).failsOpen());
    }

    @Test
    void slotZeroIsASlot() {
        String zero = trace("forwarded").replace("NXM_NX_REG1[] is now 0x77", "NXM_NX_REG1[] is now 0");
        assertEquals(OptionalInt.of(0), TraceReader.read(zero).slot());
    }

    /** The text comes from a socket: whatever it says, it is read, or read as less. */
    @Test
    void damagedTracesAreReadAsLess() {
        Random random = new Random(7);
        List<String> whole = new ArrayList<>();
        TRACES.forEach(name -> whole.add(trace(name)));
        int less = 0;
        for (int mutant = 0; mutant < MUTANTS; mutant++) {
            String original = whole.get(random.nextInt(whole.size()));
            StringBuilder text = new StringBuilder(original);
            int from = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setLength(from);
                case 1 -> text.setCharAt(from, (char) random.nextInt(0x180));
                case 2 -> text.insert(from, "99999999999999999999");
                case 3 -> text.delete(from, Math.min(text.length(), from + 1 + random.nextInt(60)));
                default -> throw new AssertionError();
            }
            PacketPath read = TraceReader.read(text.toString());
            assertEquals(read.drop().isEmpty(), read.port().isPresent(), text::toString);
            less += read.equals(TraceReader.read(original)) ? 0 : 1;
        }
        assertTrue(less > MUTANTS / 20, "only " + less + " mutants said something else");
    }
}
