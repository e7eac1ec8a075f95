package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The datapath against something on the socket that is no switch. */
class GarbageServerTest {
    private static final CookieOwner OURS = new CookieOwner(0x5155_0000_0000_0000L, 0xffff_0000_0000_0000L);
    private static final String GREETING =
            "0600000800000001" + "0606002000000002" + "00006ecab7795c4400000000fe0000000000024f00000000";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "random bytes, ''",
        "a wrong version, 0415000800000007",
        "a length below 8, 0600000300000001",
        "an unknown type, 0600000800000001066300080000000100",
        "text, 485454502f312e312034303020426164",
        "an answer nobody asked for, " + GREETING + "0615000800000063",
        "an empty list in a wrong transaction, " + GREETING + "06130010000000630001000000000000",
        "a change of a flow in a wrong transaction, " + GREETING + "06130010000000630010000000000000",
        "a change of no known kind, " + GREETING + "061300180000000000100000000000000008000900000000",
        "flows before ports, " + GREETING + "06130010000000050001000000000000",
    })
    void garbageIsATypedErrorAndCounted(String name, String hex) throws IOException {
        byte[] answer = hex.isEmpty() ? noise() : HexFormat.of().parseHex(hex);
        try (var server = server();
                var datapath = datapath(Duration.ofSeconds(5))) {
            Thread serving = Thread.ofVirtual().start(() -> serve(server, answer));
            var failure = assertThrows(DatapathException.class, datapath::readBack, name);
            assertEquals(DatapathException.Outcome.UNREACHABLE, failure.outcome());
            assertTrue(failure.getMessage().contains("br0"), failure.getMessage());
            assertEquals(1, datapath.protocolErrors(), failure.getMessage());
            assertFalse(datapath.connected());
            serving.interrupt();
        }
    }

    /** Answers that nobody takes were kept without a limit. */
    @Test
    void questionsWithoutEndFromASwitchThatTakesNoAnswersAreRefused() throws IOException {
        byte[] greeting = HexFormat.of().parseHex(GREETING);
        int question = 0xfff8;
        var flood = ByteBuffer.allocate(greeting.length + 120 * question).put(greeting);
        while (flood.hasRemaining()) {
            int start = flood.position();
            flood.put((byte) 6).put((byte) 2).putShort((short) question).putInt(7);
            flood.position(start + question);
        }
        try (var server = server();
                var datapath = datapath(Duration.ofSeconds(20))) {
            Thread serving = Thread.ofVirtual().start(() -> serve(server, flood.array()));
            var failure = assertThrows(DatapathException.class, datapath::readBack);
            assertTrue(failure.getMessage().contains("takes no answers"), failure.getMessage());
            assertEquals(1, datapath.protocolErrors());
            serving.interrupt();
        }
    }

    @Test
    void afterGarbageTheNextCallConnectsAnew() throws IOException {
        try (var server = server();
                var datapath = datapath(Duration.ofSeconds(5))) {
            for (int call = 1; call <= 3; call++) {
                Thread serving = Thread.ofVirtual().start(() -> serve(server, noise()));
                assertThrows(DatapathException.class, datapath::readBack);
                assertEquals(call, datapath.protocolErrors());
                serving.interrupt();
            }
        }
    }

    @Test
    void silenceIsAnErrorInTime() throws IOException {
        try (var server = server();
                var datapath = datapath(Duration.ofSeconds(1))) {
            Thread serving = Thread.ofVirtual().start(() -> serve(server, new byte[0]));
            var failure = assertThrows(DatapathException.class, datapath::readBack);
            assertTrue(failure.getMessage().contains("not done within 1000 ms"), failure.getMessage());
            serving.interrupt();
        }
    }

    @Test
    void anAbsentSocketIsAnErrorThatNamesIt() {
        try (var datapath = datapath(Duration.ofSeconds(5))) {
            var failure = assertThrows(DatapathException.class, datapath::readBack);
            assertTrue(failure.getMessage().contains("br0.mgmt"), failure.getMessage());
            assertEquals(DatapathException.Outcome.UNREACHABLE, failure.outcome());
        }
    }

    @Test
    void aClosedDatapathStaysClosed() {
        var datapath = datapath(Duration.ofSeconds(5));
        datapath.close();
        var failure = assertThrows(DatapathException.class, datapath::readBack);
        assertTrue(failure.getMessage().contains("was closed"), failure.getMessage());
    }

    private static byte[] noise() {
        byte[] noise = new byte[4096];
        new Random(1).nextBytes(noise);
        return noise;
    }

    private OvsDatapath datapath(Duration limit) {
        return new OvsDatapath(new OvsBridge(directory, "br0", limit, Duration.ofSeconds(2)), OURS);
    }

    private ServerSocketChannel server() throws IOException {
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return server.bind(UnixDomainSocketAddress.of(directory.resolve("br0.mgmt")));
    }

    /** Sends the answer to whoever connects, then reads until the other side has had enough. */
    private static void serve(ServerSocketChannel server, byte[] answer) {
        try (SocketChannel client = server.accept()) {
            var out = ByteBuffer.wrap(answer);
            while (out.hasRemaining()) {
                client.write(out);
            }
            var in = ByteBuffer.allocate(4096);
            while (client.read(in) >= 0) {
                in.clear();
            }
        } catch (ClosedChannelException _) {
            // The test is over.
        } catch (IOException broken) {
            if (!"Broken pipe".equals(broken.getMessage()) && !"Connection reset".equals(broken.getMessage())) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}
