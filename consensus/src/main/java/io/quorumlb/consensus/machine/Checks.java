package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.ReplyKey;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Looks whether a configuration fits together after edits. Only what the edits have touched is looked at: the rest was
 * looked at before. Its cost grows with what was touched, and for new objects with the configuration, not with the number of
 * edits times it.
 */
final class Checks {
    private final Model next;
    private final Draft.Touched touched;

    private Checks(Draft draft, Model next) {
        this.next = next;
        this.touched = draft.touched();
    }

    /**
     * Returns what is wrong with a configuration, the first if there is more.
     *
     * @param next the draft's configuration
     */
    static Optional<Finding> first(Draft draft, Model next) {
        var checks = new Checks(draft, next);
        return checks.segments()
                .or(checks::gone)
                .or(() -> MemberChecks.first(draft, next))
                .or(checks::listeners)
                .or(() -> LoadBalancers.first(draft, next))
                .or(() -> Families.first(draft, next))
                .or(checks::replies)
                .or(checks::tables);
    }

    private Optional<Finding> segments() {
        return touched.segments.entrySet().stream()
                .flatMap(entry -> Optional.ofNullable(next.segments().get(entry.getKey()))
                        .flatMap(segment -> Segments.misfit(next, segment))
                        .map(refused -> new Finding(entry.getValue(), refused))
                        .stream())
                .findFirst();
    }

    private Optional<Finding> gone() {
        for (Segment segment : touched.segmentsGone.values()) {
            Optional<Outcome.Refused> used = Segments.used(next, segment);
            if (used.isPresent()) {
                return used.map(refused -> new Finding(new Subject(ObjectKind.SEGMENT, segment.name()), refused));
            }
        }
        for (Pool pool : touched.poolsGone.values()) {
            Optional<Outcome.Refused> used = Pools.used(next, pool);
            if (used.isPresent()) {
                return used.map(refused -> new Finding(new Subject(ObjectKind.POOL, pool.name()), refused));
            }
        }
        for (LoadBalancer owner : touched.loadBalancersGone.values()) {
            Optional<Outcome.Refused> used = LoadBalancers.used(next, owner);
            if (used.isPresent()) {
                return used.map(refused -> new Finding(new Subject(ObjectKind.LOAD_BALANCER, owner.name()), refused));
            }
        }
        return Optional.empty();
    }

    private Optional<Finding> listeners() {
        if (touched.listeners.isEmpty()) {
            return Optional.empty();
        }
        SortedMap<IpAddress, List<Listener>> byVip = new TreeMap<>();
        next.listeners()
                .values()
                .forEach(listener -> byVip.computeIfAbsent(listener.vip(), _ -> new ArrayList<>())
                        .add(listener));
        return touched.listeners.entrySet().stream()
                .flatMap(entry -> Optional.ofNullable(next.listeners().get(entry.getKey()))
                        .flatMap(listener ->
                                Listeners.misfit(next, byVip.getOrDefault(listener.vip(), List.of()), listener))
                        .map(refused -> new Finding(entry.getValue(), refused))
                        .stream())
                .findFirst();
    }

    private Optional<Finding> replies() {
        if (touched.listeners.isEmpty() && touched.members.isEmpty()) {
            return Optional.empty();
        }
        return ReplyKey.clash(
                        next,
                        key -> touched.listeners.containsKey(key.listener().id())
                                || touched.members.containsKey(key.member().id()))
                .map(this::finding);
    }

    private Finding finding(ReplyKey.Clash clash) {
        Listener listener = clash.one().listener();
        return Optional.ofNullable(touched.listeners.get(listener.id()))
                .map(subject -> new Finding(subject, Refusal.invalid(Listeners.field(clash, listener), clash.text())))
                .or(() -> Optional.ofNullable(
                                touched.members.get(clash.one().member().id()))
                        .map(subject -> new Finding(subject, Refusal.invalid("member.address", clash.text()))))
                .orElseThrow();
    }

    private Optional<Finding> tables() {
        SortedSet<Integer> changed = new TreeSet<>(touched.tables.keySet());
        changed.addAll(touched.retiring.keySet());
        return changed.stream()
                .flatMap(id ->
                        Optional.ofNullable(next.pools().get(id))
                                .flatMap(pool -> table(pool, next.membersOf(id)))
                                .stream())
                .findFirst();
    }

    private Optional<Finding> table(Pool pool, List<Member> members) {
        Optional<Finding> crowded = Optional.ofNullable(touched.retiring.get(pool.id()))
                .flatMap(subject -> PoolMembers.crowded(pool, members).map(refused -> new Finding(subject, refused)));
        return crowded.or(() -> Optional.ofNullable(touched.tables.get(pool.id()))
                .flatMap(
                        subject -> PoolMembers.undefined(pool, members).map(refused -> new Finding(subject, refused))));
    }
}
