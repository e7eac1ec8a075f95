package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.Site;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SiteReaderTest {
    private static final String SITE = """
            # a comment
            segments:
            - name: p2
              prefix: 10.20.0.0/24
              gateways:
              - {node: n1, address: 10.20.0.251}
            pools:
            - name: web
              slots: 1024
              min_eligible: 2
              monitor:
                type: MONITOR_TYPE_UDP
                payload: cGluZw==
                intervalMillis: 1000
                silence_up: true
              guards:
                panicPercent: 0
            members:
            - name: "1"
              pool: web
              address: 10.20.0.2:8080
              weight: 100
              staticMac: 02:00:00:00:00:01
            """;

    @Test
    void readsFieldsByBothOfTheirNames() {
        Site site = SiteReader.read("site.yaml", SITE);
        assertEquals("10.20.0.251", site.getSegments(0).getGateways(0).getAddress());
        var pool = site.getPools(0);
        assertEquals(2, pool.getMinEligible());
        assertEquals(ByteString.copyFromUtf8("ping"), pool.getMonitor().getPayload());
        assertTrue(pool.getMonitor().getSilenceUp());
        assertTrue(pool.getGuards().hasPanicPercent());
        assertEquals("1", site.getMembers(0).getName());
        assertEquals("02:00:00:00:00:01", site.getMembers(0).getStaticMac());
    }

    @Test
    void severalDocumentsAreTakenTogether() {
        Site site = SiteReader.read("f", "members: [{name: a}]\n---\nmembers: [{name: b}]\npools: []\n---\n");
        assertEquals(
                List.of("a", "b"),
                site.getMembersList().stream().map(Member::getName).toList());
        assertEquals(Site.getDefaultInstance(), SiteReader.read("f", ""));
        assertEquals(Site.getDefaultInstance(), SiteReader.read("f", "pools: null\nmembers: ~\n"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "pools:~- name: web~  slotts: 5| f:3: pools[0]: field 'slotts' is not known, did you mean 'slots'?",
                "polls: []| f:1: field 'polls' is not known, did you mean 'pools'?",
                "sites: []| f:1: field 'sites' is not known, there are: segments, pools, members, listeners",
                "pools:~- name: web~  slots: many| f:3: pools[0].slots: 'many' is not a whole number 0..4294967295",
                "pools:~- slots: -1| f:2: pools[0].slots: '-1' is not a whole number",
                "pools:~- slots: 1.5| f:2: pools[0].slots: '1.5' is not a whole number",
                "pools:~- slots: 4294967296| f:2: pools[0].slots: '4294967296' is not a whole number",
                "pools:~- slots: [1]| f:2: pools[0].slots: a single value expected",
                "pools:~- name: a~  name: b| f:3: pools[0].name: is there twice",
                "pools:~- minEligible: 1~  min_eligible: 1| f:3: pools[0].minEligible: is there twice",
                "pools: []~pools: []| f:2: pools: is there twice",
                "pools: web| f:1: pools: a list expected",
                "pools:~- web| f:2: pools[0]: fields expected",
                "listeners:~- allPorts: yes| f:2: listeners[0].allPorts: 'yes' is neither true nor false",
                "listeners:~- protocol: TCP| f:2: listeners[0].protocol: 'TCP' is not known, did you mean PROTOCOL_TCP?",
                "listeners:~- protocol: tcp| f:2: listeners[0].protocol: 'tcp' is not known, did you mean PROTOCOL_TCP?",
                "pools:~- monitor:~    payload: '!'| f:3: pools[0].monitor.payload: '!' is not Base64",
                "pools: &a []| f:1: pools: anchors and aliases are not known here",
                "pools: *a| f:1: pools: anchors and aliases are not known here",
                "pools:~- name: !!str web| f:2: pools[0].name: tag",
                "- a| f:1: a list is no site",
                "hello| f:1: 'hello' is no site",
                "{[1]: 2}| f:1: the name of a field expected",
            })
    void whatIsWrongIsNamedWithItsLine(String text, String sentence) {
        var failure = assertThrows(CommandFailure.class, () -> SiteReader.read("f", text.replace('~', '\n')));
        assertEquals(ExitCode.USAGE, failure.code());
        assertTrue(failure.sentence().startsWith(sentence), failure.sentence());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"pools: [", "a: b: c", "\tpools: []", "pools: 'x", "%YAML 3.0\n---\n", "\u0000", "pools: []\n}"})
    void whatIsNoYamlIsRefusedWithALine(String text) {
        var failure = assertThrows(CommandFailure.class, () -> SiteReader.read("f", text));
        assertTrue(failure.sentence().matches("(?s)f:[0-9]+: .+"), failure.sentence());
    }

    @Test
    void neitherDepthNorAliasesExhaustAnything() {
        for (String text : List.of(
                "[".repeat(100_000), "pools: " + "[".repeat(100_000), "{a: ".repeat(50_000), "pools: &a [*a, *a]")) {
            assertThrows(CommandFailure.class, () -> SiteReader.read("f", text));
        }
    }

    private static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** What is written is read back, as YAML and as the JSON that protobuf itself writes. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatIsWrittenIsReadBack(long seed) throws InvalidProtocolBufferException {
        // Through bytes, so that a key is in a map once.
        Site site = Site.parseFrom(random(Site.newBuilder(), new Random(seed)).toByteArray());
        assertEquals(site, SiteReader.read("f", SiteWriter.write(site)), () -> SiteWriter.write(site));
        assertEquals(site, SiteReader.read("f", JsonFormat.printer().print(site)));
        assertEquals(
                site,
                SiteReader.read(
                        "f",
                        JsonFormat.printer()
                                .preservingProtoFieldNames()
                                .alwaysPrintFieldsWithNoPresence()
                                .print(site)));
    }

    private static Message random(Message.Builder message, Random random) {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isRepeated()) {
                for (int i = random.nextInt(3); i > 0; i--) {
                    message.addRepeatedField(field, value(message, field, random));
                }
            } else if (random.nextInt(4) > 0) {
                message.setField(field, value(message, field, random));
            }
        }
        return message.build();
    }

    private static Object value(Message.Builder message, FieldDescriptor field, Random random) {
        List<String> texts = List.of(
                "web",
                "1",
                "true",
                "null",
                "~",
                "",
                "10.20.0.2:80",
                "[fd00::2]:80",
                "fd00::/64",
                "a: b",
                "- a",
                "#",
                "0x1f",
                "1e3",
                "'",
                "\"",
                " x ",
                "a\nb",
                "é\u2028",
                "02:00:00:00:00:01",
                "12:30:45",
                "=",
                "<<",
                "%",
                "@",
                "`");
        return switch (field.getType()) {
            case MESSAGE -> random(message.newBuilderForField(field), random);
            case STRING -> texts.get(random.nextInt(texts.size()));
            case UINT32 -> random.nextInt();
            case UINT64 -> random.nextLong() & Long.MAX_VALUE;
            case BOOL -> random.nextBoolean();
            case BYTES -> ByteString.copyFrom(new byte[] {(byte) random.nextInt(), 0, -1});
            case ENUM ->
                field.getEnumType()
                        .getValues()
                        .get(random.nextInt(field.getEnumType().getValues().size()));
            default -> throw new IllegalStateException(field.toString());
        };
    }

    /** A bent file is read or refused with a line, whatever is bent. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void bentTextsAreReadOrRefused(long seed) {
        Random random = new Random(seed);
        String real = SiteWriter.write(random(Site.newBuilder(), new Random(seed))) + SITE;
        for (int i = 0; i < 200; i++) {
            StringBuilder bent = new StringBuilder(real);
            for (int changes = random.nextInt(1, 6); changes > 0; changes--) {
                int at = random.nextInt(bent.length());
                switch (random.nextInt(3)) {
                    case 0 -> bent.setCharAt(at, "[]{}:-,&*!|>'\"%@#~ \n\t\u0000\ud800é0a".charAt(random.nextInt(26)));
                    case 1 -> bent.deleteCharAt(at);
                    default -> bent.insert(at, bent.substring(at, Math.min(bent.length(), at + random.nextInt(40))));
                }
            }
            try {
                SiteReader.read("f", bent.toString());
            } catch (CommandFailure e) {
                assertTrue(e.sentence().matches("(?s)f:[0-9]+: .+"), e.sentence());
            }
        }
    }
}
