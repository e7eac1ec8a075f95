package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tells a dead controller from a dead node: when a node is silent, looks from the own address in a segment at that node's
 * own address there. An answer proves that its switch forwards and its kernel runs, whatever has become of its controller.
 */
final class Looking {
    /** A beat comes every 500 ms. */
    private static final Duration SILENT = Duration.ofMillis(600);

    /** Looks overlap: one that is not answered ends after a few of these. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private Looking() {}

    /** From where to where. */
    private record Line(IpAddress source, IpAddress target) {}

    static void looked(Turn turn, NodeId node, boolean answers) {
        PathTrack track = turn.gateways.paths().get(node);
        if (track != null) {
            put(turn, node, track.found(answers));
        }
    }

    static void due(Turn turn) {
        for (NodeId node : turn.settings.voters()) {
            if (node.equals(turn.settings.self())) {
                continue;
            }
            if (silence(turn, node).compareTo(SILENT) < 0) {
                forget(turn, node);
            } else {
                look(turn, node);
            }
        }
    }

    /** Returns how long nothing has been heard of the node, by whatever way; not longer than this node listens. */
    static Duration silence(Turn turn, NodeId node) {
        Duration listening = turn.now.since(turn.gateways.listeningSince());
        return Optional.ofNullable(turn.gossip.held().get(node))
                .flatMap(held -> held.age(turn.now))
                .filter(age -> age.compareTo(listening) < 0)
                .orElse(listening);
    }

    /** Returns true if the node says nothing although it should have. */
    static boolean silent(Turn turn, NodeId node) {
        return turn.gateways.paths().containsKey(node);
    }

    /** Returns what this node and others have found; one answer anywhere counts more than silence here. */
    static PathTrack.Finding finding(Turn turn, NodeId node) {
        boolean answeredElsewhere = turn.settings.voters().stream()
                .filter(other -> !silent(turn, other))
                .flatMap(other -> Optional.ofNullable(turn.gossip.held().get(other)).stream())
                .flatMap(held -> held.report().stream())
                .anyMatch(report -> report.gateways().answering().contains(node));
        if (answeredElsewhere) {
            return PathTrack.Finding.ANSWERS;
        }
        return Optional.ofNullable(turn.gateways.paths().get(node))
                .map(PathTrack::finding)
                .orElse(PathTrack.Finding.UNDECIDED);
    }

    /** Returns the silent nodes whose data path answers this node. */
    static SortedSet<NodeId> answering(NodeState state) {
        SortedSet<NodeId> answering = new TreeSet<>();
        state.gateways().paths().forEach((node, track) -> {
            if (track.finding() == PathTrack.Finding.ANSWERS) {
                answering.add(node);
            }
        });
        return answering;
    }

    /** Returns this node's own addresses by name of the segment. */
    static SortedMap<String, IpAddress> ownAddresses(NodeSettings settings, Optional<NetworkView> network) {
        SortedMap<String, IpAddress> addresses = new TreeMap<>();
        settings.segments()
                .forEach((segment, attachment) -> network.map(
                                view -> view.interfaces().get(attachment.interfaceName()))
                        .ifPresent(own -> addresses.put(segment, own.address())));
        return addresses;
    }

    private static void look(Turn turn, NodeId node) {
        PathTrack track = turn.gateways.paths().getOrDefault(node, PathTrack.first(turn.now));
        List<Line> lines = lines(turn, node);
        if (turn.now.reached(track.nextLook()) && !lines.isEmpty()) {
            // Another segment each time: a cable that is out is not a dead node.
            Line line = lines.get(track.looks() % lines.size());
            track = track.lookedAt(turn.now.plus(PERIOD));
            turn.want(new NodeEffect.LookAtPath(node, line.source(), line.target()));
        }
        put(turn, node, track);
    }

    private static List<Line> lines(Turn turn, NodeId node) {
        SortedMap<String, IpAddress> own = ownAddresses(turn.settings, turn.network.view());
        List<Line> lines = new ArrayList<>();
        Optional.ofNullable(turn.gossip.held().get(node))
                .flatMap(HeldRecord::report)
                .ifPresent(report -> report.gateways().addresses().forEach((segment, target) -> {
                    IpAddress source = own.get(segment);
                    if (source != null) {
                        lines.add(new Line(source, target));
                    }
                }));
        return lines;
    }

    private static void forget(Turn turn, NodeId node) {
        PathTrack track = turn.gateways.paths().get(node);
        if (track != null) {
            SortedMap<NodeId, PathTrack> paths = new TreeMap<>(turn.gateways.paths());
            paths.remove(node);
            turn.gateways = turn.gateways.withPaths(paths);
            turn.news |= track.finding() == PathTrack.Finding.ANSWERS;
        }
    }

    private static void put(Turn turn, NodeId node, PathTrack track) {
        SortedMap<NodeId, PathTrack> paths = new TreeMap<>(turn.gateways.paths());
        PathTrack before = paths.put(node, track);
        turn.gateways = turn.gateways.withPaths(paths);
        turn.news |= before != null && before.finding() != track.finding();
    }
}
