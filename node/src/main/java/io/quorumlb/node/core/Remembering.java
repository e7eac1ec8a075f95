package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.PoolView;
import io.quorumlb.consensus.plan.Verdict;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.LeadState.Led;
import io.quorumlb.node.core.PoolTrack.Fallen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Keeps what the guards need to know of the past; done by every node. */
final class Remembering {
    private Remembering() {}

    /** Notes what new generations and overrides say. */
    static void advanced(Turn turn, ClusterState old, ClusterState next) {
        SortedSet<Integer> changed =
                new TreeSet<>(next.model().pools().changedSince(old.model().pools()));
        changed.addAll(next.history().changedSince(old.history()));
        changed.forEach(id ->
                Optional.ofNullable(next.model().pools().get(id)).ifPresent(pool -> advanced(turn, old, next, pool)));
    }

    private static void advanced(Turn turn, ClusterState old, ClusterState next, Pool pool) {
        Optional<PoolGeneration> before = old.generation(pool.id());
        Optional<PoolGeneration> after = next.generation(pool.id());
        if (after.isPresent() && !before.map(PoolGeneration::number).equals(after.map(PoolGeneration::number))) {
            PoolTrack track = turn.lead.pool(pool.id());
            turn.lead = turn.lead.withPool(
                    pool.id(),
                    track.withGeneration(
                            turn.now,
                            before.isPresent() || after.get().number() == 1
                                    ? Optional.of(after.get().number())
                                    : Optional.empty(),
                            fallen(turn, track, pool, before, after.get(), next)));
        }
        Optional<GuardOverride> forgiven = pool.override()
                .filter(override -> override.guards().contains(Guard.FLAPPING))
                .filter(override -> !Optional.ofNullable(old.model().pools().get(pool.id()))
                        .flatMap(Pool::override)
                        .equals(Optional.of(override)));
        if (forgiven.isPresent()) {
            forgive(turn, next, pool);
        }
    }

    /** Else a member let in by an operator's word would be held down again by the next plan. */
    private static void forgive(Turn turn, ClusterState cluster, Pool pool) {
        IdMap<MemberTrack> members = turn.lead.members();
        for (Member member : cluster.model().membersOf(pool.id())) {
            MemberTrack track = members.get(member.id());
            members = track == null ? members : members.with(member.id(), track.withoutPenalty(turn.now));
        }
        turn.lead = turn.lead.withMembers(members);
    }

    private static SortedMap<Integer, Fallen> fallen(
            Turn turn,
            PoolTrack track,
            Pool pool,
            Optional<PoolGeneration> before,
            PoolGeneration after,
            ClusterState cluster) {
        SortedMap<Integer, Fallen> fallen = new TreeMap<>(track.fallen());
        fallen.values().removeIf(fall -> turn.now.since(fall.at()).compareTo(window(pool)) > 0);
        for (TableMember member : after.members()) {
            int weight = before.flatMap(generation -> generation.member(member.id()))
                    .map(TableMember::effectiveWeight)
                    .orElse(0);
            Member configured = cluster.model().members().get(member.id());
            boolean byHealth = configured != null && cluster.wants(configured) && configured.ceiling() > 0;
            if (member.effectiveWeight() > 0) {
                fallen.remove(member.id());
            } else if (weight > 0 && byHealth) {
                fallen.put(member.id(), new Fallen(weight, turn.now));
            }
        }
        return fallen;
    }

    /** The guard against mass failure looks back so far. */
    private static Duration window(Pool pool) {
        return pool.monitor().interval().multipliedBy(2L * pool.monitor().fall());
    }

    /** Brings the pools that a look is at up to date with what the voters see now, and forgets what is gone. */
    static void look(Turn turn, Looks.Look look, Observations observations) {
        IdMap<MemberTrack> members = turn.lead.members();
        IdMap<PoolTrack> pools = turn.lead.pools();
        SortedSet<NodeId> voters = turn.settings.voters();
        Model model = turn.log.cluster().model();
        Model before = turn.lead.basis().map(last -> last.cluster().model()).orElse(Model.empty());
        for (int id : model.members().changedSince(before.members())) {
            Member member = model.members().get(id);
            members = member == null || member.retired() ? members.without(id) : members;
        }
        for (int id : model.pools().changedSince(before.pools())) {
            pools = model.pools().containsKey(id) ? pools : pools.without(id);
        }
        for (Pool pool : look.pools()) {
            SortedSet<NodeId> heard = new TreeSet<>();
            Duration limit = Verdicts.freshFor(pool.monitor());
            for (Member member : model.presentMembersOf(pool.id())) {
                List<Observation> fresh = Verdicts.fresh(observations.of(member.id()), voters, limit);
                fresh.forEach(seen -> heard.add(seen.observer()));
                members = members.with(
                        member.id(),
                        turn.lead
                                .member(member.id(), turn.now)
                                .after(
                                        fresh,
                                        Verdicts.of(fresh, voters),
                                        Optional.of(pool.guards().flapping())
                                                .filter(_ -> turn.log.cluster().wants(member)),
                                        turn.now));
            }
            PoolTrack track = turn.lead.pool(pool.id());
            boolean majority = heard.size() >= turn.settings.majority();
            pools = pools.with(
                    pool.id(),
                    track.withFallenSince(turn.now, window(pool))
                            .withFresh(
                                    majority ? track.freshSince().or(() -> Optional.of(turn.now)) : Optional.empty()));
        }
        turn.lead = new LeadState(members, pools, turn.now, Optional.of(look.basis()), led(turn));
    }

