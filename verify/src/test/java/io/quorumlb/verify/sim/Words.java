package io.quorumlb.verify.sim;

import io.quorumlb.node.core.Content;
import io.quorumlb.node.core.Delta;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.Stamp;
import io.quorumlb.ovs.flow.FlowDelta;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Events and effects in a few words; those that are long are told by what matters in them. */
final class Words {
    private Words() {}

    static String of(NodeEvent event) {
        return switch (event) {
            case NodeEvent.GossipReceived(var from, var message) -> "gossip of " + from + ": " + of(message);
            case NodeEvent.LogAdvanced(long index, var state) ->
                "log at %d revision %d generations %s"
                        .formatted(
                                index,
                                state.revision(),
                                state.history().values().stream()
                                        .filter(history -> !history.isEmpty())
                                        .map(history -> history.getLast().number() + " "
                                                + history.getLast().expected())
                                        .toList());
            case NodeEvent.SwitchRead(var snapshot, long flowMods) ->
                "switch read: %d own, %d foreign flows, %d flow-mods"
                        .formatted(snapshot.own().size(), snapshot.foreign().size(), flowMods);
            case NodeEvent.PoolsRead(var pools, var part, long flowMods) ->
                "pools %s read: %d own flows, %d flow-mods"
                        .formatted(pools, part.own().size(), flowMods);
            case NodeEvent.NetworkRead _ -> "network read";
            default -> event.toString();
        };
    }

    static String of(NodeEffect effect) {
        return switch (effect) {
            case NodeEffect.Probe(var target) -> "probes " + target.key();
            case NodeEffect.Gossip(var to, var message) -> "gossip to " + to + ": " + of(message);
            case NodeEffect.ChangeSwitch(FlowDelta delta) ->
                "changes switch: %d to add, %d to delete, %d groups"
                        .formatted(
                                delta.add().size(),
                                delta.delete().size(),
                                delta.putGroups().size() + delta.deleteGroups().size());
            default -> effect.toString();
        };
    }

    private static String of(GossipMessage message) {
        List<String> words = new ArrayList<>();
        message.beats()
                .forEach(beat -> words.add("beat %s/%d/%d version %d age %d ms"
                        .formatted(
                                beat.owner(),
                                beat.incarnation(),
                                beat.sequence(),
                                beat.version(),
                                beat.age().toMillis())));
        message.deltas()
                .forEach(delta -> words.add("delta %s/%d from %d to %d%s"
                        .formatted(delta.owner(), delta.incarnation(), delta.base(), delta.version(), found(delta))));
        if (!message.held().isEmpty()) {
            words.add("holds " + message.held().stream().map(Words::of).toList());
        }
        if (!message.wanted().isEmpty()) {
            words.add("wants " + message.wanted().stream().map(Words::of).toList());
        }
        return String.join("; ", words);
    }

    private static String found(Delta delta) {
        return delta.entries().stream()
                .map(entry -> entry.content() instanceof Content.OfMember(var seen, Duration _)
                        ? " " + seen.memberId() + " " + seen.health()
                        : "")
                .collect(Collectors.joining());
    }

    private static String of(Stamp stamp) {
        return stamp.owner() + "/" + stamp.incarnation() + "/" + stamp.version();
    }
}
