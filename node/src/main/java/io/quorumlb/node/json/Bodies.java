package io.quorumlb.node.json;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.quorumlb.node.http.Request;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Reads the bodies of requests within bounds: as long as gRPC takes them, and few long ones at a time, so that what
 * clients send cannot fill the memory of the node.
 */
final class Bodies {
    /** What gRPC takes. */
    static final int BYTES_MAX = 4 << 20;

    /** Longer ones are counted. */
    private static final int SMALL = 64 << 10;

    static final int LONG_MAX = 4;
    private final Semaphore free = new Semaphore(LONG_MAX);

    /** What is done with a body. */
    interface Work {
        Message with(byte[] body) throws Problem, InterruptedException;
    }

    /**
     * Reads the body and does the work; a long body counts until the work is done.
     *
     * @throws Problem if it is too long, comes beside too many others, or does not come whole
     */
    Message read(Request request, Work work) throws Problem, InterruptedException {
        byte[] start = next(request, SMALL);
        if (start.length < SMALL) {
            return work.with(start);
        }
        if (!free.tryAcquire()) {
            throw Problem.above(
                    HttpStatus.of(Code.RESOURCE_EXHAUSTED),
                    "body",
                    LONG_MAX,
                    "%d bodies of more than %d bytes are being worked on, the most this node takes at once: try again"
                            .formatted(LONG_MAX, SMALL));
        }
        try {
            return work.with(whole(start, request));
        } finally {
            free.release();
        }
    }

    private static byte[] whole(byte[] start, Request request) throws Problem {
        byte[] rest = next(request, BYTES_MAX - start.length + 1);
        if (start.length + rest.length > BYTES_MAX) {
            throw Problem.above(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "body",
                    BYTES_MAX,
                    "the body is longer than %d bytes, the most this node takes".formatted(BYTES_MAX));
        }
        byte[] body = new byte[start.length + rest.length];
        System.arraycopy(start, 0, body, 0, start.length);
        System.arraycopy(rest, 0, body, start.length, rest.length);
        return body;
    }

    private static byte[] next(Request request, int bytesMax) throws Problem {
        try {
            return request.body(bytesMax);
        } catch (IOException e) {
            throw Problem.unreadable(
                    "the body did not come whole: %s".formatted(Problem.excerpt(String.valueOf(e.getMessage()))));
        }
    }
}
