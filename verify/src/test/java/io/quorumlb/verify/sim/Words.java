package io.quorumlb.verify.sim;

import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeRecord;
import io.quorumlb.ovs.flow.FlowDelta;
import java.util.List;
import java.util.stream.Collectors;

/** Events and effects in a few words; those that are long are told by what matters in them. */
final class Words {
    private Words() {}

    static String of(NodeEvent event) {
        return switch (event) {
            case NodeEvent.RecordsReceived(var records) -> "records " + records(records);
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
            case NodeEvent.NetworkRead _ -> "network read";
            default -> event.toString();
        };
    }

    static String of(NodeEffect effect) {
        return switch (effect) {
            case NodeEffect.Probe(var target) -> "probes " + target.key();
            case NodeEffect.Gossip(var records) -> "gossips " + records(records);
            case NodeEffect.ChangeSwitch(FlowDelta delta) ->
                "changes switch: %d to add, %d to delete"
                        .formatted(delta.add().size(), delta.delete().size());
            default -> effect.toString();
        };
    }

    private static String records(List<NodeRecord> records) {
        return records.stream()
                .map(record -> "%s/%d/%d age %d ms %s"
                        .formatted(
                                record.owner(),
                                record.incarnation(),
                                record.sequence(),
                                record.age().toMillis(),
                                record.observations().stream()
                                        .map(seen -> seen.memberId() + " " + seen.health() + " "
                                                + seen.age().toMillis())
                                        .collect(Collectors.joining(", ", "[", "]"))))
                .collect(Collectors.joining("; "));
    }
}
