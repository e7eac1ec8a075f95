package io.quorumlb.node.gossip;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.proto.v1.Caller;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides which peers are heard, and counts and logs the others. */
final class Doorkeeper {
    private static final Logger LOG = LoggerFactory.getLogger(Doorkeeper.class);
    /** Strangers choose their names: beyond this many different refusals only the counters go on. */
    private static final int LOGGED_MAX = 64;

    private final NodeSettings settings;
    private final PeerTally tally;
    private final Set<String> logged = ConcurrentHashMap.newKeySet();

    Doorkeeper(NodeSettings settings, PeerTally tally) {
        this.settings = settings;
        this.tally = tally;
    }

    /** Returns how this node names itself to its peers. */
    static Caller caller(NodeSettings settings) {
        return Caller.newBuilder()
                .setClusterId(settings.clusterId())
                .setNode(settings.self().value())
                .build();
    }

    /**
     * Checks the caller of a message.
     *
     * @throws StatusRuntimeException with PERMISSION_DENIED and what to compare
     */
    void admit(Caller caller) {
        if (!caller.getClusterId().equals(settings.clusterId())) {
            throw refuse(
                    PeerRefusal.OTHER_CLUSTER,
                    Status.PERMISSION_DENIED,
                    "node '%s' belongs to cluster '%s', this is '%s': compare cluster.id in the configurations"
                            .formatted(caller.getNode(), caller.getClusterId(), settings.clusterId()));
        }
        if (caller.getNode().equals(settings.self().value())) {
            throw refuse(
                    PeerRefusal.SELF,
                    Status.PERMISSION_DENIED,
                    "the caller says it is node '%s', which is this node: give each node its own name"
                            .formatted(caller.getNode()));
        }
        if (!listed(caller.getNode())) {
            throw refuse(
                    PeerRefusal.UNLISTED,
                    Status.PERMISSION_DENIED,
                    "node '%s' is not in the node list %s of node '%s'"
                            .formatted(caller.getNode(), settings.voters(), settings.self()));
        }
    }

    /**
     * Checks the owner of a record.
     *
     * @throws StatusRuntimeException with PERMISSION_DENIED if no such node is configured
     */
    void admitOwner(Caller caller, NodeId owner) {
        if (!settings.voters().contains(owner)) {
            throw refuse(
                    PeerRefusal.UNLISTED,
                    Status.PERMISSION_DENIED,
                    "a record sent by node '%s' is of node '%s', which is not in the node list %s of node '%s'"
                            .formatted(caller.getNode(), owner, settings.voters(), settings.self()));
        }
    }

    /** Returns the error for a message that cannot be read, counted. */
    StatusRuntimeException malformed(Caller caller, IllegalArgumentException e) {
        return refuse(
                PeerRefusal.MALFORMED,
                Status.INVALID_ARGUMENT,
                "message of node '%s': %s".formatted(caller.getNode(), e.getMessage()));
    }

    private boolean listed(String node) {
        return settings.voters().stream().anyMatch(voter -> voter.value().equals(node));
    }

    private StatusRuntimeException refuse(PeerRefusal reason, Status status, String message) {
        tally.refused(reason);
        if (logged.size() < LOGGED_MAX && logged.add(message)) {
            LOG.warn("peer refused reason={} {}", reason, printable(message));
        }
        return status.withDescription(message).asRuntimeException();
    }

    /** Names come from strangers: nothing of them may look like another line of the log. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", "?");
    }
}
