package io.quorumlb.verify.cluster;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.NodeReport;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.PoolGuards;
import io.quorumlb.proto.v1.RaftRole;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.SetPoolGuardsRequest;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** One node's API, reached from the host over the control network. */
final class NodeApi implements AutoCloseable {
    private static final String POOL = SitePool.WEB.poolName();
    private static final int WEIGHT = 1;
    private static final int API_PORT = 7400;
    private static final Duration STATUS_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(8);

    private final String node;
    private final String address;
    private Optional<ManagedChannel> channel = Optional.empty();

    /**
     * Connects lazily.
     *
     * @param node id of the node, n1 to n3
     */
    NodeApi(String node) {
        this.node = node;
        this.address = "172.30.0.1" + node.substring(1);
    }

    /** Connects as the site's administrator; the certificates are there once the site is up. */
    private synchronized ManagedChannel channel() {
        if (channel.isEmpty()) {
            channel = Optional.of(channel(SiteAccess.administrator()));
        }
        return channel.get();
    }

    /** Returns a connection of its own to the node's API, of whoever the credentials are. */
    ManagedChannel channel(ChannelCredentials credentials) {
        return Grpc.newChannelBuilderForAddress(address, API_PORT, credentials)
                .maxRetryAttempts(0)
                .build();
    }

    String node() {
        return node;
    }

    /** Returns its IPv4 address on the control network. */
    String address() {
        return address;
    }

    /** Returns the raw service with a deadline of its own. */
    ControlServiceGrpc.ControlServiceBlockingStub service(Duration timeout) {
        ManagedChannel open = channel();
        if (open.getState(false) == io.grpc.ConnectivityState.TRANSIENT_FAILURE) {
            // A node that has just come back is asked at once, not after the backoff.
            open.resetConnectBackoff();
        }
        return ControlServiceGrpc.newBlockingStub(open).withDeadlineAfter(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    GetClusterStatusResponse status() {
        return service(STATUS_TIMEOUT).getClusterStatus(GetClusterStatusRequest.getDefaultInstance());
    }

    /** Returns the slot function that the site's cluster has committed, as any of its nodes says. */
    static SlotFunction slotFunction() {
        for (String node : List.of("n1", "n2", "n3")) {
            try (var api = new NodeApi(node)) {
                return api.status().getSlotFunction() == io.quorumlb.proto.v1.SlotFunction.SLOT_FUNCTION_DP_HASH
                        ? SlotFunction.DP_HASH
                        : SlotFunction.MULTIPATH;
            } catch (StatusRuntimeException _) {
                // Another one knows it as well.
            }
        }
        throw new IllegalStateException("no node of the site answers");
    }

    /** Returns what the node says of itself. */
    NodeReport report() {
        return reportOf(status(), node);
    }

    /** Returns who leads as far as the node knows, empty if nobody. */
    String leader() {
        NodeReport report = report();
        return report.getRole() == RaftRole.RAFT_ROLE_LEADER ? node : report.getLeader();
    }

    /** Returns what an answer says of one node. */
    static NodeReport reportOf(GetClusterStatusResponse status, String node) {
        return statusOf(status, node).getReport();
    }

    /** Returns what an answer says of one node and how old that is. */
    static NodeStatus statusOf(GetClusterStatusResponse status, String node) {
        return status.getNodesList().stream()
                .filter(one -> one.getNode().equals(node))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no node " + node + " in the status"));
    }

    /** Returns all members of all pools. */
    List<MemberStatus> members() {
        return service(STATUS_TIMEOUT)
                .listMembers(ListMembersRequest.getDefaultInstance())
                .getMembersList();
    }

    /** Returns who answers for the gateway addresses of a node, as far as this node has applied it. */
    SortedSet<String> gatewayOwners(String home) {
        SortedSet<String> owners = new TreeSet<>();
        service(STATUS_TIMEOUT).listSegments(ListSegmentsRequest.getDefaultInstance()).getSegmentsList().stream()
                .flatMap(segment -> segment.getGatewaysList().stream())
                .filter(gateway -> gateway.getNode().equals(home))
                .forEach(gateway -> owners.add(gateway.getOwner()));
        return owners;
    }

    /** Returns whose gateway addresses are answered for by others; empty if all are at home. */
    Optional<String> gatewaysAway() {
        List<String> away = Site.NODES.stream()
                .filter(node -> gatewayOwners(node).stream().anyMatch(owner -> !owner.equals(node)))
                .toList();
        return away.isEmpty() ? Optional.empty() : Optional.of("away are those of " + away);
    }

    /** Gives a member of any pool its weight and its place in traffic again, if it has not both. */
    void restore(Member member) {
        if (member.getWeight() != WEIGHT) {
            service(WRITE_TIMEOUT)
                    .setMemberWeight(SetMemberWeightRequest.newBuilder()
                            .setPool(member.getPool())
                            .setMember(member.getName())
                            .setWeight(WEIGHT)
                            .build());
        }
        if (member.getAdmin() != AdminState.ADMIN_STATE_ENABLED) {
            service(WRITE_TIMEOUT)
                    .enableMember(EnableMemberRequest.newBuilder()
                            .setPool(member.getPool())
                            .setMember(member.getName())
                            .build());
        }
    }

    /** Changes how a pool is guarded and returns all of its guards afterwards; an empty change only reads them. */
    PoolGuards guard(String pool, PoolGuards change) {
        return service(WRITE_TIMEOUT)
                .setPoolGuards(SetPoolGuardsRequest.newBuilder()
                        .setPool(pool)
                        .setGuards(change)
                        .build())
                .getGuards();
    }

    /** Drains a member of pool web; returns the revision of the configuration. */
    long drain(String member) {
        return service(WRITE_TIMEOUT)
                .drainMember(DrainMemberRequest.newBuilder()
                        .setPool(POOL)
                        .setMember(member)
                        .build())
                .getRevision();
    }

    /** Enables a member of pool web; returns the revision of the configuration. */
    long enable(String member) {
        return service(WRITE_TIMEOUT)
                .enableMember(EnableMemberRequest.newBuilder()
                        .setPool(POOL)
                        .setMember(member)
                        .build())
                .getRevision();
    }

    /** Sets the weight of a member of pool web; returns the revision of the configuration. */
    long weigh(String member, int weight) {
        return service(WRITE_TIMEOUT)
                .setMemberWeight(SetMemberWeightRequest.newBuilder()
                        .setPool(POOL)
                        .setMember(member)
                        .setWeight(weight)
                        .build())
                .getRevision();
    }

    /** Waits until a generation of pool web that reflects the revision is proven, at most the timeout. */
    WaitForGenerationResponse waitFor(long revision, Duration timeout) {
        return service(timeout.plusSeconds(2))
                .waitForGeneration(WaitForGenerationRequest.newBuilder()
                        .setPool(POOL)
                        .setRevision(revision)
                        .setTimeoutMillis((int) timeout.toMillis())
                        .build());
    }

    @Override
    public synchronized void close() {
        channel.ifPresent(ManagedChannel::shutdownNow);
    }
}
