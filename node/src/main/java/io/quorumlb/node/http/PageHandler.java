package io.quorumlb.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers one request at a time per connection, a bounded number at once. */
final class PageHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PageHandler.class);
    private static final int IN_FLIGHT_MAX = 16;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int METHOD_NOT_ALLOWED = 405;
    private static final int INTERNAL_ERROR = 500;
    private static final int UNAVAILABLE = 503;
    private static final int NO_BODY = -1;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private final Pages pages;
    private final Semaphore free = new Semaphore(IN_FLIGHT_MAX);

    PageHandler(Pages pages) {
        this.pages = pages;
    }

    /** One answer. */
    private record Page(int status, String type, String body) {
        static Page text(int status, String line) {
            return new Page(status, TEXT, line + "\n");
        }
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            if (!free.tryAcquire()) {
                exchange.getResponseHeaders().set("Retry-After", "1");
                send(exchange, Page.text(UNAVAILABLE, "busy: " + IN_FLIGHT_MAX + " requests are being answered"));
                return;
            }
            try {
                send(exchange, answer(exchange));
            } finally {
                free.release();
            }
        }
    }

    private Page answer(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            return Page.text(METHOD_NOT_ALLOWED, "only GET and HEAD are answered here");
        }
        try {
            return switch (exchange.getRequestURI().getPath()) {
                case "/metrics" -> new Page(OK, PROMETHEUS_TEXT, pages.metrics().get());
                case "/healthz" -> Page.text(OK, "alive");
                case "/readyz" ->
                    pages.notReady()
                            .get()
                            .map(reason -> Page.text(UNAVAILABLE, "not ready: " + reason))
                            .orElseGet(() -> Page.text(OK, "ready"));
                case null, default -> Page.text(NOT_FOUND, "known here: /metrics, /healthz, /readyz");
            };
        } catch (RuntimeException e) {
            LOG.error("request failed path={}", exchange.getRequestURI().getPath(), e);
            return Page.text(INTERNAL_ERROR, "this is a defect of the node; its log says more");
        }
    }

    private static void send(HttpExchange exchange, Page page) throws IOException {
        byte[] body = page.body().getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", page.type());
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(body.length));
            exchange.sendResponseHeaders(page.status(), NO_BODY);
            return;
        }
        exchange.sendResponseHeaders(page.status(), body.length);
        exchange.getResponseBody().write(body);
    }
}
