package io.quorumlb.node.announce;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A connection to BIRD's control socket with one deadline for everything that is asked over it. Lines of text, each
 * with a four-digit code; see "Remote control" in BIRD's documentation and {@code doc/reply_codes} in its source.
 */
final class BirdSession implements AutoCloseable {
    private static final int REPLY_BYTES_MAX = 1 << 20;
    private static final int READ_BYTES = 8192;
    private static final int GREETING = 1;

    private final Path socket;
    private final Duration limit;
    private final long deadlineNanos;
    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer input = ByteBuffer.allocate(READ_BYTES).flip();

    private BirdSession(Path socket, Duration limit, long deadlineNanos, SocketChannel channel, Selector selector) {
        this.socket = socket;
        this.limit = limit;
        this.deadlineNanos = deadlineNanos;
        this.channel = channel;
        this.selector = selector;
    }

    /**
     * Connects and waits for BIRD's greeting.
     *
     * @param socket path of the control socket
     * @param limit time for the whole session
     * @throws BirdException if nobody listens there, or not BIRD, or it is silent
     */
    static BirdSession open(Path socket, Duration limit) throws BirdException {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        BirdSession session = connect(socket, limit, deadlineNanos);
        try {
            BirdReply greeting = session.readReply();
            if (greeting.lines().getLast().code() != GREETING) {
                throw new BirdException("BIRD at %s greets with '%s', '0001 BIRD ... ready.' expected"
                        .formatted(socket, greeting.summary()));
            }
            return session;
        } catch (BirdException e) {
            session.close();
            throw e;
        }
    }

    private static BirdSession connect(Path socket, Duration limit, long deadlineNanos) throws BirdException {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.configureBlocking(false);
            if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
                throw new IOException("its queue of connections is full");
            }
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new BirdSession(socket, limit, deadlineNanos, channel, selector);
        } catch (IOException e) {
            if (channel != null) {
                closeQuietly(channel);
            }
            throw new BirdException(
                    "BIRD cannot be reached at %s (%s): is it running?".formatted(socket, e.getMessage()), e);
        }
    }

    /**
     * Sends one command and returns the reply, whatever it says.
     *
     * @throws BirdException if the reply does not come in time or is not of BIRD's protocol
     */
    BirdReply ask(String command) throws BirdException {
        ByteBuffer bytes = ByteBuffer.wrap((command + "\n").getBytes(StandardCharsets.US_ASCII));
        try {
            while (bytes.hasRemaining()) {
                if (channel.write(bytes) == 0) {
                    await(SelectionKey.OP_WRITE);
                }
            }
        } catch (IOException e) {
            throw lost(e);
        }
        return readReply();
    }

    /**
     * Sends one command and returns the reply.
     *
     * @throws BirdException also if BIRD refuses
     */
    BirdReply require(String command) throws BirdException {
        BirdReply reply = ask(command);
        if (reply.failed()) {
            throw new BirdException("BIRD refuses '%s': %s".formatted(command, reply.summary()));
        }
        return reply;
    }

    private BirdReply readReply() throws BirdException {
        var assembler = new BirdReply.Assembler();
        int bytesLeft = REPLY_BYTES_MAX;
        while (true) {
            String line = readLine(bytesLeft);
            // A character takes as many as three bytes.
            bytesLeft -= line.getBytes(StandardCharsets.UTF_8).length + 1;
            if (assembler.add(line)) {
                return assembler.reply();
            }
        }
    }

    private String readLine(int bytesMax) throws BirdException {
        var line = new ByteArrayOutputStream();
        try {
            while (true) {
                while (input.hasRemaining()) {
                    byte next = input.get();
                    if (next == '\n') {
                        return line.toString(StandardCharsets.UTF_8);
                    }
                    line.write(next);
                    if (line.size() >= bytesMax) {
                        throw new BirdException(
                                "BIRD at %s sends a reply longer than %d bytes".formatted(socket, REPLY_BYTES_MAX));
                    }
                }
                fill();
            }
        } catch (IOException e) {
            throw lost(e);
        }
    }

    private void fill() throws IOException, BirdException {
        input.clear();
        int count = channel.read(input);
        input.flip();
        if (count < 0) {
            throw new BirdException("BIRD at %s closed the connection before it answered".formatted(socket));
        }
        if (count == 0) {
            await(SelectionKey.OP_READ);
        }
    }

    private void await(int operation) throws IOException, BirdException {
        long leftNanos = deadlineNanos - System.nanoTime();
        if (leftNanos <= 0) {
            throw new BirdException("BIRD at %s does not answer within %d ms".formatted(socket, limit.toMillis()));
        }
        channel.keyFor(selector).interestOps(operation);
        selector.select(Duration.ofNanos(leftNanos).toMillis() + 1);
        selector.selectedKeys().clear();
        if (Thread.currentThread().isInterrupted()) {
            throw new BirdException("the wait for BIRD's answer was interrupted");
        }
    }

    private BirdException lost(IOException e) {
        return new BirdException("the connection to BIRD at %s broke: %s".formatted(socket, e.getMessage()), e);
    }

    @Override
    public void close() {
        closeQuietly(selector);
        closeQuietly(channel);
    }

    private static void closeQuietly(Closeable resource) {
        try {
            resource.close();
        } catch (IOException _) {
            // Nothing is buffered in it, so there is nothing to lose and nobody to tell.
        }
    }
}
