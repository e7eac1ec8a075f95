package io.quorumlb.verify.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Times new connections at a fixed rate, whatever the answers do: connect, one HTTP request, the whole answer until the server closes. A time counts from the
 * moment when the connection was due, so that a stall is seen by all that fell into it.
 */
public final class OpenLoop {
    private static final byte[] REQUEST = "GET / HTTP/1.0\r\nHost: bench\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ANSWER = "HTTP/1.1 204".getBytes(StandardCharsets.US_ASCII);
    private static final int TIMEOUT_MILLIS = 5000;

    private final InetSocketAddress target;
    private final ConcurrentLinkedQueue<Long> nanos = new ConcurrentLinkedQueue<>();
    private final AtomicInteger failed = new AtomicInteger();

    private OpenLoop(InetSocketAddress target) {
        this.target = target;
    }

    /**
     * Arguments: address, port, connections per second, seconds of a run, runs. One more run first warms up. Prints a line per run: connections, failed ones, p50 and
     * p99 in microseconds.
     */
    public static void main(String[] arguments) {
        var target = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
        int rate = Integer.parseInt(arguments[2]);
        int connections = Math.max(1, (int) (rate * Double.parseDouble(arguments[3])));
        int runs = Integer.parseInt(arguments[4]);
        for (int run = 0; run <= runs; run++) {
            var loop = new OpenLoop(target);
            loop.connect(rate, connections);
            if (run > 0) {
                System.out.println(loop.line());
            }
        }
    }

    private void connect(int rate, int connections) {
        long start = System.nanoTime();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                long due = start + i * 1_000_000_000L / rate;
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                threads.execute(() -> exchange(due));
            }
        }
    }

    private void exchange(long due) {
        try (var socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(target, TIMEOUT_MILLIS);
            socket.getOutputStream().write(REQUEST);
            byte[] answer = socket.getInputStream().readAllBytes();
            if (Arrays.equals(Arrays.copyOf(answer, ANSWER.length), ANSWER)) {
                nanos.add(System.nanoTime() - due);
            } else {
                failed.incrementAndGet();
            }
        } catch (IOException _) {
            failed.incrementAndGet();
        }
    }

    private String line() {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        int all = sorted.length + failed.get();
        return all + " " + failed + " " + percentile(sorted, 50) + " " + percentile(sorted, 99);
    }

    private static long percentile(long[] sorted, int percent) {
        return sorted.length == 0 ? -1 : sorted[(sorted.length - 1) * percent / 100] / 1000;
    }
}
