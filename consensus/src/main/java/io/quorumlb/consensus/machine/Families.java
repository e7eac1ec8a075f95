package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.IpFamily;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Looks whether the members of a pool and the listeners that reach them are of one version of IP. */
final class Families {
    private final Model next;
    private final Draft.Touched touched;
    /** By pool, of those that edits have touched: the first of each version of IP. */
    private final SortedMap<Integer, SortedMap<IpFamily, Member>> members = new TreeMap<>();

    private final SortedMap<Integer, SortedMap<IpFamily, Listener>> listeners = new TreeMap<>();

    private Families(Draft draft, Model next) {
        this.next = next;
        this.touched = draft.touched();
    }

    static Optional<Finding> first(Draft draft, Model next) {
        if (draft.touched().members.isEmpty() && draft.touched().listeners.isEmpty()) {
            return Optional.empty();
        }
        var families = new Families(draft, next);
        families.gather();
        return families.ofMembers().or(families::ofListeners);
    }

    private void gather() {
        SortedSet<Integer> pools = new TreeSet<>();
        touched.members
                .keySet()
                .forEach(id ->
                        Optional.ofNullable(next.members().get(id)).ifPresent(member -> pools.add(member.poolId())));
        touched.listeners
                .keySet()
                .forEach(id -> Optional.ofNullable(next.listeners().get(id))
                        .ifPresent(listener -> pools.addAll(reached(listener))));
        next.members().values().stream()
                .filter(member -> !member.retired() && pools.contains(member.poolId()))
                .forEach(member -> members.computeIfAbsent(member.poolId(), _ -> new TreeMap<>())
                        .putIfAbsent(member.key().address().family(), member));
        next.listeners()
                .values()
                .forEach(listener -> reached(listener).stream()
                        .filter(pools::contains)
                        .forEach(pool -> listeners
                                .computeIfAbsent(pool, _ -> new TreeMap<>())
                                .putIfAbsent(listener.vip().family(), listener)));
    }

    private List<Integer> reached(Listener listener) {
        List<Integer> pools = new ArrayList<>(List.of(listener.poolId()));
        next.fallbackOf(listener).map(Pool::id).ifPresent(pools::add);
        return pools;
    }

    private Optional<Finding> ofMembers() {
        for (Map.Entry<Integer, Subject> entry : touched.members.entrySet()) {
            Member member = next.members().get(entry.getKey());
            Optional<String> odd = member == null
                    ? Optional.empty()
                    : stranger(member.poolId(), member.key().address().family());
            if (member != null && odd.isPresent()) {
                Refused refused = Refusal.invalid(
                        "member.address",
                        "address %s is %s, %s of its pool is not: a pool and its listeners are of one family"
                                .formatted(
                                        member.key().address(),
                                        member.key().address().family(),
                                        odd.get()));
                return Optional.of(new Finding(entry.getValue(), refused));
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> ofListeners() {
        for (Map.Entry<Integer, Subject> entry : touched.listeners.entrySet()) {
            Listener listener = next.listeners().get(entry.getKey());
            Optional<String> odd = listener == null
                    ? Optional.empty()
                    : reached(listener).stream()
                            .flatMap(pool -> stranger(pool, listener.vip().family()).stream())
                            .findFirst();
            if (listener != null && odd.isPresent()) {
                Refused refused = Refusal.invalid(
                        "listener.vip",
                        "VIP %s is %s, %s of its pool is not: a pool and its listeners are of one family"
                                .formatted(listener.vip(), listener.vip().family(), odd.get()));
                return Optional.of(new Finding(entry.getValue(), refused));
            }
        }
        return Optional.empty();
    }

    /** Returns a member or listener of the pool that is not of the family. */
    private Optional<String> stranger(int pool, IpFamily family) {
        IpFamily other = family == IpFamily.IPV4 ? IpFamily.IPV6 : IpFamily.IPV4;
        Optional<String> member = Optional.ofNullable(members.get(pool))
                .map(firsts -> firsts.get(other))
                .map(odd -> "member '%s' (%s)".formatted(odd.name(), odd.key()));
        return member.or(() -> Optional.ofNullable(listeners.get(pool))
                .map(firsts -> firsts.get(other))
                .map(odd -> "VIP %s of listener '%s'".formatted(odd.vip(), odd.name())));
    }
}
