package io.quorumlb.node.http;

import com.sun.net.httpserver.HttpServer;
import io.quorumlb.maglev.Ipv4Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The node's HTTP port: {@code GET /metrics}, {@code /healthz} (the process is alive) and {@code /readyz} (200 if the
 * node takes traffic, else 503 with the reason).
 *
 * <p>How long a client may take for its request and how many connections may be open is set for the whole JVM by the
 * launcher ({@code sun.net.httpserver.maxReqTime}, {@code jdk.httpserver.maxConnections}).
 */
public final class HttpEndpoint implements AutoCloseable {
    private static final int BACKLOG = 32;

    private final List<HttpServer> servers;
    private final ExecutorService threads;

    private HttpEndpoint(List<HttpServer> servers, ExecutorService threads) {
        this.servers = servers;
        this.threads = threads;
    }

    /**
     * Opens the port on each address and answers from now on.
     *
     * @param addresses own addresses; never 0.0.0.0, since everybody who reaches the port is answered
     * @param port 1..65535, or 0 for any free one on each address
     * @param pages what is answered
     * @throws IOException naming address and port if it cannot be opened; nothing stays open then
     */
    public static HttpEndpoint start(SortedSet<Ipv4Address> addresses, int port, Pages pages) throws IOException {
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("http-", 0).factory());
        var endpoint = new HttpEndpoint(new ArrayList<>(), threads);
        var handler = new PageHandler(pages);
        try {
            for (Ipv4Address address : addresses) {
                HttpServer server = open(address, port);
                endpoint.servers.add(server);
                server.setExecutor(threads);
                server.createContext("/", handler);
                server.start();
            }
        } catch (IOException e) {
            endpoint.close();
            throw e;
        }
        return endpoint;
    }

    private static HttpServer open(Ipv4Address address, int port) throws IOException {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral(address.toString()), port), BACKLOG);
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
    }
}
