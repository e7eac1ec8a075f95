package io.quorumlb.node.gossip;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.Beat;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.MemberCounters;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TracedPacket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/** The receiving half of a node, on loopback. */
final class Peer implements AutoCloseable {
    static final NodeId N1 = new NodeId("n1");
    static final NodeId N2 = new NodeId("n2");
    static final NodeId N3 = new NodeId("n3");

    final HandLog log = new HandLog();
    final PeerTally tally = new PeerTally();
    private final BlockingQueue<GossipMessage> heard = new LinkedBlockingQueue<>();
    /** What it would do with a packet. */
    volatile Function<TracedPacket, NodeTrace> tracer = packet -> NodeTrace.newBuilder()
            .setNode("a liar")
            .setMember(packet.getSourceAddress())
            .build();

    private final Server server;
    private final int boundPort;

    private Peer(int port, NodeSettings settings, Consumer<GossipMessage> first) throws IOException {
        PeerEndpoint endpoint = new PeerEndpoint(
                settings,
                (_, message) -> {
                    first.accept(message);
                    heard.add(message);
                },
                log,
                wanted -> NodeCounters.newBuilder()
                        .setNode("a liar")
                        .addMembers(MemberCounters.newBuilder().setPool(wanted.getPool()))
                        .build(),
                packet -> tracer.apply(packet),
                _ -> NodeProbes.newBuilder().setNode("a liar").setStreak(3).build(),
                List::of,
                () -> Examination.newBuilder()
                        .setNode("a liar")
                        .setAnswered(true)
                        .build(),
                tally);
        server = start(port, endpoint);
        boundPort = server.getPort();
    }

    /** A server says that it has terminated shortly before its selector lets go of the port. */
    private static Server start(int port, PeerEndpoint endpoint) throws IOException {
        long start = System.nanoTime();
        while (true) {
            try {
                return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                        .executor(Executors.newVirtualThreadPerTaskExecutor())
                        .maxInboundMessageSize(PeerEndpoint.MESSAGE_BYTES_MAX)
                        .addService(endpoint)
                        .addService(new HealthStatusManager().getHealthService())
                        .build()
                        .start();
            } catch (IOException e) {
                if (port == 0 || System.nanoTime() - start > TimeUnit.SECONDS.toNanos(10)) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            }
        }
    }

    static Peer n2(int port) throws IOException {
        return new Peer(port, settings(N2), _ -> {});
    }

    /** Calls the consumer, which may block, before it hears a message. */
    static Peer n2(Consumer<GossipMessage> first) throws IOException {
        return new Peer(0, settings(N2), first);
    }

    static NodeSettings settings(NodeId self) {
        return settings("site", self, List.of(N1, N2, N3));
    }

    static NodeSettings settings(String clusterId, NodeId self, List<NodeId> voters) {
        return new NodeSettings(
                clusterId,
                self,
                new TreeSet<>(voters),
                1,
                new Attachment("x-uplink", "uplink"),
                Ipv4Address.parse("10.10.0.1"),
                new TreeMap<>());
    }

    int port() {
        return boundPort;
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port());
    }

    GossipMessage hears() throws InterruptedException {
        GossipMessage message = heard.poll(20, TimeUnit.SECONDS);
        if (message == null) {
            throw new AssertionError("nothing was heard");
        }
        return message;
    }

    Beat hearsBeat() throws InterruptedException {
        return hears().beats().getFirst();
    }

    boolean heardNothing() {
        return heard.isEmpty();
    }

    @Override
    public void close() {
        try {
            server.shutdownNow().awaitTermination();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
