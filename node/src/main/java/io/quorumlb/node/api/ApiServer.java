package io.quorumlb.node.api;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerEndpoint;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The gRPC servers of a node: the control service with health and reflection on the control address and on loopback,
 * the peer service on the control address only. Every call runs on a virtual thread of its own.
 */
public final class ApiServer implements AutoCloseable {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");
    private static final int CALLS_PER_CONNECTION_MAX = 128;
    private static final Duration STOP_MAX = Duration.ofSeconds(1);
    /** Only how long a change could stay unseen if no state were published at all. */
    private static final Duration READY_CHECK = Duration.ofMinutes(1);

    private final ExecutorService calls = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("call-", 0).factory());
    private final HealthStatusManager health = new HealthStatusManager();
    private final HealthStatusManager alive = new HealthStatusManager();
    private final List<Server> servers = new ArrayList<>();
    private final Thread readiness;

    /**
     * Where to listen.
     *
     * @param control the node's address on the control network
     * @param api port of the control service
     * @param peer port of the peer service
     */
    public record Addresses(InetAddress control, int api, int peer) {}

    /** Where clients are served. */
    public enum Reach {
        /** On the node's address on the control network, and on loopback. */
        CONTROL_AND_LOOPBACK,
        /** On loopback only. */
        LOOPBACK
    }

    /**
     * What clients get.
     *
     * @param control the control service, behind its guard if it has one
     * @param credentials with TLS or without
     * @param reach where they are served
     */
    public record Clients(ServerServiceDefinition control, ServerCredentials credentials, Reach reach) {}

    private ApiServer(StateWatch watch, Predicate<NodeState> ready) {
        readiness = Thread.ofVirtual().name("api-readiness").unstarted(() -> followReadiness(watch, ready));
    }

    /**
     * Starts the servers.
     *
     * @param addresses where to listen
     * @param clients what clients get, and where
     * @param peer the peer service
     * @param watch the node's state
     * @param ready true while the health service is to say SERVING; asked of each new state
     * @throws IOException naming address and port that could not be listened on; nothing is left open then
     */
    public static ApiServer start(
            Addresses addresses, Clients clients, PeerEndpoint peer, StateWatch watch, Predicate<NodeState> ready)
            throws IOException {
        ApiServer server = new ApiServer(watch, ready);
        try {
            server.listen(addresses, clients, peer);
        } catch (IOException e) {
            server.close();
            throw e;
        }
        server.readiness.start();
        return server;
    }

    /** Returns the port of the peer service. */
    public int peerPort() {
        return servers.getFirst().getPort();
    }

    /** Returns the port of the control service on the first address that it is served on. */
    public int apiPort() {
        return servers.get(1).getPort();
    }

    private void listen(Addresses addresses, Clients clients, PeerEndpoint peer) throws IOException {
        open(
                addresses.control(),
                addresses.peer(),
                InsecureServerCredentials.create(),
                builder -> builder.maxInboundMessageSize(PeerEndpoint.MESSAGE_BYTES_MAX)
                        // A peer that was cut off must not leave its streams behind.
                        .keepAliveTime(2, TimeUnit.SECONDS)
                        .keepAliveTimeout(2, TimeUnit.SECONDS)
                        .addService(peer)
                        // Peers ask it whether this process lives, whatever its readiness.
                        .addService(alive.getHealthService()));
        LinkedHashSet<InetAddress> apiAddresses = new LinkedHashSet<>(
                switch (clients.reach()) {
                    case CONTROL_AND_LOOPBACK -> List.of(addresses.control(), LOOPBACK);
                    case LOOPBACK -> List.of(LOOPBACK);
                });
        for (InetAddress address : apiAddresses) {
            open(
                    address,
                    addresses.api(),
                    clients.credentials(),
                    builder -> builder.keepAliveTime(30, TimeUnit.SECONDS)
                            .addService(clients.control())
                            .addService(health.getHealthService())
                            .addService(ProtoReflectionServiceV1.newInstance()));
        }
    }

    private void open(
            InetAddress address, int port, ServerCredentials credentials, UnaryOperator<NettyServerBuilder> services)
            throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(address, port), credentials)
                .executor(calls)
                .maxConcurrentCallsPerConnection(CALLS_PER_CONNECTION_MAX)
                .permitKeepAliveTime(1, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
        try {
            servers.add(services.apply(builder).build().start());
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on %s:%d: %s; free the port or configure another"
                            .formatted(address.getHostAddress(), port, reason(e)),
                    e);
        }
    }

    private static String reason(IOException e) {
        String reason = String.valueOf(e.getMessage());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            reason = String.valueOf(cause.getMessage());
        }
        return reason;
    }

    private void followReadiness(StateWatch watch, Predicate<NodeState> ready) {
        try {
            while (true) {
                boolean serving = ready.test(watch.current());
                ServingStatus status = serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
                health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
                health.setStatus(ControlServiceGrpc.SERVICE_NAME, status);
                boolean _ = watch.await(state -> ready.test(state) != serving, READY_CHECK);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops listening, ends what is still under way after a second. */
    @Override
    public void close() {
        readiness.interrupt();
        servers.forEach(Server::shutdown);
        long end = System.nanoTime() + STOP_MAX.toNanos();
        try {
            for (Server server : servers) {
                if (!server.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    server.shutdownNow().awaitTermination();
                }
            }
        } catch (InterruptedException _) {
            servers.forEach(Server::shutdownNow);
            Thread.currentThread().interrupt();
        }
        calls.shutdownNow();
    }
}
