package io.quorumlb.verify.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;

/** A TCP connection from one node to another that can be cut: a relay on the loopback interface. */
final class CutLink implements AutoCloseable {
    private static final int BACKLOG = 16;

    private final ServerSocket entrance;
    private final InetSocketAddress target;
    private final Set<Socket> open = new HashSet<>();
    private boolean cut;

    /** Relays to a port of the loopback interface, from a port of its own. */
    CutLink(int targetPort) throws IOException {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort);
        entrance = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("link-" + entrance.getLocalPort()).start(this::accept);
    }

    /** Returns the port that leads to the target. */
    int port() {
        return entrance.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                relay(entrance.accept());
            }
        } catch (IOException closed) {
            // The link is taken down.
            cut();
        }
    }

    private void relay(Socket near) {
        Socket far = new Socket();
        try {
            if (!admitted(near, far)) {
                return;
            }
            far.connect(target);
        } catch (IOException nobodyThere) {
            end(near, far);
            return;
        }
        Thread.ofVirtual().start(() -> pump(near, far));
        Thread.ofVirtual().start(() -> pump(far, near));
    }

    private synchronized boolean admitted(Socket near, Socket far) throws IOException {
        if (cut) {
            near.close();
            return false;
        }
        open.add(near);
        open.add(far);
        return true;
    }

    private void pump(Socket from, Socket to) {
        try {
            var _ = from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // One side has gone, or the link was cut.
        }
        end(from, to);
    }

    private synchronized void end(Socket one, Socket other) {
        close(one);
        close(other);
        open.remove(one);
        open.remove(other);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a socket", e);
        }
    }

    /** Breaks all connections; new ones end at once. */
    synchronized void cut() {
        cut = true;
        open.forEach(CutLink::close);
        open.clear();
    }

    /** Lets new connections through again. */
    synchronized void heal() {
        cut = false;
    }

    @Override
    public void close() {
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a link", e);
        }
    }
}
