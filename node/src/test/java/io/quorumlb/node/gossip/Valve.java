package io.quorumlb.node.gossip;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A path between two nodes that can be shut: then bytes stay where they are and connections stay open, as in a cut. */
final class Valve implements AutoCloseable {
    private final ServerSocket front = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final InetSocketAddress back;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean open = true;

    Valve(InetSocketAddress back) throws IOException {
        this.back = back;
        Thread.ofVirtual().start(this::accept);
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), front.getLocalPort());
    }

    void shut() {
        set(false);
    }

    void open() {
        set(true);
    }

    private void set(boolean value) {
        lock.lock();
        try {
            open = value;
            opened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void pass() {
        lock.lock();
        try {
            while (!open) {
                opened.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!front.isClosed()) {
            try {
                Socket in = front.accept();
                pass();
                Socket out = new Socket();
                out.connect(back);
                Thread.ofVirtual().start(() -> copy(in, out));
                Thread.ofVirtual().start(() -> copy(out, in));
            } catch (IOException _) {
                // The test is over, or the node behind is down.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] bytes = new byte[1 << 16];
        try (from;
                to) {
            for (int length = from.getInputStream().read(bytes);
                    length >= 0;
                    length = from.getInputStream().read(bytes)) {
                pass();
                to.getOutputStream().write(bytes, 0, length);
            }
        } catch (IOException _) {
            // One side closed; the other follows.
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
        open();
    }
}
