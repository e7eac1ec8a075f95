package io.quorumlb.node.wire;

import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.ProbeView;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.ProbeOutcome;

/** Says what a node's own probes have found of a member. */
public final class ProbesCodec {
    private ProbesCodec() {}

    /** Returns what the node has found; without results if it does not probe the member. */
    public static NodeProbes toWire(NodeState state, int memberId, MonotonicTime now) {
        var message =
                NodeProbes.newBuilder().setNode(state.settings().self().value()).setAnswered(true);
        state.probeView(memberId, now).ifPresent(view -> fill(message, view));
        return message.build();
    }

    private static void fill(NodeProbes.Builder message, ProbeView view) {
        view.health().ifPresent(health -> message.setHealth(RecordCodec.toWire(health)));
        view.since().ifPresent(since -> message.setSinceMillis(Math.max(0, since.toMillis())));
        message.setSuspicion(RecordCodec.toWire(view.suspicion()))
                .setStreak(view.streak())
                .setStreakSuccess(view.streakSuccess());
        view.results()
                .forEach(result -> message.addResults(ProbeOutcome.newBuilder()
                        .setAgeMillis(Math.max(0, result.age().toMillis()))
                        .setSuccess(result.success())
                        .setTookMillis(RecordCodec.millis(result.took()))
                        .setDetail(result.detail())
                        .setWeak(result.weak())));
    }
}
