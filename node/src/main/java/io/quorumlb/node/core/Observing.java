package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Suspicion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.SwitchIntent.Port;
import java.time.Duration;
import java.util.Optional;

/** Probes the members from this node's own addresses. */
final class Observing {
    /** A pool without members is looked at when it gets some. */
    private static final Duration IDLE = Duration.ofHours(1);

    private Observing() {}

    static void probeFinished(Turn turn, int memberId, long number, ProbeResult result) {
        MemberProbe probe = turn.probes.get(memberId);
        Optional<HealthMonitor> monitor = turn.monitor(memberId);
        if (probe != null && monitor.isPresent()) {
            MemberProbe noted = probe.with(probe.queue().ended(number, result, turn.now));
            turn.put(memberId, settled(turn, memberId, noted, monitor.get()));
        }
    }

    /** Counts, in the order of their start, the results that nothing earlier is waited for. */
    private static MemberProbe settled(Turn turn, int memberId, MemberProbe probe, HealthMonitor monitor) {
        MemberProbe after = probe;
        while (after.queue().settled(turn.now, monitor)) {
            Optional<ProbeQueue.End> end = after.queue().first();
            after = after.with(after.queue().withoutFirst());
            if (end.isPresent()) {
                if (!end.get().result().success()) {
                    Resolving.doubt(turn, memberId);
                }
                MemberProbe before = after;
                after = notice(turn, memberId, monitor, before, before.counted(end.get(), monitor));
            }
        }
        return after;
    }

    private static MemberProbe notice(
            Turn turn, int memberId, HealthMonitor monitor, MemberProbe before, MemberProbe after) {
        boolean begins = before.suspicion() == Suspicion.NONE && after.suspicion() == Suspicion.SUSPECT;
        if (!after.health().equals(before.health())) {
            turn.news = true;
            say(turn, "member-health", memberId, word(before.health()), word(after.health()), after.detail());
        } else if (after.suspicion() != before.suspicion()) {
            turn.news = true;
            // What a flapping member does is counted by its observations; it is not told each time.
            if (begins && before.recheck().allowance().permits(turn.now, monitor.interval(), monitor.fall())) {
                say(turn, "member-suspect", memberId, word(before.health()), "SUSPECT", after.detail());
            }
        }
        return begins ? after.with(after.recheck().rightAway(turn.now)) : after;
    }

    private static String word(Optional<Health> health) {
        return health.map(Enum::name).orElse("UNKNOWN");
    }

    private static void say(Turn turn, String code, int memberId, String from, String to, String detail) {
        Member member = turn.log.cluster().model().members().get(memberId);
        turn.say(
                Severity.INFO,
                code,
                "member health seen here member=%s address=%s from=%s to=%s detail=\"%s\"",
                member == null ? memberId : member.name(),
                member == null ? "" : member.key(),
                from,
                to,
                detail);
    }

    static void due(Turn turn) {
        Doubting.due(turn);
        Model model = turn.log.cluster().model();
        forgetGone(turn, model);
        IdMap<MonotonicTime> wakes = turn.agenda.wakes();
        for (int id : turn.agenda.due(turn)) {
            Pool pool = model.pools().get(id);
            wakes = pool == null ? wakes.without(id) : wakes.with(id, due(turn, pool));
        }
        turn.agenda = new ProbeAgenda(model, turn.probes, wakes);
    }

    private static void forgetGone(Turn turn, Model model) {
        for (int id : model.members().changedSince(turn.agenda.model().members())) {
            Member member = model.members().get(id);
            if (member == null || member.retired()) {
                turn.probes = turn.probes.without(id);
            }
        }
    }

    /** Looks at all members of a pool, and returns when to look again at the latest. */
    private static MonotonicTime due(Turn turn, Pool pool) {
        MonotonicTime wake = turn.now.plus(IDLE);
        for (Member member : turn.log.cluster().model().membersOf(pool.id())) {
            if (!member.retired()) {
                due(turn, member, pool.monitor());
                MemberProbe probe = turn.probes.get(member.id());
                // Without an address to probe from there is none: it is looked for at every step.
                MonotonicTime next = probe == null ? turn.now : ProbeAgenda.wake(probe, pool, turn.now);
                wake = wake.reached(next) ? next : wake;
            }
        }
        return wake;
    }

