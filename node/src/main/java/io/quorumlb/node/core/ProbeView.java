package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What this node has found of one member, and what that rests on.
 *
 * @param health what it sees; empty until it has seen enough probes
 * @param since how long it has seen that; empty without a health
 * @param suspicion whether it doubts a member that it sees up
 * @param streak how many results of one kind came in a row, up to the most that matters
 * @param streakSuccess of which kind they are
 * @param results the latest, newest first, at most 10
 */
public record ProbeView(
        Optional<Health> health,
        Optional<Duration> since,
        Suspicion suspicion,
        int streak,
        boolean streakSuccess,
        List<Result> results) {
    /**
     * One probe.
     *
     * @param age time since it ended
     * @param took time from its start to its end
     * @param success true if the member answered as its monitor wants
     * @param weak true if it is a success because nobody refused
     * @param detail for people
     */
    public record Result(Duration age, Duration took, boolean success, boolean weak, String detail) {}

    /** Copies the list. */
    public ProbeView {
        results = List.copyOf(results);
    }

    static ProbeView of(MemberProbe probe, MonotonicTime now) {
        return new ProbeView(
                probe.health(),
                probe.past().healthSince().map(now::since),
                probe.suspicion(),
                probe.riseFall().streak(),
                probe.riseFall().lastSuccess(),
                probe.past().ends().stream()
                        .map(end -> new Result(
                                now.since(end.at()),
                                end.took(),
                                end.result().success(),
                                end.result().weak(),
                                end.result().detail()))
                        .toList());
    }
}
