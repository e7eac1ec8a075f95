package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.maglev.SlotTable;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What happens to pools, but for their members and generations. */
final class Pools {
    private Pools() {}

    static Outcome create(Draft draft, Pool pool) {
        if (draft.pool(pool.name()).isPresent()) {
            return Refusal.exists("pool.name", "pool '%s'".formatted(pool.name()));
        }
        return draft.ids().pool() >= SlotTable.POOL_ID_MAX ? Refusal.idsUsedUp("pool") : Edits.made(draft.add(pool));
    }

    static Outcome setMonitor(Draft draft, String name, HealthMonitor monitor) {
        return changed(draft, name, pool -> pool.withMonitor(monitor));
    }

    static Outcome setGuards(Draft draft, String name, PoolGuards guards) {
        return changed(draft, name, pool -> pool.withGuards(guards));
    }

    static Outcome setMinEligible(Draft draft, String name, int minEligible) {
        if (minEligible < 1 || minEligible > Pool.MIN_ELIGIBLE_MAX) {
            return Refusal.invalid(
                    "pool.min_eligible",
                    "min_eligible %d of pool '%s' is outside 1..%d"
                            .formatted(minEligible, name, Pool.MIN_ELIGIBLE_MAX));
        }
        return changed(draft, name, pool -> pool.withMinEligible(minEligible));
    }

    private static Outcome changed(Draft draft, String name, UnaryOperator<Pool> change) {
        Optional<Pool> pool = draft.pool(name);
        pool.map(change).ifPresent(draft::put);
        return pool.map(it -> Edits.made(it.id())).orElseGet(() -> missing(name));
    }

    static Outcome delete(Draft draft, String name) {
        Optional<Pool> pool = draft.pool(name);
        pool.ifPresent(draft::remove);
        return pool.map(it -> Edits.made(it.id())).orElseGet(() -> missing(name));
    }

    private static Outcome missing(String name) {
        return Refusal.notFound("pool.name", "pool '%s'".formatted(name));
    }

    /** Returns why a pool that is gone cannot be: who still needs it. */
    static Optional<Refused> used(Model next, Pool gone) {
        String text = "pool '%s'".formatted(gone.name());
        Optional<Refused> served = next.listenersOf(gone.id()).stream()
                .findFirst()
                .map(listener -> Refusal.inUse(text, "listener '%s'".formatted(listener.name())));
        return served.or(() -> next.pool(gone.name()).isPresent() ? Optional.empty() : fallback(next, gone, text))
                .or(() -> next.presentMembersOf(gone.id()).stream()
                        .findFirst()
                        .map(member -> Refusal.inUse(text, "member '%s'".formatted(member.name()))));
    }

    private static Optional<Refused> fallback(Model next, Pool gone, String text) {
        return next.listeners().values().stream()
                .filter(listener -> listener.fallback().equals(Optional.of(gone.name())))
                .findFirst()
                .map(listener -> Refusal.inUse(text, "listener '%s' as its fallback pool".formatted(listener.name())));
    }
}
