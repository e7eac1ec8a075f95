package io.quorumlb.node.http;

import java.util.concurrent.Semaphore;
import java.util.function.Function;

/** Answers with the node's pages, a bounded number at once. */
final class PageHandler implements Function<Request, Answer> {
    private static final int IN_FLIGHT_MAX = 16;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int UNAVAILABLE = 503;
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final Pages pages;
    private final Semaphore free = new Semaphore(IN_FLIGHT_MAX);

    PageHandler(Pages pages) {
        this.pages = pages;
    }

    @Override
    public Answer apply(Request request) {
        if (!free.tryAcquire()) {
            return Answer.line(UNAVAILABLE, "busy: " + IN_FLIGHT_MAX + " requests are being answered")
                    .with("Retry-After", "1");
        }
        try {
            return answer(request);
        } finally {
            free.release();
        }
    }

    private Answer answer(Request request) {
        if (!request.method().equals("GET") && !request.method().equals("HEAD")) {
            return Answer.line(METHOD_NOT_ALLOWED, "only GET and HEAD are answered here")
                    .with("Allow", "GET, HEAD");
        }
        return switch (request.path()) {
            case "/metrics" -> Answer.text(OK, PROMETHEUS_TEXT, pages.metrics().get());
            case "/healthz" -> Answer.line(OK, "alive");
            case "/readyz" ->
                pages.notReady()
                        .get()
                        .map(reason -> Answer.line(UNAVAILABLE, "not ready: " + reason))
                        .orElseGet(() -> Answer.line(OK, "ready"));
            default -> Answer.line(NOT_FOUND, "known here: /metrics, /healthz, /readyz");
        };
    }
}
