package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.pipeline.ReadBack;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes sure that this node's switch gives every connection the slot that the others' give it. Equal tables do not prove
 * that: how a switch hashes depends on how it was built.
 *
 * <p>A node installs nothing before its first fingerprint is known and that of the majority, or nobody has objected for a
 * while; until then the switch forwards by what was found in it. One whose fingerprint is later found to differ leaves
 * service.
 */
final class Fingerprinting {
    /** Longer than the others take to report. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private static final Duration GIVEN_UP = Duration.ofSeconds(30);
    private static final Duration RETRY = Duration.ofSeconds(5);
    private static final Duration PREPARE_RETRY = Duration.ofSeconds(1);
    private static final MacAddress SOMEBODY = new MacAddress(0x0200_0000_0001L);

    private Fingerprinting() {}

    static void outdated(Turn turn) {
        turn.fingerprint = turn.fingerprint.outdated();
    }

    static void taken(Turn turn, long number, Fingerprint fingerprint) {
        if (number != turn.fingerprint.number()) {
            return;
        }
        if (!turn.fingerprint.known().equals(Optional.of(fingerprint))) {
            turn.say(
                    Severity.INFO,
                    "fingerprint-taken",
                    "slot functions of the switch table=%s datapath=%s%s",
                    fingerprint.table(),
                    fingerprint.datapath().map(Digest::toString).orElse("none"),
                    fingerprint.trouble().isEmpty() ? "" : " reason=\"" + fingerprint.trouble() + "\"");
            turn.news = true;
        }
        turn.fingerprint = turn.fingerprint.taken(fingerprint, turn.now, turn.now.plus(RETRY));
    }

    static void failed(Turn turn, long number, String reason) {
        if (number != turn.fingerprint.number()) {
            return;
        }
        if (!turn.fingerprint.trouble().equals(reason)) {
            turn.say(Severity.WARNING, "fingerprint-failed", "cannot take the fingerprint reason=\"%s\"", reason);
            turn.news = true;
        }
        turn.fingerprint = turn.fingerprint.failed(reason, turn.now.plus(RETRY));
    }

    static void due(Turn turn) {
        turn.datapath.snapshot().ifPresent(snapshot -> {
            if (turn.fingerprint.due() && turn.now.reached(turn.fingerprint.tryAt()) && isPrepared(snapshot)) {
                turn.fingerprint = turn.fingerprint.asking(turn.now.plus(GIVEN_UP));
                turn.want(new NodeEffect.TakeFingerprint(
                        turn.fingerprint.number(), router(snapshot), own(turn, snapshot)));
            }
        });
        judge(turn);
    }

    private static void judge(Turn turn) {
        if (turn.fingerprint.known().isEmpty()) {
            return;
        }
        Optional<String> differs = contradiction(turn.state());
        boolean agreed = differs.isEmpty()
                && (majority(turn.state(), turn.log.cluster().slotFunction()).isPresent() || isPatienceOver(turn));
        String trouble = differs.orElse("");
        if (!trouble.equals(turn.fingerprint.trouble())) {
            if (differs.isPresent()) {
                turn.say(Severity.WARNING, "fingerprint-differs", "%s", trouble);
            } else {
                turn.say(
                        Severity.INFO,
                        "fingerprint-agrees",
                        "the slot functions of the switch are those of the others");
            }
            turn.news = true;
        }
        turn.fingerprint = turn.fingerprint.judged(turn.fingerprint.accepted() || agreed, trouble);
    }

    private static boolean isPatienceOver(Turn turn) {
        return turn.fingerprint
                .knownSince()
                .filter(since -> turn.now.reached(since.plus(PATIENCE)))
                .isPresent();
    }

    /** Returns what is wrong with this node's slot function, if something is known to be. */
    static Optional<String> contradiction(NodeState state) {
        SlotFunction function = state.cluster().slotFunction();
        return state.fingerprint().known().flatMap(own -> {
            Optional<Digest> mine = own.of(function);
            if (mine.isEmpty()) {
                return Optional.of("fingerprint-differs: slot function %s is committed, this switch has none: %s"
                        .formatted(function, own.trouble()));
            }
            return majority(state, function)
                    .filter(many -> !many.equals(mine.get()))
                    .map(many -> "fingerprint-differs: slot function %s gives %s here and %s on most nodes"
                            .formatted(function, mine.get(), many));
        });
    }

