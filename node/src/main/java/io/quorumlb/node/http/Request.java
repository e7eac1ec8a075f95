package io.quorumlb.node.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** One HTTP request; only while it is being answered. */
public final class Request {
    private final HttpExchange exchange;

    Request(HttpExchange exchange) {
        this.exchange = exchange;
    }

    /** Returns the method as the client wrote it, for example {@code GET}. */
    public String method() {
        return exchange.getRequestMethod();
    }

    /** Returns the path without the query, decoded; empty if the client gave none. */
    public String path() {
        return Optional.ofNullable(exchange.getRequestURI().getPath()).orElse("");
    }

    /** Returns the first value of a header, empty if there is none. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst(name));
    }

    /** Returns the client's address and port. */
    public InetSocketAddress from() {
        return exchange.getRemoteAddress();
    }

    /** Returns the TLS session of the connection; empty without TLS. */
    public Optional<SSLSession> session() {
        return exchange instanceof HttpsExchange secured ? Optional.of(secured.getSSLSession()) : Optional.empty();
    }

    /**
     * Returns the next bytes of the body, fewer than asked for only at its end. Who sends slowly is cut off by the server.
     *
     * @param bytesMax how many at most, not negative
     * @throws IOException if the body is malformed or the connection ends
     */
    public byte[] body(int bytesMax) throws IOException {
        try {
            return exchange.getRequestBody().readNBytes(bytesMax);
        } catch (IndexOutOfBoundsException e) {
            // The JDK's reader of chunks does not expect lengths above its own.
            throw new IOException("length of a chunk", e);
        }
    }
}
