package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GossipRequest;
import io.quorumlb.proto.v1.GossipResponse;
import io.quorumlb.proto.v1.PeerServiceGrpc;
import io.quorumlb.proto.v1.ProposeRequest;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong is refused clearly and changes nothing. */
@ClusterTest
@Order(7)
final class RefusalIT {
    private static final String NODE = "n2";
    private static final int PEER_PORT = 7402;
    private static final int HTTP_PORT = 7480;
    private static final int USAGE = 64;

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "s/raft: 7401/raft: 99999/ | ports.raft",
                "s/^node: n2/node: [/      | node",
            })
    void aWrongConfigurationIsNamedAndExits64(String edit, String field, Site site) {
        Container node = site.container(NODE);
        node.shell("sed -e '%s' /etc/quorumlb/node.yaml > /run/wrong.yaml".formatted(edit));
        assertTrue(
                node.exec("cmp", "-s", "/etc/quorumlb/node.yaml", "/run/wrong.yaml")
                                .status()
                        != 0,
                "edit did nothing");
        Container.Output output = node.exec("/opt/quorumlb/lbnode/bin/lbnode", "--check", "/run/wrong.yaml");
        assertEquals(USAGE, output.status(), output.toString());
        assertTrue(output.err().contains(field), output.err());
        assertTrue(output.err().contains("wrong.yaml"), output.err());
        assertTrue(!output.err().contains("\tat "), output.err());
    }

    @Test
    void theRightConfigurationPasses(Site site) {
        Container.Output output =
                site.container(NODE).exec("/opt/quorumlb/lbnode/bin/lbnode", "--check", "/etc/quorumlb/node.yaml");
        assertEquals(0, output.status(), output.toString());
    }

    @ParameterizedTest
    @CsvSource({"other-site, n1", "quorumlb-site, n9", "quorumlb-site, n2", "'', n1", "quorumlb-site, ''"})
    void aStrangerOnThePeerPortIsRefusedAndCounted(String cluster, String caller, Site site) throws Exception {
        GetClusterStatusResponse before = site.api(NODE).status();
        double counted = refused(site);
        ManagedChannel channel = ManagedChannelBuilder.forAddress(site.api(NODE).address(), PEER_PORT)
                .usePlaintext()
                .build();
        try {
            Caller stranger =
                    Caller.newBuilder().setClusterId(cluster).setNode(caller).build();
            Status proposal = assertThrows(
                            StatusRuntimeException.class,
                            () -> PeerServiceGrpc.newBlockingStub(channel)
                                    .withDeadlineAfter(5, TimeUnit.SECONDS)
                                    .propose(ProposeRequest.newBuilder()
                                            .setCaller(stranger)
                                            .build()))
                    .getStatus();
            assertEquals(Status.Code.PERMISSION_DENIED, proposal.getCode(), proposal.toString());
            Status gossip = gossip(channel, stranger);
            assertEquals(Status.Code.PERMISSION_DENIED, gossip.getCode(), gossip.toString());
        } finally {
            channel.shutdownNow();
        }
        assertEquals(counted + 2, refused(site), "counted refusals");
        assertUnchanged(site, before);
    }

    private static Status gossip(ManagedChannel channel, Caller stranger) throws Exception {
        CompletableFuture<Status> end = new CompletableFuture<>();
        StreamObserver<GossipRequest> stream = PeerServiceGrpc.newStub(channel).gossip(new StreamObserver<>() {
            @Override
            public void onNext(GossipResponse response) {
                // Only the end counts.
            }

            @Override
            public void onError(Throwable cause) {
                end.complete(Status.fromThrowable(cause));
            }

            @Override
            public void onCompleted() {
                end.complete(Status.OK);
            }
        });
        stream.onNext(GossipRequest.newBuilder().setCaller(stranger).build());
        return end.get(5, TimeUnit.SECONDS);
    }

    /** Sums the counters of refused peer calls of all reasons. */
    private static double refused(Site site) throws IOException, InterruptedException {
        return metrics(site)
                .lines()
                .filter(line -> line.startsWith("quorumlb_peers_refused_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static String metrics(Site site) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(
                            "http://%s:%d/metrics".formatted(site.api(NODE).address(), HTTP_PORT)))
                    .timeout(Duration.ofSeconds(5))
                    .build();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertEquals(200, response.statusCode(), response.body());
            return response.body();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {7400, 7401, 7402, 7403, 7480})
    void garbageOnAPortChangesNothing(int port, Site site) {
        GetClusterStatusResponse before = site.api(NODE).status();
        var random = new Random(port);
        for (int connection = 0; connection < 20; connection++) {
            byte[] garbage = new byte[1 + random.nextInt(20_000)];
            random.nextBytes(garbage);
            send(site.api(NODE).address(), port, garbage);
        }
        // A length of 2 GB that never comes, and a client that says nothing.
        send(site.api(NODE).address(), port, new byte[] {0x7f, -1, -1, -1, 0, 0});
        send(site.api(NODE).address(), port, new byte[0]);
        assertUnchanged(site, before);
    }

    private static void send(String address, int port, byte[] bytes) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), 2000);
            OutputStream out = socket.getOutputStream();
            out.write(bytes);
            out.flush();
        } catch (IOException _) {
            // Being cut off in the middle is a good answer to garbage.
        }
    }

    @Test
    void anUnknownMemberIsNamed(Site site) {
        GetClusterStatusResponse before = site.api(NODE).status();
        for (String node : Site.NODES) {
            Status status = assertThrows(
                            StatusRuntimeException.class, () -> site.api(node).drain("be9"))
                    .getStatus();
            assertEquals(Status.Code.NOT_FOUND, status.getCode(), status.toString());
            assertTrue(String.valueOf(status.getDescription()).contains("be9"), status.toString());
        }
        Status weight = assertThrows(
                        StatusRuntimeException.class, () -> site.api(NODE).weigh("be1", 1001))
                .getStatus();
        assertEquals(Status.Code.INVALID_ARGUMENT, weight.getCode(), weight.toString());
        assertTrue(String.valueOf(weight.getDescription()).contains("1001"), weight.toString());
        assertUnchanged(site, before);
    }

    /** The same process, leader and term; the same configuration, generations and installed digests; still converged. */
    private static void assertUnchanged(Site site, GetClusterStatusResponse before) {
        Waiting.start().until("nothing has changed", Duration.ofSeconds(3), () -> {
            GetClusterStatusResponse now = site.api(NODE).status();
            boolean same = now.getConverged()
                    && now.getRevision() == before.getRevision()
                    && now.getPoolsList().equals(before.getPoolsList())
                    && NodeApi.reportOf(now, NODE).getTerm()
                            == NodeApi.reportOf(before, NODE).getTerm()
                    && NodeApi.reportOf(now, NODE).getDatapath().getFlowModsSent()
                            == NodeApi.reportOf(before, NODE).getDatapath().getFlowModsSent();
            return same ? Optional.empty() : Optional.of(now.getVerdict() + " was " + before.getVerdict());
        });
        Site.NODES.forEach(node -> assertEquals(Site.ALL, site.dump(node).tables(), node));
    }
}
