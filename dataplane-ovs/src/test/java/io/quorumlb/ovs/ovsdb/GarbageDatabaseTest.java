package io.quorumlb.ovs.ovsdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.SwitchDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Something listens on the database's socket that is no database. */
class GarbageDatabaseTest {
    private static final String EMPTY = "{\"id\":\"monitor\",\"error\":null,\"result\":{}}";

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final LinkedBlockingQueue<SwitchDatabase> said = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> failed = new LinkedBlockingQueue<>();

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "text | HTTP/1.0 400 Bad | not JSON-RPC",
                "braces without sense | {{}} | not JSON-RPC",
                "too deep | DEEP | not JSON-RPC",
                "too long | LONG | not JSON-RPC",
                "a refusal | {\"id\":\"monitor\",\"error\":{\"error\":\"unknown database\"},\"result\":null} | refused to be"
                        + " watched",
                "no tables | {\"id\":\"monitor\",\"error\":null,\"result\":7} | changes must come by table",
                "an answer nobody asked for | {\"id\":\"x\",\"error\":null,\"result\":{}} | nobody waits for",
                "a row without a column | {\"id\":\"monitor\",\"error\":null,\"result\":{\"Bridge\":{\"u\":{\"new\":{\"name\":1}}}}}"
                        + " | column name must hold a text",
                "silence after a beginning | {\"id\": | has not answered for 400 ms",
                "silence | {} | nobody waits for",
            })
    void garbageIsSaidAndNeverAHang(String name, String text, String expected) throws Exception {
        String sent = text.strip().equals("DEEP")
                ? "[".repeat(100_000) + "]".repeat(100_000)
                : text.strip().equals("LONG") ? "{\"a\":\"" + "x".repeat(5 << 20) : text.strip();
        try (var server = server();
                var _ = open()) {
            Thread serving = Thread.ofVirtual().start(() -> serve(server, sent));
            String reason = failed.poll(10, TimeUnit.SECONDS);
            assertTrue(reason != null && reason.contains(expected.strip()), () -> name + ": " + reason);
            assertEquals(List.of(), List.copyOf(said), name);
            serving.interrupt();
        }
    }

    @Test
    void aDatabaseWithoutRowsIsABridgeThatIsMissing() throws Exception {
        try (var server = server();
                var _ = open()) {
            Thread serving = Thread.ofVirtual().start(() -> serve(server, EMPTY));
            SwitchDatabase database = said.poll(10, TimeUnit.SECONDS);
            assertTrue(database != null && database.bridge().isEmpty(), () -> "" + database);
            serving.interrupt();
        }
    }

    private DatabaseClient open() {
        return DatabaseClient.open(
                directory.resolve("db.sock"),
                "br0",
                Duration.ofMillis(400),
                new DatabaseWatcher(said::add, failed::add));
    }

    private ServerSocketChannel server() throws IOException {
        var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        return server.bind(UnixDomainSocketAddress.of(directory.resolve("db.sock")));
    }

    /** Sends the text to whoever connects, then reads until the other side has had enough. */
    private static void serve(ServerSocketChannel server, String text) {
        try (SocketChannel client = server.accept()) {
            var out = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
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
