package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.PoolGuards.Flapping;
import io.quorumlb.consensus.plan.FlapPenalty;
import io.quorumlb.consensus.plan.Verdict;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a node remembers of the verdicts on one member.
 *
 * @param decided the last verdict that was up or down
 * @param decidedAt when it became that
 * @param penalty as of {@code penaltyAt}
 * @param penaltyAt when the verdict last changed
 * @param seen what each voter sees, as long as it is fresh
 */
record MemberTrack(
        Optional<Health> decided,
        MonotonicTime decidedAt,
        FlapPenalty penalty,
        MonotonicTime penaltyAt,
        SortedMap<NodeId, Seen> seen) {
    /**
     * What one voter sees.
     *
     * @param health of the member
     * @param since when this node first heard it
     */
    record Seen(Health health, MonotonicTime since) {}

    MemberTrack {
        seen = Collections.unmodifiableSortedMap(new TreeMap<>(seen));
    }

    static MemberTrack first(MonotonicTime now) {
        return new MemberTrack(Optional.empty(), now, FlapPenalty.NONE, now, new TreeMap<>());
    }

    FlapPenalty penalty(MonotonicTime now, Flapping settings) {
        return penalty.after(now.since(penaltyAt), settings);
    }

    MemberTrack withoutPenalty(MonotonicTime now) {
        return new MemberTrack(decided, decidedAt, FlapPenalty.NONE, now, seen);
    }

    /** Returns how long the voter has seen what it sees. */
    Duration since(NodeId observer, MonotonicTime now) {
        return Optional.ofNullable(seen.get(observer))
                .map(what -> now.since(what.since()))
                .orElse(Duration.ZERO);
    }

    /** Returns true if the voters see what they saw. Almost always they do. */
    private boolean isSeen(List<Observation> fresh) {
        if (fresh.size() != seen.size()) {
            return false;
        }
        for (Observation observation : fresh) {
            Seen before = seen.get(observation.observer());
            if (before == null || before.health() != observation.health()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the track after a look at the member.
     *
     * @param counted how a change of the verdict adds to the penalty; empty if it does not
     */
    MemberTrack after(List<Observation> fresh, Verdict verdict, Optional<Flapping> counted, MonotonicTime now) {
        Optional<Health> health = switch (verdict) {
            case Verdict.Up _ -> Optional.of(Health.UP);
            case Verdict.Down _ -> Optional.of(Health.DOWN);
            case Verdict.Undecided _ -> decided;
        };
        if (health.equals(decided) && isSeen(fresh)) {
            return this;
        }
        SortedMap<NodeId, Seen> next = new TreeMap<>();
        fresh.forEach(observation -> {
            Seen before = seen.get(observation.observer());
            next.put(
                    observation.observer(),
                    before != null && before.health() == observation.health()
                            ? before
                            : new Seen(observation.health(), now));
        });
        if (health.equals(decided)) {
            return new MemberTrack(decided, decidedAt, penalty, penaltyAt, next);
        }
        boolean flip = decided.isPresent() && counted.isPresent();
        return flip
                ? new MemberTrack(health, now, penalty(now, counted.get()).flipped(counted.get()), now, next)
                : new MemberTrack(health, now, penalty, penaltyAt, next);
    }
}
