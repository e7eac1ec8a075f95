package io.quorumlb.node.probe;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A member on every address of this machine that behaves as told, for one connection after the other. */
final class LoopbackServer implements AutoCloseable {
    /** A request that came. */
    record Seen(String source, List<String> lines) {
        Seen {
            lines = List.copyOf(lines);
        }
    }

    /** What it does with a connection whose request it has read. */
    private interface Behaviour {
        void serve(Socket socket) throws IOException;
    }

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.ofLiteral("::"));
    private final BlockingQueue<Seen> requests = new ArrayBlockingQueue<>(16);

    private LoopbackServer(Behaviour behaviour) throws IOException {
        Thread.ofVirtual().start(() -> accept(behaviour));
    }

    static LoopbackServer answering(String answer) throws IOException {
        return new LoopbackServer(
                socket -> socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1)));
    }

    static LoopbackServer silent() throws IOException {
        return new LoopbackServer(LoopbackServer::untilClosed);
    }

    /** Sends one byte per period, which ends only when the other side has gone. */
    static LoopbackServer trickling(String answer, int periodMillis) throws IOException {
        return new LoopbackServer(socket -> {
            for (byte one : answer.getBytes(StandardCharsets.ISO_8859_1)) {
                socket.getOutputStream().write(one);
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(periodMillis));
            }
        });
    }

    int port() {
        return server.getLocalPort();
    }

    Seen seen() throws InterruptedException {
        Seen seen = requests.poll(10, TimeUnit.SECONDS);
        if (seen == null) {
            throw new AssertionError("no request came");
        }
        return seen;
    }

    private void accept(Behaviour behaviour) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                requests.add(new Seen(socket.getInetAddress().getHostAddress(), head(socket)));
                behaviour.serve(socket);
            } catch (IOException _) {
                // The prober went away, as it does after a status line, or the test is over.
            }
        }
    }

    private static List<String> head(Socket socket) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        List<String> lines = new ArrayList<>();
        for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
            lines.add(line);
        }
        return lines;
    }

    private static void untilClosed(Socket socket) throws IOException {
        if (socket.getInputStream().read() >= 0) {
            throw new IOException("more than one request");
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
