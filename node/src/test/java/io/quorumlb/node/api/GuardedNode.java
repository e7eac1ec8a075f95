package io.quorumlb.node.api;

import io.grpc.ChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerServiceDefinition;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.MetadataUtils;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.access.Access;
import io.quorumlb.node.access.AccessSettings;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerEndpoint;
import io.quorumlb.node.gossip.PeerTally;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.node.json.JsonGateway;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A node on loopback that serves clients over TLS on both ports, and only those who say who they are. */
final class GuardedNode implements AutoCloseable {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    final LoneNode inner = LoneNode.leading();
    private final Access access;
    private final ApiServer grpc;
    private final HttpEndpoint json;
    private final List<ManagedChannel> channels = new ArrayList<>();

    GuardedNode(AccessSettings settings) throws IOException {
        access = Access.open(settings, LoneNode.N1, _ -> {});
        var control = new ControlEndpoint(
                inner.watch,
                inner.log,
                inner.links,
                inner.journal,
                _ -> NodeTrace.getDefaultInstance(),
                access::refused,
                Examination::getDefaultInstance,
                System::nanoTime);
        ServerServiceDefinition guarded = access.guarded(control);
        grpc = ApiServer.start(
                new ApiServer.Addresses(InetAddress.ofLiteral("127.0.0.4"), 0, 0),
                new ApiServer.Clients(guarded, access.grpc(), ApiServer.Reach.LOOPBACK),
                new PeerEndpoint(
                        inner.watch.current().settings(),
                        (_, _) -> {},
                        inner.log,
                        _ -> NodeCounters.getDefaultInstance(),
                        _ -> NodeTrace.getDefaultInstance(),
                        _ -> NodeProbes.getDefaultInstance(),
                        access::refused,
                        Examination::getDefaultInstance,
                        new PeerTally()),
                inner.watch,
                NodeState::ready);
        json = HttpEndpoint.start(
                new TreeSet<>(List.of(Ipv4Address.parse("127.0.0.1"))),
                0,
                new JsonGateway(guarded),
                access.tls().orElseThrow());
    }

    int jsonPort() {
        return json.listening().getFirst().getPort();
    }

    ManagedChannel channel(ChannelCredentials credentials) {
        ManagedChannel channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), grpc.apiPort()), credentials)
                .overrideAuthority("127.0.0.1")
                .build();
        channels.add(channel);
        return channel;
    }

    ControlServiceGrpc.ControlServiceBlockingStub api(TlsChannelCredentials.Builder credentials) {
        return ControlServiceGrpc.newBlockingStub(channel(credentials.build())).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    ControlServiceGrpc.ControlServiceBlockingStub api(TlsChannelCredentials.Builder credentials, String token) {
        Metadata headers = new Metadata();
        headers.put(AUTHORIZATION, "Bearer " + token);
        return api(credentials).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
        json.close();
        grpc.close();
        access.close();
        inner.close();
    }
}