    private static void due(Turn turn, Member member, HealthMonitor monitor) {
        MemberProbe known = turn.probes.get(member.id());
        MemberProbe probe = known == null ? MemberProbe.first(turn.now) : settled(turn, member.id(), known, monitor);
        boolean doubted = turn.suspicions.doubted(member.id(), turn.now);
        if (!doubted && probe.recheck().bought() > 0) {
            probe = probe.with(probe.recheck().forgotten());
        }
        boolean fast = probe.failing() || (doubted && probe.recheck().bought() > 0 && probe.up());
        // A probe that times out must not slow the fast rhythm.
        int inFlightMax = fast ? inFlightMax(monitor) : 1;
        boolean spaced = turn.now.reached(probe.recheck().next());
        boolean normal = probe.due(turn.now, inFlightMax) && (spaced || !fast);
        if (!normal
                && fast
                && spaced
                && probe.queue().open().size() < inFlightMax
                && probe.recheck().allowance().permits(turn.now, monitor.interval(), monitor.fall())) {
            recheck(turn, member, monitor, probe);
            return;
        }
        Optional<IpAddress> source = normal ? source(turn, member) : Optional.empty();
        if (source.isPresent()) {
            MemberProbe started = probe.started(turn.now, next(turn, member, monitor), monitor);
            start(turn, member, monitor, source.get(), started);
        } else if (known != null && !probe.equals(known)) {
            turn.put(member.id(), probe);
        }
    }

    /** Makes a probe beyond the normal rhythm, if this node has not made too many of all members. */
    private static void recheck(Turn turn, Member member, HealthMonitor monitor, MemberProbe probe) {
        Optional<IpAddress> source = source(turn, member);
        if (source.isEmpty()) {
            turn.put(member.id(), probe);
        } else if (turn.rechecks.permits(turn.now)) {
            turn.rechecks = turn.rechecks.made(turn.now);
            start(turn, member, monitor, source.get(), probe.rechecked(turn.now, monitor));
        } else {
            turn.rechecks = turn.rechecks.refused();
            turn.put(member.id(), probe.with(probe.recheck().after(turn.now, monitor.fastInterval())));
        }
    }

    private static void start(Turn turn, Member member, HealthMonitor monitor, IpAddress source, MemberProbe started) {
        turn.put(member.id(), started);
        turn.want(new NodeEffect.Probe(
                new ProbeTarget(member.id(), started.queue().lastNumber(), member.key(), monitor, source)));
    }

    /** Returns how many probes of the fast rhythm may overlap: as many as fit into a timeout, and one. */
    private static int inFlightMax(HealthMonitor monitor) {
        long fast = monitor.fastInterval().toNanos();
        return Math.toIntExact((monitor.timeout().toNanos() + fast - 1) / fast) + 1;
    }

    /**
     * Returns the address to probe from; empty while the switch does not carry this node's own traffic there. A probe
     * through an empty switch says nothing of the member: after a restart of everything, every node would call every
     * member down.
     */
    private static Optional<IpAddress> source(Turn turn, Member member) {
        // Hundreds of probes may start in one step, from the same few addresses.
        return turn.sources.computeIfAbsent(
                new Turn.Way(member.segmentId(), member.key().address().family()), _ -> find(turn, member));
    }

    private static Optional<IpAddress> find(Turn turn, Member member) {
        return Optional.ofNullable(turn.log.cluster().model().segments().get(member.segmentId()))
                .flatMap(segment -> segment.network(member.key().address().family())
                        .flatMap(network -> source(turn, segment.name(), network.prefix())));
    }

    private static Optional<IpAddress> source(Turn turn, String segment, IpPrefix network) {
        return turn.datapath
                .snapshot()
                .flatMap(
                        snapshot -> Optional.ofNullable(turn.settings.segments().get(segment))
                                .flatMap(attachment -> Intents.port(turn, snapshot, attachment))
                                .filter(port -> carries(snapshot, port))
                                .flatMap(port -> port.addresses().stream()
                                        .filter(network::contains)
                                        .findFirst()));
    }

    private static boolean carries(SwitchSnapshot snapshot, Port port) {
        return Pipeline.ownTraffic(port).stream().allMatch(flow -> {
            InstalledFlow installed = snapshot.own().get(flow.key());
            return installed != null && installed.flow().equals(flow);
        });
    }

    private static MonotonicTime next(Turn turn, Member member, HealthMonitor monitor) {
        return Rhythm.next(turn.now, turn.settings.self().value() + "/" + member.key(), monitor.interval());
    }
}
