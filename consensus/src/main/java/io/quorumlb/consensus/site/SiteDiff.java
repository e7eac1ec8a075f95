package io.quorumlb.consensus.site;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.CreateListener;
import io.quorumlb.consensus.machine.Command.CreateMember;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.site.SiteChange.Verb;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Finds what has to change until a configuration is what a site asks for. Objects are known by their names; the order in
 * which the site has them does not matter.
 */
public final class SiteDiff {
    private final Site wanted;
    private final Site present;
    private final Absent absent;

    private SiteDiff(Site wanted, Site present, Absent absent) {
        this.wanted = wanted;
        this.present = present;
        this.absent = absent;
    }

    /** What becomes of objects that the site does not have. */
    public enum Absent {
        KEPT,
        DELETED
    }

    /** Returns what has to change; nothing if the configuration is as the site asks for. */
    public static SitePlan between(Site wanted, Model present, Absent absent) {
        try {
            return new SitePlan.Changes(new SiteDiff(wanted, Site.of(present), absent).changes());
        } catch (FixedException e) {
            return new SitePlan.Fixed(e.refused());
        }
    }

    /**
     * What goes, goes first, so that a pool all of whose members are replaced gets a new base; but what others stand on comes
     * before them and goes after them.
     */
    private List<SiteChange> changes() {
        List<SiteChange> changes = new ArrayList<>();
        changes.addAll(absent(
                ObjectKind.LISTENER,
                present.listeners(),
                wanted.listeners(),
                Site::name,
                (CreateListener _, String name) -> new Command.DeleteListener(name)));
        changes.addAll(absent(
                ObjectKind.MEMBER,
                present.members(),
                wanted.members(),
                Site::name,
                (CreateMember member, String _) ->
                        new Command.DeleteMember(member.pool(), member.member().name())));
        changes.addAll(wanted(
                ObjectKind.SEGMENT,
                present.segments(),
                wanted.segments(),
                Segment::name,
                Command.CreateSegment::new,
                Settings::of));
        changes.addAll(wanted(
                ObjectKind.POOL, present.pools(), wanted.pools(), Pool::name, Command.CreatePool::new, Settings::of));
        changes.addAll(wanted(
                ObjectKind.MEMBER,
                present.members(),
                wanted.members(),
                Site::name,
                (CreateMember member) -> member,
                Settings::of));
        changes.addAll(wanted(
                ObjectKind.LOAD_BALANCER,
                present.loadBalancers(),
                wanted.loadBalancers(),
                LoadBalancer::name,
                Command.CreateLoadBalancer::new,
                Settings::of));
        changes.addAll(wanted(
                ObjectKind.LISTENER,
                present.listeners(),
                wanted.listeners(),
                Site::name,
                (CreateListener listener) -> listener,
                Settings::of));
        changes.addAll(absent(
                ObjectKind.LOAD_BALANCER,
                present.loadBalancers(),
                wanted.loadBalancers(),
                LoadBalancer::name,
                (LoadBalancer _, String name) -> new Command.DeleteLoadBalancer(name)));
        changes.addAll(absent(
                ObjectKind.POOL,
                present.pools(),
                wanted.pools(),
                Pool::name,
                (Pool _, String name) -> new Command.DeletePool(name)));
        changes.addAll(absent(
                ObjectKind.SEGMENT,
                present.segments(),
                wanted.segments(),
                Segment::name,
                (Segment _, String name) -> new Command.DeleteSegment(name)));
        return changes;
    }

    private <T> List<SiteChange> absent(
            ObjectKind kind,
            List<T> have,
            List<T> want,
            Function<T, String> name,
            BiFunction<T, String, Command.Edit> delete) {
        if (absent == Absent.KEPT) {
            return List.of();
        }
        SortedMap<String, T> gone = index(have, name);
        want.forEach(object -> gone.remove(name.apply(object)));
        List<SiteChange> changes = new ArrayList<>();
        gone.forEach((text, object) -> changes.add(SiteChange.delete(kind, text, delete.apply(object, text))));
        return changes;
    }

    private static <T> List<SiteChange> wanted(
            ObjectKind kind,
            List<T> have,
            List<T> want,
            Function<T, String> name,
            Function<T, Command.Edit> create,
            BiFunction<T, T, Settings> settings) {
        SortedMap<String, T> known = index(have, name);
        List<SiteChange> changes = new ArrayList<>();
        for (T object : want) {
            String text = name.apply(object);
            Optional<T> before = Optional.ofNullable(known.get(text));
            if (before.isEmpty()) {
                changes.add(SiteChange.create(kind, text, create.apply(object)));
            } else if (!before.get().equals(object)) {
                Settings set = settings.apply(before.get(), object);
                changes.add(new SiteChange(kind, text, Verb.SET, set.details(), set.edits()));
            }
        }
        return changes;
    }

    private static <T> SortedMap<String, T> index(List<T> objects, Function<T, String> name) {
        SortedMap<String, T> index = new TreeMap<>();
        objects.forEach(object -> index.put(name.apply(object), object));
        return index;
    }
}
