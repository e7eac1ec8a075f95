package io.quorumlb.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers each request on a thread of its own; cuts off clients that do not take their answers. */
final class Exchanges implements HttpHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Exchanges.class);
    private static final int INTERNAL_ERROR = 500;
    private static final int NO_BODY = -1;

    private final Function<Request, Answer> answers;
    private final Duration sendMax;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("http-timer").factory());

    /**
     * Makes the handler.
     *
     * @param sendMax how long a client may take for an answer
     */
    Exchanges(Function<Request, Answer> answers, Duration sendMax) {
        this.answers = answers;
        this.sendMax = sendMax;
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = answer(new Request(exchange));
            // The interrupt closes the socket, which ends a write that the client does not let finish.
            ScheduledFuture<?> limit =
                    timer.schedule(Thread.currentThread()::interrupt, sendMax.toNanos(), TimeUnit.NANOSECONDS);
            try {
                send(exchange, answer);
            } finally {
                limit.cancel(false);
            }
        }
    }

    private Answer answer(Request request) {
        try {
            return answers.apply(request);
        } catch (RuntimeException e) {
            LOG.error("request failed path={}", request.path(), e);
            return Answer.line(INTERNAL_ERROR, "this is a defect of the node; its log says more");
        }
    }

    private static void send(HttpExchange exchange, Answer answer) throws IOException {
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        answer.headers().forEach(exchange.getResponseHeaders()::set);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        if (head || answer.length() == 0) {
            if (head) {
                exchange.getResponseHeaders().set("Content-Length", Integer.toString(answer.length()));
            }
            exchange.sendResponseHeaders(answer.status(), NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(answer.status(), answer.length());
        // Closed here: the exchange closes the request's body first, and a client that has not sent it all gets no
        // answer.
        try (OutputStream body = exchange.getResponseBody()) {
            answer.writeTo(body);
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
