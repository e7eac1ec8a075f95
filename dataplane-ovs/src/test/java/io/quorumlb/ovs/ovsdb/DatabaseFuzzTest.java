package io.quorumlb.ovs.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.json.JsonObjectDecoder;
import io.quorumlb.ovs.flow.SwitchDatabase;
import io.quorumlb.ovs.testbed.Captures;
import io.quorumlb.ovs.testbed.Fuzz;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Anything may come out of the database's socket: it is rows, or a reason to end the connection. */
class DatabaseFuzzTest {
    private static final List<byte[]> REAL = Captures.texts("ovsdb-3.1.json");
    private static final Duration NET = Duration.ofMinutes(1);

    static LongStream seeds() {
        return LongStream.range(0, 4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void changesOfRows(long seed) {
        Fuzz.Tally tally = assertTimeoutPreemptively(NET, () -> Fuzz.run(seed, 20_000, REAL, DatabaseFuzzTest::taken));
        assertTrue(tally.accepted() > 200 && tally.refused() > 1_000, tally::toString);
    }

    private static boolean taken(byte[] bytes) {
        try {
            JsonNode message = JsonMapper.shared().readTree(bytes);
            JsonNode changes = message.path("method").asString("").isEmpty()
                    ? message.path("result")
                    : message.path("params").path(1);
            var rows = new Rows();
            rows.update(
                    changes.isMissingNode() || changes.isEmpty()
                            ? JsonMapper.shared().createObjectNode()
                            : changes);
            return rows.view("br0").ports().size() <= bytes.length;
        } catch (JacksonException | MalformedDatabaseException _) {
            return false;
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aWholeConnectionEndsWithAReason(long seed) {
        Fuzz.Tally tally = assertTimeoutPreemptively(NET, () -> Fuzz.run(seed, 4_000, REAL, DatabaseFuzzTest::lives));
        assertTrue(tally.accepted() > 100 && tally.refused() > 1_000, tally::toString);
    }

    private static boolean lives(byte[] bytes) {
        List<SwitchDatabase> said = new ArrayList<>();
        var handler = new DatabaseHandler("br0", Duration.ofSeconds(60), new DatabaseWatcher(said::add, _ -> {}));
        var channel = new EmbeddedChannel(new JsonObjectDecoder(4 << 20), handler);
        try {
            channel.writeInbound(Unpooled.copiedBuffer(REAL.getFirst()));
            channel.writeInbound(Unpooled.copiedBuffer(bytes));
            channel.advanceTimeBy(1, java.util.concurrent.TimeUnit.SECONDS);
            channel.runScheduledPendingTasks();
            channel.checkException();
            assertEquals(channel.isOpen(), handler.failure().isEmpty(), handler::failure);
            return channel.isOpen();
        } finally {
            channel.finishAndReleaseAll();
        }
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Each of a hundred thousand references to a port led to a hundred thousand references to an interface. */
    @Test
    void referencesThatMultiplyAreRefused() {
        String many = "[\"uuid\",\"x\"],".repeat(20_000);
        String set = "[\"set\",[" + many.substring(0, many.length() - 1) + "]]";
        var rows = new Rows();
        rows.update(json("""
                {"Bridge":{"b":{"new":{"name":"br0","datapath_type":"","fail_mode":[\"set\",[]],"controller":["set",[]],"ports":%s}}},
                 "Port":{"x":{"new":{"interfaces":%s}}},
                 "Interface":{"x":{"new":{"name":"p","type":"","ofport":1,"error":"","link_state":"up","mac_in_use":""}}}}
                """.formatted(set, set)));
        var refused = assertTimeoutPreemptively(
                NET, () -> assertThrows(MalformedDatabaseException.class, () -> rows.view("br0")));
        assertEquals("bridge br0 refers to more than 16384 interfaces", refused.getMessage());
    }

    /** Tables that nobody asked for were kept by name, without a limit. */
    @Test
    void tablesThatNobodyAskedForAreRefused() {
        var refused = assertThrows(
                MalformedDatabaseException.class, () -> new Rows().update(json("{\"Mirror\":{\"m\":{\"new\":{}}}}")));
        assertEquals("changes of table Mirror, which was not asked for", refused.getMessage());
    }

    /** Few rows can be large: sixteen thousand of four megabytes each were allowed. */
    @Test
    void rowsThatAreTooLargeTogetherAreRefused() {
        var rows = new Rows();
        String value = "x".repeat(1 << 20);
        var refused = assertThrows(MalformedDatabaseException.class, () -> {
            for (int row = 0; row < 100; row++) {
                rows.update(json("{\"Port\":{\"p%d\":{\"new\":{\"interfaces\":\"%s\"}}}}".formatted(row, value)));
            }
        });
        assertEquals("the rows to watch hold more than 33554432 characters", refused.getMessage());
    }
}
