package io.quorumlb.node.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.Content;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.Entry;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.OpaqueBytes;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GossipDelta;
import io.quorumlb.proto.v1.GossipEntry;
import io.quorumlb.proto.v1.GossipRequest;
import io.quorumlb.proto.v1.GossipStamp;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.ObservationRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GossipCodecTest {
    private static final NodeId N1 = new NodeId("n1");
    private static final Caller CALLER =
            Caller.newBuilder().setClusterId("site").setNode("n2").build();

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    private static List<GossipMessage> sent(GossipMessage message, int bytesMax) {
        return GossipParts.of(message, bytesMax).stream()
                .map(part -> GossipCodec.fromWire(part.toWire(CALLER, Duration.ZERO)))
                .toList();
    }

    private static List<Entry> entries(List<GossipMessage> messages) {
        return messages.stream()
                .flatMap(message -> message.deltas().stream())
                .flatMap(delta -> delta.entries().stream())
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyMessageComesBackEqual(long seed) throws InvalidProtocolBufferException {
        GossipMessage original = Messages.any(new Random(seed));
        List<GossipParts.Part> parts = GossipParts.of(original);
        assertEquals(1, parts.size());
        byte[] bytes = parts.getFirst().toWire(CALLER, Duration.ZERO).toByteArray();
        assertEquals(original, GossipCodec.fromWire(GossipRequest.parseFrom(bytes)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void partsLeadFromTheBaseToTheVersionInOrder(long seed) {
        GossipMessage original = Messages.any(new Random(seed));
        List<GossipMessage> parts = sent(original, 700);
        assertEquals(entries(List.of(original)), entries(parts));
        for (Delta whole : original.deltas()) {
            long reached = whole.base();
            for (GossipMessage part : parts) {
                for (Delta delta : part.deltas()) {
                    if (delta.owner().equals(whole.owner())) {
                        assertEquals(reached, delta.base());
                        assertEquals(whole.whole(), delta.whole());
                        reached = delta.version();
                    }
                }
            }
            assertEquals(whole.version(), reached);
        }
        GossipMessage first = parts.getFirst();
        assertEquals(original.beats(), first.beats());
        assertEquals(original.held(), first.held());
        assertEquals(original.wanted(), first.wanted());
        parts.subList(1, parts.size()).forEach(part -> assertEquals(List.of(), part.beats()));
    }

    @Test
    void tenThousandObservationsAreSentInPartsOfAQuarterMebibyte() {
        GossipMessage large = Messages.large(N1, 10_000);
        List<GossipParts.Part> parts = GossipParts.of(large);
        assertTrue(parts.size() > 1, "parts: " + parts.size());
        for (GossipParts.Part part : parts) {
            int bytes = part.toWire(CALLER, Duration.ofDays(40)).getSerializedSize();
            assertTrue(bytes <= GossipParts.BYTES_MAX, "bytes: " + bytes);
        }
        assertEquals(entries(List.of(large)), entries(sent(large, GossipParts.BYTES_MAX)));
    }

    @Test
    void waitingMakesBeatsOlderAndAgesAreRoundedUp() {
        Beat beat = Messages.beat(N1, 1, 1).older(Duration.ofNanos(1));
        GossipRequest wire = GossipParts.of(Messages.of(beat)).getFirst().toWire(CALLER, Duration.ofMillis(20));
        assertEquals(21, wire.getBeats(0).getAgeMillis());
    }

    /** A field that only a later version knows. */
    private static UnknownFieldSet later() {
        return UnknownFieldSet.newBuilder()
                .addField(
                        99,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("later"))
                                .build())
                .build();
    }

    private static GossipRequest relayed(GossipRequest message) {
        return GossipParts.of(GossipCodec.fromWire(message)).getFirst().toWire(CALLER, Duration.ZERO);
    }

    private static GossipRequest with(GossipEntry... entries) {
        var delta = GossipDelta.newBuilder()
                .setOwner("n1")
                .setIncarnation(1)
                .setVersion(9)
                .setWhole(9);
        for (GossipEntry entry : entries) {
            delta.addEntries(entry);
        }
        return GossipRequest.newBuilder().setCaller(CALLER).addDeltas(delta).build();
    }

    private static GossipEntry.Builder member(ObservationRecord content) {
        return GossipEntry.newBuilder().setKind(3).setId(5).setVersion(9).setContent(content.toByteString());
    }

    private static final ObservationRecord UP = ObservationRecord.newBuilder()
            .setHealth(Health.HEALTH_UP)
            .setIntervalMillis(1000)
            .build();

    @Test
    void fieldsOfALaterVersionSurviveANodeThatDoesNotKnowThem() {
        GossipEntry entry =
                member(UP.toBuilder().setUnknownFields(later()).build()).build();
        GossipRequest message = with(entry).toBuilder()
                .addBeats(Messages.wireBeat(N1, 9).toBuilder().setUnknownFields(later()))
                .build();
        assertEquals(message, relayed(message));
        Content understood = GossipCodec.fromWire(message)
                .deltas()
                .getFirst()
                .entries()
                .getFirst()
                .content();
        assertInstanceOf(Content.OfMember.class, understood);
    }

    @Test
    void kindsAndValuesOfALaterVersionSurviveToo() {
        GossipRequest message = with(
                GossipEntry.newBuilder()
                        .setKind(4)
                        .setId(1)
                        .setVersion(8)
                        .setContent(ByteString.copyFromUtf8("whatever"))
                        .build(),
                member(UP.toBuilder().setHealthValue(77).build()).build());
        assertEquals(message, relayed(message));
        GossipCodec.fromWire(message)
                .deltas()
                .getFirst()
                .entries()
                .forEach(entry -> assertEquals(new Content.Foreign(), entry.content()));
    }

    @Test
    void whatIsUnderstoodCompletelyIsNotKeptTwice() {
        Entry entry = GossipCodec.fromWire(with(member(UP).build()))
                .deltas()
                .getFirst()
                .entries()
                .getFirst();
        assertEquals(OpaqueBytes.NONE, entry.original());
    }

    @Test
    void whatIsMalformedIsNamed() {
        refused("beat.owner", message -> message.getBeatsBuilder(0).setOwner("N 1"));
        refused("beat.incarnation", message -> message.getBeatsBuilder(0).setIncarnation(-1));
        refused("beats.owner n1 is given twice", message -> message.addBeats(message.getBeats(0)));
        refused("delta.owner", message -> message.getDeltasBuilder(0).setOwner(""));
        refused("delta.base", message -> message.getDeltasBuilder(0).setBase(-1));
        refused(
                "delta of n1 from 0 to 8",
                message -> message.getDeltasBuilder(0).setVersion(8));
        refused(
                "delta of n1 goes from 0 to 9 of 8",
                message -> message.getDeltasBuilder(0).setWhole(8));
        refused(
                "delta of n1 from 0 to 9: version 9",
                message -> message.getDeltasBuilder(0).addEntries(member(UP)));
        refused(
                "entry EntryKey[kind=3, id=5] version 0",
                message -> entry(message).setVersion(0));
        refused("entry.kind", message -> entry(message).setKind(-1));
        refused("entry.id", message -> entry(message).setId(1 << 24));
        refused(
                "entry.id 6 holds a report of pool 0",
                message -> entry(message).setKind(2).setId(6).clearContent());
        refused("report.datapath", message -> entry(message).setKind(1).clearContent());
        refused(
                "entry EntryKey[kind=3, id=5] of n1 cannot be read",
                message -> entry(message).setContent(ByteString.copyFromUtf8("garbage")));
        refused("observation.health", message -> entry(message).clearContent());
        refused(
                "held.owner",
                message -> message.addHeld(GossipStamp.newBuilder().setOwner("-")));
        refused(
                "wanted.version",
                message -> message.addWanted(
                        GossipStamp.newBuilder().setOwner("n1").setVersion(-1)));
    }

    private static GossipEntry.Builder entry(GossipRequest.Builder message) {
        return message.getDeltasBuilder(0).getEntriesBuilder(0);
    }

    private static void refused(String field, Consumer<GossipRequest.Builder> damage) {
        var message = with(member(UP).build()).toBuilder().addBeats(Messages.wireBeat(N1, 9));
        damage.accept(message);
        var wrong = message.build();
        String complaint =
                String.valueOf(assertThrows(IllegalArgumentException.class, () -> GossipCodec.fromWire(wrong))
                        .getMessage());
        assertTrue(complaint.startsWith(field), complaint);
    }

    @Test
    void garbageIsRefusedAndNeverThrowsAnythingElse() {
        Random random = new Random(1);
        byte[] good = GossipParts.of(Messages.large(N1, 20))
                .getFirst()
                .toWire(CALLER, Duration.ZERO)
                .toByteArray();
        List<String> surprises = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                GossipCodec.fromWire(GossipRequest.parseFrom(bad));
            } catch (InvalidProtocolBufferException | IllegalArgumentException _) {
                // Refused and counted by the door.
            } catch (RuntimeException e) {
                surprises.add(e.toString());
            }
        }
        assertEquals(List.of(), surprises);
    }
}
