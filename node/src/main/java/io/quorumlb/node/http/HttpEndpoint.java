package io.quorumlb.node.http;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsServer;
import io.quorumlb.maglev.Ipv4Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/**
 * A port that speaks HTTP/1.1. Every request is answered on a virtual thread of its own.
 *
 * <p>How long a client may take for its request, how long its headers and how many connections may be, is set for the
 * whole JVM by the launcher ({@code sun.net.httpserver.maxReqTime}, {@code .maxReqHeaderSize},
 * {@code jdk.httpserver.maxConnections}). For an answer a client may take ten seconds.
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final int BACKLOG = 32;
    private static final Duration SEND_MAX = Duration.ofSeconds(10);

    private final List<HttpServer> servers = new ArrayList<>();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("http-", 0).factory());
    private final Exchanges exchanges;

    private HttpEndpoint(Exchanges exchanges) {
        this.exchanges = exchanges;
    }

    /**
     * Opens the port for {@code GET /metrics}, {@code /healthz} (the process is alive) and {@code /readyz} (200 if the
     * node takes traffic, else 503 with the reason).
     *
     * @param addresses own addresses; never 0.0.0.0, since everybody who reaches the port is answered
     * @param port 1..65535, or 0 for any free one on each address
     * @param pages what is answered
     * @throws IOException naming address and port if it cannot be opened; nothing stays open then
     */
    public static HttpEndpoint start(SortedSet<Ipv4Address> addresses, int port, Pages pages) throws IOException {
        return start(addresses, port, new PageHandler(pages));
    }

    /**
     * Opens the port on each address and answers from now on.
     *
     * @param addresses own addresses; never 0.0.0.0, since everybody who reaches the port is answered
     * @param port 1..65535, or 0 for any free one on each address
     * @param answers called for each request, on its own thread; may block
     * @throws IOException naming address and port if it cannot be opened; nothing stays open then
     */
    public static HttpEndpoint start(SortedSet<Ipv4Address> addresses, int port, Function<Request, Answer> answers)
            throws IOException {
        return start(addresses, port, answers, SEND_MAX, Optional.empty());
    }

    /**
     * Opens the port for TLS on each address; clients may show certificates. As {@link #start(SortedSet, int, Function)} else.
     *
     * @param tls the node's side
     */
    public static HttpEndpoint start(
            SortedSet<Ipv4Address> addresses, int port, Function<Request, Answer> answers, SSLContext tls)
            throws IOException {
        return start(addresses, port, answers, SEND_MAX, Optional.of(tls));
    }

    static HttpEndpoint start(
            SortedSet<Ipv4Address> addresses, int port, Function<Request, Answer> answers, Duration sendMax)
            throws IOException {
        return start(addresses, port, answers, sendMax, Optional.empty());
    }

    private static HttpEndpoint start(
            SortedSet<Ipv4Address> addresses,
            int port,
            Function<Request, Answer> answers,
            Duration sendMax,
            Optional<SSLContext> tls)
            throws IOException {
        var endpoint = new HttpEndpoint(new Exchanges(answers, sendMax));
        try {
            for (Ipv4Address address : addresses) {
                HttpServer server = open(address, port, tls);
                endpoint.servers.add(server);
                server.setExecutor(endpoint.threads);
                server.createContext("/", endpoint.exchanges);
                server.start();
            }
        } catch (IOException e) {
            endpoint.close();
            throw e;
        }
        return endpoint;
    }

    private static HttpServer open(Ipv4Address address, int port, Optional<SSLContext> tls) throws IOException {
        var at = new InetSocketAddress(InetAddress.ofLiteral(address.toString()), port);
        try {
            if (tls.isEmpty()) {
                return HttpServer.create(at, BACKLOG);
            }
            HttpsServer server = HttpsServer.create(at, BACKLOG);
            server.setHttpsConfigurator(new Handshakes(tls.get()));
            return server;
        } catch (IOException e) {
            throw new IOException(
                    "HTTP port %s:%d cannot be opened (%s): is another process using it, and is the address this host's?"
                            .formatted(address, port, e.getMessage()),
                    e);
        }
    }

    /** Returns where the endpoint listens, in the order of the addresses. */
    public List<InetSocketAddress> listening() {
        return servers.stream().map(HttpServer::getAddress).toList();
    }

    /** Closes the port at once. */
    @Override
    public void close() {
        servers.forEach(server -> server.stop(0));
        threads.shutdownNow();
        exchanges.close();
    }
}
