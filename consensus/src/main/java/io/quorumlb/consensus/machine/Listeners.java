package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterState.LastIds;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PortRange;
import io.quorumlb.consensus.model.ReplyKey;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.maglev.IpFamily;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What happens to listeners. Translation keeps no state: which listener a reply belongs to is found by what is in the
 * packet, so no two may be answered from the same member address, protocol and port.
 */
final class Listeners {
    private static final int ID_MAX = 65_535;

    /** The switch tells ranges that lie in each other by their priorities, of which there are not many more. */
    private static final int RANGES_MAX = 256;

    private Listeners() {}

    static Applied create(ClusterState state, String poolName, Listener listener) {
        Model model = state.model();
        Optional<Pool> pool = model.pool(poolName);
        if (pool.isEmpty()) {
            return Reply.notFound(state, "listener.pool", "pool '%s'".formatted(poolName));
        }
        if (model.listener(listener.name()).isPresent()) {
            return Reply.exists(state, "listener.name", "listener '%s'".formatted(listener.name()));
        }
        int id = state.lastIds().listener() + 1;
        if (id > ID_MAX) {
            return Reply.idsUsedUp(state, "listener");
        }
        LastIds ids = state.lastIds();
        Listener placed = listener.placed(id, pool.get().id());
        Model next = model.with(placed);
        return place(state, placed)
                .or(() -> twin(state, placed))
                .or(() -> crowded(state, placed))
                .or(() -> fallback(state, placed))
                .or(() -> mixed(state, placed))
                .or(() -> replies(state, next, placed))
                .orElseGet(
                        () -> Reply.created(state, next, new LastIds(ids.segment(), ids.pool(), ids.member(), id), id));
    }

    static Applied setWhenEmpty(ClusterState state, String name, EmptyPolicy policy) {
        Optional<Listener> listener = state.model().listener(name);
        if (listener.isEmpty()) {
            return Reply.notFound(state, "listener.name", "listener '%s'".formatted(name));
        }
        Listener changed = listener.get().withWhenEmpty(policy);
        Model next = state.model().with(changed);
        return fallback(state, changed)
                .or(() -> mixed(state, changed))
                .or(() -> replies(state, next, changed))
                .orElseGet(() -> Reply.changed(state, next, changed.id()));
    }

    static Applied delete(ClusterState state, String name) {
        return state.model()
                .listener(name)
                .map(listener -> Reply.changed(state, state.model().withoutListener(listener.id()), listener.id()))
                .orElseGet(() -> Reply.notFound(state, "listener.name", "listener '%s'".formatted(name)));
    }

    private static Optional<Applied> place(ClusterState state, Listener listener) {
        if (!listener.vip().routable()) {
            return Optional.of(Reply.refused(
                    state,
                    Cause.INVALID,
                    "listener.vip",
                    "VIP %s is unspecified, loopback, link-local, multicast or reserved: a unicast address that routers carry expected"
                            .formatted(listener.vip())));
        }
        Optional<Segment> inside = state.model().segments().values().stream()
                .filter(segment -> segment.contains(listener.vip()))
                .findFirst();
        return inside.map(segment -> Reply.refused(
                state,
                Cause.INVALID,
                "listener.vip",
                "VIP %s lies in segment '%s' (%s): a VIP must be outside every segment"
                        .formatted(listener.vip(), segment.name(), segment.prefixes())));
    }

    private static Optional<Applied> twin(ClusterState state, Listener listener) {
        Optional<Listener> twin = state.model().listeners().values().stream()
                .filter(other ->
                        other.vip().equals(listener.vip()) && !other.traffic().dividesWith(listener.traffic()))
                .findFirst();
        return twin.map(other ->
                other.traffic().ports().equals(listener.traffic().ports())
                        ? Reply.exists(
                                state,
                                "listener.vip",
                                "%s %s as listener '%s'".formatted(listener.vip(), listener.traffic(), other.name()))
                        : Reply.refused(
                                state,
                                Cause.INVALID,
                                "listener.port",
                                "ports %s of %s overlap %s of listener '%s': one range may lie in another, not cross it"
                                        .formatted(listener.traffic(), listener.vip(), other.traffic(), other.name())));
    }

