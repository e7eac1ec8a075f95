package io.quorumlb.node.core;

import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * When the probes of each pool have to be looked at again at the latest, so that a step need not look at all members.
 *
 * @param model whose members are in it
 * @param probes what was known when it was made
 * @param wakes by pool
 */
record ProbeAgenda(Model model, IdMap<MemberProbe> probes, IdMap<MonotonicTime> wakes) {
    static final ProbeAgenda NONE = new ProbeAgenda(Model.empty(), IdMap.empty(), IdMap.empty());

    /** Returns the pools whose probes have to be looked at now. */
    SortedSet<Integer> due(Turn turn) {
        Model now = turn.log.cluster().model();
        SortedSet<Integer> due = new TreeSet<>(now.pools().changedSince(model.pools()));
        if (!now.segments().changedSince(model.segments()).isEmpty()) {
            due.addAll(now.pools().keySet());
        }
        for (int id : now.members().changedSince(model.members())) {
            add(model, id, due);
            add(now, id, due);
        }
        turn.probes.changedSince(probes).forEach(id -> add(now, id, due));
        turn.suspicions.byMember().keySet().forEach(id -> add(now, id, due));
        wakes.forEach((pool, wake) -> {
            if (turn.now.reached(wake)) {
                due.add(pool);
            }
        });
        return due;
    }

    private static void add(Model model, int memberId, SortedSet<Integer> pools) {
        Optional.ofNullable(model.members().get(memberId)).map(Member::poolId).ifPresent(pools::add);
    }

    /** Returns when a member's probes have to be looked at again if nothing happens to them until then. */
    static MonotonicTime wake(MemberProbe probe, Pool pool, MonotonicTime now) {
        // While anybody doubts the member it is followed closely: what is due then depends on others as well.
        if (probe.failing() || probe.recheck().bought() > 0) {
            return now;
        }
        return probe.queue().settles(pool.monitor()).orElse(probe.next());
    }
}
