package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.ClusterChange.Kind;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.pool.PoolGeneration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** Finds what differs between two committed states. */
public final class ClusterChanges {
    private final ClusterState before;
    private final ClusterState after;
    private final List<ClusterChange> changes = new ArrayList<>();

    private ClusterChanges(ClusterState before, ClusterState after) {
        this.before = before;
        this.after = after;
    }

    /**
     * Returns what the second state has other than the first: deleted objects first, users before what they use, then what is
     * new or changed, then what follows from it. A function of its arguments only.
     */
    public static List<ClusterChange> between(ClusterState before, ClusterState after) {
        var found = new ClusterChanges(before, after);
        found.objects();
        found.generations();
        found.emptiness();
        found.service();
        found.gateways();
        if (before.slotFunction() != after.slotFunction()) {
            found.changes.add(new ClusterChange.OfSlotFunction(after.slotFunction()));
        }
        found.timers();
        return Collections.unmodifiableList(found.changes);
    }

    private void objects() {
        Model old = before.model();
        Model now = after.model();
        var listeners = differing(old.listeners(), now.listeners());
        var owners = differing(old.loadBalancers(), now.loadBalancers());
        var members = differing(old.members(), now.members()).stream()
                .map(ClusterChanges::present)
                .toList();
        var pools = differing(old.pools(), now.pools());
        var segments = differing(old.segments(), now.segments());
        deleted(listeners, (kind, listener) -> of(kind, listener, old));
        deleted(owners, ClusterChange.OfLoadBalancer::new);
        deleted(members, (kind, member) -> of(kind, member, old));
        deleted(pools, ClusterChange.OfPool::new);
        deleted(segments, ClusterChange.OfSegment::new);
        made(segments, ClusterChange.OfSegment::new);
        made(pools, ClusterChange.OfPool::new);
        made(members, (kind, member) -> of(kind, member, now));
        made(owners, ClusterChange.OfLoadBalancer::new);
        made(listeners, (kind, listener) -> of(kind, listener, now));
    }

    /** An object that is not the same as before. */
    private record Difference<T>(Optional<T> old, Optional<T> now) {}

    private static <T> List<Difference<T>> differing(IdMap<T> old, IdMap<T> now) {
        return now.changedSince(old).stream()
                .map(id -> new Difference<>(Optional.ofNullable(old.get(id)), Optional.ofNullable(now.get(id))))
                .toList();
    }

    /** A retired member is nobody's any more. */
    private static Difference<Member> present(Difference<Member> difference) {
        return new Difference<>(
                difference.old().filter(member -> !member.retired()),
                difference.now().filter(member -> !member.retired()));
    }

    private <T> void deleted(List<Difference<T>> differences, BiFunction<Kind, T, ClusterChange> change) {
        differences.stream()
                .filter(difference -> difference.now().isEmpty())
                .flatMap(difference -> difference.old().stream())
                .forEach(object -> changes.add(change.apply(Kind.DELETED, object)));
    }

    private <T> void made(List<Difference<T>> differences, BiFunction<Kind, T, ClusterChange> change) {
        differences.forEach(difference -> difference
                .now()
                .ifPresent(object ->
                        changes.add(change.apply(difference.old().isEmpty() ? Kind.CREATED : Kind.CHANGED, object))));
    }

    private static ClusterChange of(Kind kind, Member member, Model model) {
        return new ClusterChange.OfMember(
                kind,
                member,
                pool(model, member.poolId()),
                Optional.ofNullable(model.segments().get(member.segmentId()))
                        .map(Segment::name)
                        .orElse(""));
    }

    private static ClusterChange of(Kind kind, Listener listener, Model model) {
        return new ClusterChange.OfListener(kind, listener, pool(model, listener.poolId()));
    }

    private static String pool(Model model, int id) {
        return Optional.ofNullable(model.pools().get(id)).map(Pool::name).orElse("");
    }

    private void generations() {
        for (int pool : after.history().changedSince(before.history())) {
            long known = before.generationNumber(pool);
            for (PoolGeneration generation : after.history().getOrDefault(pool, List.of())) {
                if (generation.number() > known) {
                    changes.add(new ClusterChange.OfGeneration(generation, pool(after.model(), pool)));
                }
            }
        }
    }

    private void emptiness() {
        SortedSet<Integer> changed = after.emptySince().changedSince(before.emptySince());
        changed.stream()
                .filter(pool -> after.empty(pool) && !before.empty(pool))
                .forEach(pool -> changes.add(new ClusterChange.OfEmptiness(pool(after.model(), pool), true)));
        changed.stream()
                .filter(pool -> !after.empty(pool) && after.model().pools().containsKey(pool))
                .forEach(pool -> changes.add(new ClusterChange.OfEmptiness(pool(after.model(), pool), false)));
    }

    private void service() {
        after.outOfService().forEach((node, reason) -> {
            if (before.inService(node)) {
                changes.add(new ClusterChange.OfService(node, Service.OUT, reason));
            }
        });
        before.outOfService().keySet().stream()
                .filter(after::inService)
                .forEach(node -> changes.add(new ClusterChange.OfService(node, Service.IN, "")));
    }

    private void gateways() {
        var away = new TreeSet<>(before.movedGateways().keySet());
        away.addAll(after.movedGateways().keySet());
        away.stream()
                .filter(gateway -> !after.addressesOf(gateway).isEmpty())
                .filter(gateway -> !before.ownerOf(gateway).equals(after.ownerOf(gateway)))
                .forEach(gateway -> changes.add(new ClusterChange.OfGateway(gateway, after.ownerOf(gateway))));
    }

    private void timers() {
        var ids = new TreeSet<>(before.timers().members().keySet());
        ids.addAll(after.timers().members().keySet());
        for (int id : ids) {
            Member member = after.model().members().get(id);
            MemberTimers now = after.timers().of(id);
            if (member != null
                    && !member.retired()
                    && !now.equals(before.timers().of(id))) {
                changes.add(new ClusterChange.OfTimers(pool(after.model(), member.poolId()), member.name(), now));
            }
        }
    }
}
