package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Evidence;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.function.BiFunction;
import java.util.function.IntFunction;

/** Gathers what speaks for a change of health. */
public final class Evidences {
    private Evidences() {}

    /**
     * Returns what each fresh voter has found, by member and observer, at most {@value Evidence#COUNT_MAX} pieces.
     *
     * @param members that change
     * @param observations what was found of a member, by its id
     * @param since how long an observer has seen what it sees of a member
     */
    public static List<Evidence> of(
            SortedSet<Integer> members,
            IntFunction<List<Observation>> observations,
            SortedSet<NodeId> voters,
            HealthMonitor monitor,
            BiFunction<NodeId, Integer, Duration> since) {
        List<Evidence> evidence = new ArrayList<>();
        for (int member : members) {
            Collection<Observation> fresh = Verdicts.fresh(observations.apply(member), voters, monitor);
            for (Observation seen : fresh) {
                if (evidence.size() < Evidence.COUNT_MAX) {
                    evidence.add(new Evidence(
                            member,
                            seen.observer(),
                            seen.health(),
                            since.apply(seen.observer(), member),
                            seen.detail()));
                }
            }
        }
        return evidence;
    }
}
