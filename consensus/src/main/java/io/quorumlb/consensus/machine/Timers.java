package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is to become of members by time: nothing of it happens before the log says that the time has come.
 *
 * @param members by member id; a member not named has none
 */
public record Timers(SortedMap<Integer, MemberTimers> members) {
    /** Copies the map, without members that have none. */
    public Timers {
        SortedMap<Integer, MemberTimers> copy = new TreeMap<>(members);
        copy.values().removeIf(MemberTimers::isEmpty);
        members = Collections.unmodifiableSortedMap(copy);
    }

    /** Returns that nothing is to become of anybody. */
    public static Timers none() {
        return new Timers(new TreeMap<>());
    }

    /** Returns what is to become of a member. */
    public MemberTimers of(int memberId) {
        return members.getOrDefault(memberId, MemberTimers.NONE);
    }

    /** Returns when, by the log's time, something is due; empty if nothing is to come. */
    public OptionalLong nextMillis() {
        return members.values().stream()
                .flatMapToLong(timers -> timers.nextMillis().stream())
                .min();
    }

    Timers with(int memberId, MemberTimers timers) {
        SortedMap<Integer, MemberTimers> next = new TreeMap<>(members);
        next.put(memberId, timers);
        return new Timers(next);
    }

    /**
     * Returns what is left after the configuration changed: a member that is gone has no timers, one that is no longer drained
     * has no end of its drain, and whoever gave it another weight, ceiling or administrative state has ended its ramp.
     */
    Timers after(Model before, Model after) {
        if (members.isEmpty()) {
            return this;
        }
        SortedMap<Integer, MemberTimers> kept = new TreeMap<>();
        members.forEach((id, timers) -> {
            Member now = after.members().get(id);
            if (now == null || now.retired()) {
                return;
            }
            Member old = before.members().get(id);
            MemberTimers left = timers;
            if (now.admin() != AdminState.DRAINED) {
                left = left.withDrain(Optional.empty());
            }
            if (old == null
                    || now.admin() != AdminState.ENABLED
                    || now.weight() != old.weight()
                    || now.ceiling() != old.ceiling()) {
                left = left.withRamp(Optional.empty());
            }
            kept.put(id, left);
        });
        return new Timers(kept);
    }
}