    private static Optional<Led> led(Turn turn) {
        if (!(turn.log.leadership() instanceof Leadership.Leading(long term))) {
            return Optional.empty();
        }
        return turn.lead.led().filter(led -> led.term() == term).or(() -> Optional.of(new Led(term, turn.now)));
    }

    /** Returns what the node knows of the pool. */
    static PoolView view(NodeState state, Pool pool, Observations observations, MonotonicTime now) {
        return view(state, state.cluster(), pool, observations, now);
    }

    /** Returns what the node knows of the pool in another configuration. */
    static PoolView view(
            NodeState state, ClusterState cluster, Pool pool, Observations observations, MonotonicTime now) {
        LeadState lead = state.lead();
        SortedMap<Integer, Verdict> verdicts = new TreeMap<>();
        SortedSet<Integer> disputed = new TreeSet<>();
        SortedSet<Integer> young = new TreeSet<>();
        SortedSet<Integer> lastSeenDown = new TreeSet<>();
        SortedSet<Integer> flapping = new TreeSet<>();
        // While blind observers recover, one member after another, the rest of them must not look like a small failure.
        boolean massFailure = lead.pool(pool.id())
                .massFailureAt()
                .filter(at -> within(now, at, patience(pool.monitor())))
                .isPresent();
        Duration limit = Verdicts.freshFor(pool.monitor());
        SortedSet<NodeId> voters = state.settings().voters();
        for (Member member : cluster.model().presentMembersOf(pool.id())) {
            List<Observation> fresh = Verdicts.fresh(observations.of(member.id()), voters, limit);
            Verdict verdict = Verdicts.of(fresh, voters);
            MemberTrack track = lead.member(member.id(), now);
            verdicts.put(member.id(), verdict);
            if (Verdicts.disputed(fresh, verdict)) {
                disputed.add(member.id());
                // A voter that doubts what it saw is about to agree: nothing to wait for.
                boolean firm = Verdicts.firmlyDisputed(fresh, verdict)
                        && within(now, track.decidedAt(), patience(pool.monitor()));
                if (firm || massFailure) {
                    young.add(member.id());
                }
            }
            if (track.decided().equals(Optional.of(Health.DOWN))) {
                lastSeenDown.add(member.id());
            }
            if (track.penalty(now, pool.guards().flapping()).heldDown()) {
                flapping.add(member.id());
            }
        }
        SortedMap<Integer, Integer> recent = new TreeMap<>();
        lead.pool(pool.id()).fallen().forEach((member, fall) -> {
            if (now.since(fall.at()).compareTo(window(pool)) <= 0) {
                recent.put(member, fall.weight());
            }
        });
        return new PoolView(verdicts, disputed, young, lastSeenDown, flapping, recent, moment(lead, pool, now));
    }

    private static boolean within(MonotonicTime now, MonotonicTime at, Duration time) {
        return now.since(at).compareTo(time) < 0;
    }

    /** Within this time an observer that has gone blind fails its probes of all members. */
    private static Duration patience(HealthMonitor monitor) {
        return monitor.interval().plus(monitor.timeout());
    }

    private static PoolView.Moment moment(LeadState lead, Pool pool, MonotonicTime now) {
        PoolTrack track = lead.pool(pool.id());
        boolean leadsSinceShort = lead.led()
                .filter(led -> now.since(led.since()).compareTo(pool.guards().settleMax()) < 0)
                .isPresent();
        boolean hearsEnough = track.freshSince()
                .filter(since -> now.since(since).compareTo(pool.monitor().interval()) >= 0)
                .isPresent();
        if (leadsSinceShort && !hearsEnough) {
            return PoolView.Moment.SETTLING;
        }
        boolean tooSoon = track.generationAt()
                .filter(at -> now.since(at).compareTo(pool.guards().generationInterval()) < 0)
                .isPresent();
        return tooSoon ? PoolView.Moment.TOO_SOON : PoolView.Moment.FREE;
    }
}
