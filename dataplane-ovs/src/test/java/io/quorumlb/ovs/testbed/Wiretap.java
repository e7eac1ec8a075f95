package io.quorumlb.ovs.testbed;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A socket that hands on to another one and keeps what the other one answers. */
public final class Wiretap implements AutoCloseable {
    private final Path server;
    private final ServerSocketChannel listener;
    private final ByteArrayOutputStream answers = new ByteArrayOutputStream();

    private Wiretap(Path server, ServerSocketChannel listener) {
        this.server = server;
        this.listener = listener;
    }

    /**
     * Begins to listen.
     *
     * @param client where the client connects to; must not exist
     * @param server where the one listens that answers
     */
    public static Wiretap between(Path client, Path server) throws IOException {
        var tap = new Wiretap(
                server, ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(client)));
        var _ = Thread.ofVirtual().start(tap::serve);
        return tap;
    }

    private void serve() {
        try {
            while (true) {
                SocketChannel asking = listener.accept();
                SocketChannel answering = SocketChannel.open(UnixDomainSocketAddress.of(server));
                var _ = Thread.ofVirtual().start(() -> pump(asking, answering, new ByteArrayOutputStream()));
                var _ = Thread.ofVirtual().start(() -> pump(answering, asking, answers));
            }
        } catch (ClosedChannelException _) {
            // The recording is over.
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void pump(SocketChannel from, SocketChannel to, ByteArrayOutputStream kept) {
        var buffer = ByteBuffer.allocate(1 << 16);
        try (from;
                to) {
            while (from.read(buffer) >= 0) {
                kept.write(buffer.array(), 0, buffer.position());
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException _) {
            // One side has gone: so does the other.
        }
    }

    /** Returns all answers so far, of all connections one after the other. */
    public byte[] answers() {
        return answers.toByteArray();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
