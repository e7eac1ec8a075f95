package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Decides by count of voters, never of observations: silence is not a vote, and a majority is of all voters. */
public final class Verdicts {
    private static final Duration FRESH_MIN = Duration.ofMillis(1500);
    private static final int FRESH_INTERVALS = 3;

    private Verdicts() {}

    /**
     * Returns the verdict on one member.
     *
     * @param observations of this member only, in any order, at most one per observer counts
     * @param voters all voters of the cluster
     * @param monitor how the member is probed; decides how old an observation may be
     */
    public static Verdict decide(
            Collection<Observation> observations, SortedSet<NodeId> voters, HealthMonitor monitor) {
        return of(fresh(observations, voters, monitor), voters);
    }

    /**
     * Returns the observations that count: one by each voter whose own is fresh, by observer.
     *
     * @param observations of one member, in any order
     */
    public static List<Observation> fresh(
            Collection<Observation> observations, SortedSet<NodeId> voters, HealthMonitor monitor) {
        return fresh(observations, voters, freshFor(monitor));
    }

    /**
     * Returns the observations that count: one by each voter whose own is fresh, by observer.
     *
     * @param observations of one member, in any order
     * @param limit how old an observation may be
     */
    public static List<Observation> fresh(
            Collection<Observation> observations, SortedSet<NodeId> voters, Duration limit) {
        List<Observation> votes = new ArrayList<>(voters.size());
        for (NodeId voter : voters) {
            Observation vote = vote(observations, voter, limit);
            if (vote != null) {
                votes.add(vote);
            }
        }
        return Collections.unmodifiableList(votes);
    }

    /** Returns what a voter's observations come to. This is asked for every voter and member, so it makes nothing. */
    private static @Nullable Observation vote(Collection<Observation> observations, NodeId voter, Duration limit) {
        Observation vote = null;
        for (Observation seen : observations) {
            if (seen.observer().equals(voter) && seen.age().compareTo(limit) <= 0) {
                vote = vote == null ? seen : better(vote, seen);
            }
        }
        return vote;
    }

    /**
     * Returns the verdict of observations that all count.
     *
     * @param fresh as {@link #fresh} returns them
     */
    public static Verdict of(List<Observation> fresh, SortedSet<NodeId> voters) {
        int up = 0;
        for (Observation vote : fresh) {
            up += vote.health() == Health.UP ? 1 : 0;
        }
        int down = fresh.size() - up;
        int majority = voters.size() / 2 + 1;
        if (up >= majority) {
            return new Verdict.Up(up);
        }
        return down >= majority ? new Verdict.Down(down) : new Verdict.Undecided();
    }

    /** Returns true if a majority sees the member down and a voter sees it up. */
    public static boolean disputed(List<Observation> fresh, Verdict verdict) {
        return verdict instanceof Verdict.Down && fresh.stream().anyMatch(vote -> vote.health() == Health.UP);
    }

    /** Returns true if one of those who see the member up does not even doubt it. */
    public static boolean firmlyDisputed(List<Observation> fresh, Verdict verdict) {
        return verdict instanceof Verdict.Down
                && fresh.stream().anyMatch(vote -> vote.health() == Health.UP && vote.suspicion() == Suspicion.NONE);
    }

    /** Of two observations by one observer the younger counts; of equally old ones the one that says down. */
    private static Observation better(Observation one, Observation other) {
        int order = one.age().compareTo(other.age());
        if (order == 0) {
            return one.health() == Health.DOWN ? one : other;
        }
        return order < 0 ? one : other;
    }

    /** Returns how old an observation may be and still count: three intervals, at least 1.5 s. */
    public static Duration freshFor(HealthMonitor monitor) {
        return freshFor(monitor.interval());
    }

    /** Returns how old an observation may be that comes from probes at an interval. */
    public static Duration freshFor(Duration interval) {
        // Not multipliedBy, which counts with big decimals: this is asked for every member.
        Duration intervals = Duration.ofNanos(Math.multiplyExact(interval.toNanos(), (long) FRESH_INTERVALS));
        return intervals.compareTo(FRESH_MIN) < 0 ? FRESH_MIN : intervals;
    }
}
