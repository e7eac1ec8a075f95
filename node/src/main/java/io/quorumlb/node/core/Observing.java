package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Probes the members from this node's own addresses. */
final class Observing {
    private Observing() {}

    static void probeFinished(Turn turn, int memberId, ProbeResult result) {
        MemberProbe probe = turn.probes.get(memberId);
        Optional<HealthMonitor> monitor = turn.state().monitor(memberId);
        if (probe == null || monitor.isEmpty()) {
            return;
        }
        MemberProbe after = probe.finished(result, monitor.get(), turn.now);
        turn.probes.put(memberId, after);
        if (!after.riseFall().health().equals(probe.riseFall().health())) {
            turn.news = true;
            Member member = turn.log.cluster().model().members().get(memberId);
            turn.say(
                    Severity.INFO,
                    "member-health",
                    "member health seen here member=%s address=%s from=%s to=%s detail=\"%s\"",
                    member == null ? memberId : member.name(),
                    member == null ? "" : member.key(),
                    probe.riseFall().health().map(Enum::name).orElse("UNKNOWN"),
                    after.riseFall().health().map(Enum::name).orElse("UNKNOWN"),
                    result.detail());
        }
    }

    static void due(Turn turn) {
        Model model = turn.log.cluster().model();
        SortedMap<Integer, Member> present = new TreeMap<>(model.members());
        present.values().removeIf(Member::retired);
        turn.probes.keySet().retainAll(present.keySet());
        for (Member member : present.values()) {
            Pool pool = model.pools().get(member.poolId());
            MemberProbe probe = turn.probes.getOrDefault(member.id(), MemberProbe.first(turn.now));
            if (pool == null || !probe.due(turn.now, pool.monitor())) {
                continue;
            }
            Optional.ofNullable(model.segments().get(member.segmentId()))
                    .flatMap(segment -> source(turn, segment))
                    .ifPresent(source -> {
                        MonotonicTime next = next(turn, member, pool.monitor().interval());
                        turn.probes.put(member.id(), probe.started(turn.now, next));
                        turn.want(new NodeEffect.Probe(
                                new ProbeTarget(member.id(), member.key(), pool.monitor(), source)));
                    });
        }
    }

    /**
     * Returns the address to probe from; empty while the switch does not carry this node's own traffic there. A probe
     * through an empty switch says nothing of the member: after a restart of everything, every node would call every
     * member down.
     */
    private static Optional<Ipv4Address> source(Turn turn, Segment segment) {
        return turn.datapath
                .snapshot()
                .flatMap(
                        snapshot -> Optional.ofNullable(turn.settings.segments().get(segment.name()))
                                .flatMap(attachment -> Intents.port(turn, snapshot, attachment))
                                .filter(port -> carries(snapshot, port))
                                .map(Port::address));
    }

    private static boolean carries(SwitchSnapshot snapshot, Port port) {
        return Pipeline.ownTraffic(port).stream().allMatch(flow -> {
            InstalledFlow installed = snapshot.own().get(flow.key());
            return installed != null && installed.flow().equals(flow);
        });
    }

    /**
     * The first moment after now on the grid of the member's interval, shifted by a phase that is fixed for this node
     * and member: nodes and members are spread, and a late probe does not delay those after it.
     */
    private static MonotonicTime next(Turn turn, Member member, Duration interval) {
        long period = interval.toNanos();
        long spread = mixed(turn.settings.self().value() + "/" + member.key());
        long phase = Math.floorMod(spread, period);
        long sincePhase = Math.floorMod(turn.now.nanos() - phase, period);
        return turn.now.plus(Duration.ofNanos(period - sincePhase));
    }

    /** FNV-1a, 64 bits, and a final mix. */
    private static long mixed(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 33);
    }
}