    private static Optional<Applied> crowded(ClusterState state, Listener listener) {
        long ranges = state.model().listeners().values().stream()
                .filter(other -> other.vip().equals(listener.vip()))
                .filter(other -> isRange(other) && isRange(listener))
                .filter(other -> other.traffic().sharesProtocol(listener.traffic()))
                .count();
        return ranges < RANGES_MAX
                ? Optional.empty()
                : Optional.of(Reply.refused(
                        state,
                        Cause.LIMIT,
                        "listener.port",
                        "VIP %s has %d ranges of %s already, at most %d can be told apart"
                                .formatted(listener.vip(), ranges, listener.traffic(), RANGES_MAX)));
    }

    private static boolean isRange(Listener listener) {
        return listener.traffic() instanceof Traffic.Ports(var _, PortRange ports, var _)
                && ports.first() < ports.last();
    }

    private static Optional<Applied> fallback(ClusterState state, Listener listener) {
        Optional<String> name = listener.fallback();
        if (name.isEmpty()) {
            return Optional.empty();
        }
        Optional<Pool> pool = state.model().pool(name.get());
        if (pool.isEmpty()) {
            return Optional.of(Reply.notFound(state, "listener.fallback_pool", "pool '%s'".formatted(name.get())));
        }
        return pool.filter(it -> it.id() == listener.poolId())
                .map(own -> Reply.refused(
                        state,
                        Cause.INVALID,
                        "listener.fallback_pool",
                        "fallback pool '%s' of listener '%s' is its own pool: another one expected"
                                .formatted(own.name(), listener.name())));
    }

    private static Optional<Applied> mixed(ClusterState state, Listener listener) {
        IpFamily family = listener.vip().family();
        Model model = state.model();
        return Stream.concat(Stream.of(listener.poolId()), model.fallbackOf(listener).map(Pool::id).stream())
                .flatMap(pool -> stranger(model.presentMembersOf(pool), model.listenersReaching(pool), family).stream())
                .findFirst()
                .map(odd -> Reply.refused(
                        state,
                        Cause.INVALID,
                        "listener.vip",
                        "VIP %s is %s, %s of its pool is not: a pool and its listeners are of one family"
                                .formatted(listener.vip(), family, odd)));
    }

    /** Returns a member or listener that is not of the family. */
    private static Optional<String> stranger(List<Member> members, List<Listener> listeners, IpFamily family) {
        return members.stream()
                .filter(member -> member.key().address().family() != family)
                .findFirst()
                .map(member -> "member '%s' (%s)".formatted(member.name(), member.key()))
                .or(() -> listeners.stream()
                        .filter(listener -> listener.vip().family() != family)
                        .findFirst()
                        .map(listener -> "VIP %s of listener '%s'".formatted(listener.vip(), listener.name())));
    }

    private static Optional<Applied> replies(ClusterState state, Model next, Listener listener) {
        return ReplyKey.clash(next, key -> key.listener().id() == listener.id())
                .map(clash -> Reply.refused(state, Cause.INVALID, field(clash, listener), clash.text()));
    }

    private static String field(ReplyKey.Clash clash, Listener listener) {
        if (clash.one().member().poolId() != listener.poolId()) {
            return "listener.fallback_pool";
        }
        return clash.one().member().equals(clash.other().member()) ? "listener.port" : "listener.pool";
    }

    /** Returns the refusal of a new member that does not fit the listeners of its pool, or its pool's other members. */
    static Optional<Applied> refusal(ClusterState state, Model next, Member added) {
        IpFamily family = added.key().address().family();
        return stranger(next.presentMembersOf(added.poolId()), next.listenersReaching(added.poolId()), family)
                .map(odd -> Reply.refused(
                        state,
                        Cause.INVALID,
                        "member.address",
                        "address %s is %s, %s of its pool is not: a pool and its listeners are of one family"
                                .formatted(added.key().address(), family, odd)))
                .or(() -> ReplyKey.clash(next, key -> key.member().id() == added.id())
                        .map(clash -> Reply.refused(state, Cause.INVALID, "member.address", clash.text())));
    }
}
