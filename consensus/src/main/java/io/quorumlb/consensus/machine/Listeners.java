package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PortRange;
import io.quorumlb.consensus.model.ReplyKey;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.Traffic;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What happens to listeners. Translation keeps no state: which listener a reply belongs to is found by what is in the
 * packet, so no two may be answered from the same member address, protocol and port.
 */
final class Listeners {
    private static final int ID_MAX = 65_535;

    /** The switch tells ranges that lie in each other by their priorities, of which there are not many more. */
    private static final int RANGES_MAX = 256;

    private Listeners() {}

    static Outcome create(Draft draft, String poolName, Listener listener) {
        Optional<Pool> pool = draft.pool(poolName);
        if (pool.isEmpty()) {
            return Refusal.notFound("listener.pool", "pool '%s'".formatted(poolName));
        }
        if (draft.listener(listener.name()).isPresent()) {
            return Refusal.exists("listener.name", "listener '%s'".formatted(listener.name()));
        }
        return draft.ids().listener() >= ID_MAX
                ? Refusal.idsUsedUp("listener")
                : Edits.made(draft.add(listener, pool.get().id()));
    }

    static Outcome set(Draft draft, String poolName, Listener wanted) {
        Optional<Pool> pool = draft.pool(poolName);
        if (pool.isEmpty()) {
            return Refusal.notFound("listener.pool", "pool '%s'".formatted(poolName));
        }
        return changed(
                draft,
                wanted.name(),
                present -> wanted.placed(present.id(), pool.get().id()).withMeta(present.meta()));
    }

    static Outcome setWhenEmpty(Draft draft, String name, EmptyPolicy policy) {
        return changed(draft, name, present -> present.withWhenEmpty(policy));
    }

    private static Outcome changed(Draft draft, String name, UnaryOperator<Listener> change) {
        Optional<Listener> listener = draft.listener(name);
        listener.map(change).ifPresent(draft::put);
        return listener.map(it -> Edits.made(it.id())).orElseGet(() -> missing(name));
    }

    static Outcome delete(Draft draft, String name) {
        Optional<Listener> listener = draft.listener(name);
        listener.ifPresent(draft::remove);
        return listener.map(it -> Edits.made(it.id())).orElseGet(() -> missing(name));
    }

    private static Outcome missing(String name) {
        return Refusal.notFound("listener.name", "listener '%s'".formatted(name));
    }

    /**
     * Returns why a new or changed listener does not fit the segments, the other listeners and the pools.
     *
     * @param ofVip all listeners of its VIP, by id
     */
    static Optional<Refused> misfit(Model next, List<Listener> ofVip, Listener listener) {
        List<Listener> others =
                ofVip.stream().filter(other -> other.id() != listener.id()).toList();
        return place(next, listener)
                .or(() -> twin(others, listener))
                .or(() -> crowded(others, listener))
                .or(() -> fallback(next, listener));
    }

    private static Optional<Refused> place(Model next, Listener listener) {
        if (!listener.vip().routable()) {
            return Optional.of(Refusal.invalid(
                    "listener.vip",
                    "VIP %s is unspecified, loopback, link-local, multicast or reserved: a unicast address that routers carry expected"
                            .formatted(listener.vip())));
        }
        Optional<Segment> inside = next.segments().values().stream()
                .filter(segment -> segment.contains(listener.vip()))
                .findFirst();
        return inside.map(segment -> Refusal.invalid(
                "listener.vip",
                "VIP %s lies in segment '%s' (%s): a VIP must be outside every segment"
                        .formatted(listener.vip(), segment.name(), segment.prefixes())));
    }

    private static Optional<Refused> twin(List<Listener> others, Listener listener) {
        Optional<Listener> twin = others.stream()
                .filter(other -> !other.traffic().dividesWith(listener.traffic()))
                .findFirst();
        return twin.map(other ->
                other.traffic().ports().equals(listener.traffic().ports())
                        ? Refusal.exists(
                                "listener.vip",
                                "%s %s as listener '%s'".formatted(listener.vip(), listener.traffic(), other.name()))
                        : Refusal.invalid(
                                "listener.port",
                                "ports %s of %s overlap %s of listener '%s': one range may lie in another, not cross it"
                                        .formatted(listener.traffic(), listener.vip(), other.traffic(), other.name())));
    }

    private static Optional<Refused> crowded(List<Listener> others, Listener listener) {
        long ranges = others.stream()
                .filter(other -> isRange(other) && isRange(listener))
                .filter(other -> other.traffic().sharesProtocol(listener.traffic()))
                .count();
        return ranges < RANGES_MAX
                ? Optional.empty()
                : Optional.of(Refusal.limit(
                        "listener.port",
                        "VIP %s has %d ranges of %s already, at most %d can be told apart"
                                .formatted(listener.vip(), ranges, listener.traffic(), RANGES_MAX)));
    }

    private static boolean isRange(Listener listener) {
        return listener.traffic() instanceof Traffic.Ports(var _, PortRange ports, var _)
                && ports.first() < ports.last();
    }

    private static Optional<Refused> fallback(Model next, Listener listener) {
        Optional<String> name = listener.fallback();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<Pool> pool = next.pool(name.get());
        if (pool.isEmpty()) {
            return Optional.of(Refusal.notFound("listener.fallback_pool", "pool '%s'".formatted(name.get())));
        }
        return pool.filter(it -> it.id() == listener.poolId())
                .map(own -> Refusal.invalid(
                        "listener.fallback_pool",
                        "fallback pool '%s' of listener '%s' is its own pool: another one expected"
                                .formatted(own.name(), listener.name())));
    }

    /** Returns the field of a listener that is at fault when replies to it could not be told from others. */
    static String field(ReplyKey.Clash clash, Listener listener) {
        if (clash.one().member().poolId() != listener.poolId()) {
            return "listener.fallback_pool";
        }
        return clash.one().member().equals(clash.other().member()) ? "listener.port" : "listener.pool";
    }
}