    /** Returns the fingerprint that a majority of all voters has under the slot function, as far as was heard. */
    static Optional<Digest> majority(NodeState state, SlotFunction function) {
        SortedMap<NodeId, Digest> known = of(state, function);
        return known.values().stream()
                .filter(digest -> known.values().stream().filter(digest::equals).count()
                        >= state.settings().majority())
                .findFirst();
    }

    /** Returns each voter's fingerprint under the slot function, as far as it was heard and there is one. */
    static SortedMap<NodeId, Digest> of(NodeState state, SlotFunction function) {
        SortedMap<NodeId, Digest> digests = new TreeMap<>();
        for (NodeId node : state.settings().voters()) {
            Optional<Fingerprint> fingerprint = node.equals(state.settings().self())
                    ? state.fingerprint().known()
                    : Optional.ofNullable(state.gossip().held().get(node))
                            .flatMap(HeldRecord::report)
                            .flatMap(report -> report.datapath().fingerprint());
            fingerprint.flatMap(known -> known.of(function)).ifPresent(digest -> digests.put(node, digest));
        }
        return digests;
    }

    /** Returns why the cluster must not go over to a slot function now; empty if every voter has proven the same. */
    static Optional<String> obstacle(NodeState state, SlotFunction function, MonotonicTime now) {
        SortedMap<NodeId, Digest> digests = of(state, function);
        for (NodeId node : state.settings().voters()) {
            if (!ClusterViews.view(state, node, now).reachable()) {
                return Optional.of("node %s is not reachable: what its switch gives is not known".formatted(node));
            }
            if (!digests.containsKey(node)) {
                return Optional.of(
                        "node %s has not proven slot function %s%s".formatted(node, function, trouble(state, node)));
            }
        }
        Digest first = digests.firstEntry().getValue();
        return digests.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(first))
                .findFirst()
                .map(entry -> "slot function %s gives %s on node %s and %s on node %s"
                        .formatted(function, entry.getValue(), entry.getKey(), first, digests.firstKey()));
    }

    private static String trouble(NodeState state, NodeId node) {
        Optional<Fingerprint> known = node.equals(state.settings().self())
                ? state.fingerprint().known()
                : Optional.ofNullable(state.gossip().held().get(node))
                        .flatMap(HeldRecord::report)
                        .flatMap(report -> report.datapath().fingerprint());
        return known.map(Fingerprint::trouble)
                .filter(text -> !text.isEmpty())
                .map(text -> ": " + text)
                .orElse("");
    }

    /** Puts what the fingerprint needs into the switch and leaves all else there as it is. */
    static void prepare(Turn turn, SwitchSnapshot snapshot) {
        if (isPrepared(snapshot) || !turn.now.reached(turn.fingerprint.tryAt())) {
            return;
        }
        SortedMap<FlowKey, Flow> flows = new TreeMap<>(snapshot.ownFlows());
        SlotFunctions.fingerprint().forEach(flow -> flows.put(flow.key(), flow));
        SortedMap<Integer, Group> groups = new TreeMap<>(snapshot.groups());
        groups.put(SlotFunctions.FINGERPRINT_GROUP, SlotFunctions.fingerprintGroup());
        turn.fingerprint = turn.fingerprint.waiting(turn.now.plus(PREPARE_RETRY));
        turn.datapath = turn.datapath.in(SwitchState.Phase.CHANGING);
        turn.want(new NodeEffect.ChangeSwitch(
                FlowDelta.between(snapshot.ownFlows(), flows.values()).withGroups(snapshot.groups(), groups)));
    }

    private static boolean isPrepared(SwitchSnapshot snapshot) {
        return SlotFunctions.fingerprintGroup().equals(snapshot.groups().get(SlotFunctions.FINGERPRINT_GROUP))
                && SlotFunctions.fingerprint().stream()
                        .allMatch(flow -> Optional.ofNullable(snapshot.own().get(flow.key()))
                                .filter(held -> held.flow().equals(flow))
                                .isPresent());
    }

    private static MacAddress own(Turn turn, SwitchSnapshot snapshot) {
        return Optional.ofNullable(snapshot.ports().get(turn.settings.uplink().interfaceName()))
                .map(SwitchPort::mac)
                .orElse(SOMEBODY);
    }

    private static MacAddress router(SwitchSnapshot snapshot) {
        return ReadBack.nextHopMacs(snapshot.flows()).values().stream()
                .findFirst()
                .orElse(SOMEBODY);
    }
}
