package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.model.NodeId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/**
 * How this node takes part in the replicated log.
 *
 * @param self this node, one of the peers
 * @param peers all voters with the address their log listens at, {@code host:port}; a first start writes them into the
 *     log, later starts take them from there
 * @param clusterId name of the cluster; nodes of another cluster are refused
 * @param directory where log and snapshots are kept; made if it does not exist
 * @param electionMin shortest silence of a leader after which a follower asks for votes, 50 ms..1 min
 * @param electionMax longest such silence, {@code electionMin}..1 min
 */
public record RaftSettings(
        NodeId self,
        SortedMap<NodeId, String> peers,
        String clusterId,
        Path directory,
        Duration electionMin,
        Duration electionMax) {
    private static final Duration ELECTION_MIN = Duration.ofMillis(50);
    private static final Duration ELECTION_MAX = Duration.ofMinutes(1);
    private static final int PORT_MAX = 65_535;

    /** Checks the ranges and copies the map. */
    public RaftSettings {
        peers = Collections.unmodifiableSortedMap(new TreeMap<>(peers));
        if (!peers.containsKey(self)) {
            throw new IllegalArgumentException("node '%s' is not one of the peers %s".formatted(self, peers.keySet()));
        }
        peers.forEach(RaftSettings::requireAddress);
        if (clusterId.isBlank()) {
            throw new IllegalArgumentException("cluster id '%s' is blank".formatted(clusterId));
        }
        if (electionMin.compareTo(ELECTION_MIN) < 0
                || electionMin.compareTo(electionMax) > 0
                || electionMax.compareTo(ELECTION_MAX) > 0) {
            throw new IllegalArgumentException("election timeouts %d..%d ms: an interval within %d..%d ms expected"
                    .formatted(
                            electionMin.toMillis(),
                            electionMax.toMillis(),
                            ELECTION_MIN.toMillis(),
                            ELECTION_MAX.toMillis()));
        }
    }

    private static void requireAddress(NodeId node, String address) {
        int port = port(address);
        if (host(address).isEmpty() || port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("address '%s' of node %s: host:port with a port in 1..%d expected"
                    .formatted(address, node, PORT_MAX));
        }
    }

    /** Returns the identity that all nodes of the cluster compute for the group. */
    UUID groupId() {
        return UUID.nameUUIDFromBytes(("quorumlb " + clusterId).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the host this node listens at. */
    String host() {
        return host(ownAddress());
    }

    /** Returns the port this node listens at. */
    int port() {
        return port(ownAddress());
    }

    private String ownAddress() {
        return Optional.ofNullable(peers.get(self)).orElseThrow();
    }

    private static String host(String address) {
        int colon = address.lastIndexOf(':');
        return colon < 0 ? "" : address.substring(0, colon);
    }

    private static int port(String address) {
        String digits = address.substring(address.lastIndexOf(':') + 1);
        boolean number =
                !digits.isEmpty() && digits.length() <= 5 && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        return number ? Integer.parseInt(digits) : -1;
    }
}
