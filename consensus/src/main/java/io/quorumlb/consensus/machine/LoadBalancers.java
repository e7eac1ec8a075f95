package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.IpAddress;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** What happens to load balancers. A VIP is one load balancer's with all its listeners, or that of listeners that stand alone. */
final class LoadBalancers {
    private static final int ID_MAX = 65_535;

    private LoadBalancers() {}

    static Outcome create(Draft draft, LoadBalancer owner) {
        if (draft.loadBalancer(owner.name()).isPresent()) {
            return Refusal.exists("load_balancer.name", "load balancer '%s'".formatted(owner.name()));
        }
        return draft.ids().loadBalancer() >= ID_MAX ? Refusal.idsUsedUp("load_balancer") : Edits.made(draft.add(owner));
    }

    static Outcome set(Draft draft, Command.SetLoadBalancer set) {
        try {
            set.description().ifPresent(LoadBalancer::requireDescription);
        } catch (IllegalArgumentException e) {
            return Refusal.invalid("load_balancer.description", String.valueOf(e.getMessage()));
        }
        return changed(
                draft,
                set.name(),
                owner -> owner.withService(set.service().orElse(owner.service()))
                        .withDescription(set.description().orElse(owner.description())));
    }

    static Outcome changed(Draft draft, String name, UnaryOperator<LoadBalancer> change) {
        Optional<LoadBalancer> owner = draft.loadBalancer(name);
        owner.map(change).ifPresent(draft::put);
        return owner.map(it -> Edits.made(it.id())).orElseGet(() -> missing(name));
    }

    static Outcome delete(Draft draft, String name) {
        Optional<LoadBalancer> owner = draft.loadBalancer(name);
        owner.ifPresent(draft::remove);
        return owner.map(it -> Edits.made(it.id())).orElseGet(() -> missing(name));
    }

    private static Outcome missing(String name) {
        return Refusal.notFound("load_balancer.name", "load balancer '%s'".formatted(name));
    }

    /** Returns why what edits have made of load balancers and of the listeners on their VIPs does not fit. */
    static Optional<Finding> first(Draft draft, Model next) {
        Draft.Touched touched = draft.touched();
        if (touched.loadBalancers.isEmpty() && touched.listeners.isEmpty()) {
            return Optional.empty();
        }
        SortedMap<IpAddress, LoadBalancer> owners = new TreeMap<>();
        for (LoadBalancer owner : next.loadBalancers().values()) {
            for (IpAddress vip : owner.vips()) {
                LoadBalancer other = owners.putIfAbsent(vip, owner);
                if (other != null) {
                    // The younger one is new: those before it fitted.
                    return finding(
                            touched.loadBalancers,
                            owner.id(),
                            Optional.of(Refusal.exists(
                                    "load_balancer.vip",
                                    "VIP %s as that of load balancer '%s'".formatted(vip, other.name()))));
                }
            }
        }
        for (Map.Entry<Integer, Subject> entry : touched.loadBalancers.entrySet()) {
            Optional<Finding> misfit = Optional.ofNullable(next.loadBalancers().get(entry.getKey()))
                    .flatMap(owner -> misfit(next, owner))
                    .map(refused -> new Finding(entry.getValue(), refused));
            if (misfit.isPresent()) {
                return misfit;
            }
        }
        for (int id : touched.listeners.keySet()) {
            Optional<Finding> stranger = Optional.ofNullable(next.listeners().get(id))
                    .flatMap(listener -> finding(touched.listeners, id, stranger(owners, next, listener)));
            if (stranger.isPresent()) {
                return stranger;
            }
        }
        return Optional.empty();
    }

    private static Optional<Finding> finding(SortedMap<Integer, Subject> subjects, int id, Optional<Refused> refused) {
        return refused.flatMap(it -> Optional.ofNullable(subjects.get(id)).map(subject -> new Finding(subject, it)));
    }

    private static Optional<Refused> misfit(Model next, LoadBalancer owner) {
        return owner.vips().stream()
                .filter(vip -> !vip.routable())
                .findFirst()
                .map(vip -> Refusal.invalid(
                        "load_balancer.vip",
                        "VIP %s is unspecified, loopback, link-local, multicast or reserved: a unicast address that routers carry expected"
                                .formatted(vip)))
                .or(() -> inside(next, owner))
                .or(() -> taken(next, owner))
                .or(() -> orphan(next, owner));
    }

    private static Optional<Refused> inside(Model next, LoadBalancer owner) {
        for (Segment segment : next.segments().values()) {
            Optional<IpAddress> vip =
                    owner.vips().stream().filter(segment::contains).findFirst();
            if (vip.isPresent()) {
                return Optional.of(Refusal.invalid(
                        "load_balancer.vip",
                        "VIP %s lies in segment '%s' (%s): a VIP must be outside every segment"
                                .formatted(vip.get(), segment.name(), segment.prefixes())));
            }
        }
        return Optional.empty();
    }

    private static Optional<Refused> taken(Model next, LoadBalancer owner) {
        return next.listeners().values().stream()
                .filter(listener -> owner.vips().contains(listener.vip()))
                .filter(listener -> !listener.loadBalancer().equals(Optional.of(owner.name())))
                .findFirst()
                .map(listener -> Refusal.invalid(
                        "load_balancer.vip",
                        "VIP %s is that of listener '%s', which does not name load balancer '%s': name it there in the same change"
                                .formatted(listener.vip(), listener.name(), owner.name())));
    }

    /** A load balancer may be deleted and made anew in one change. */
    private static Optional<Refused> orphan(Model next, LoadBalancer owner) {
        return next.listeners().values().stream()
                .filter(listener -> listener.loadBalancer().equals(Optional.of(owner.name())))
                .filter(listener -> !owner.vips().contains(listener.vip()))
                .findFirst()
                .map(listener -> Refusal.invalid(
                        "load_balancer.vip",
                        "VIP %s of listener '%s' is none of load balancer '%s' (%s)"
                                .formatted(listener.vip(), listener.name(), owner.name(), owner.addresses())));
    }

    private static Optional<Refused> stranger(
            SortedMap<IpAddress, LoadBalancer> owners, Model next, Listener listener) {
        Optional<LoadBalancer> owner = Optional.ofNullable(owners.get(listener.vip()));
        if (listener.loadBalancer().equals(owner.map(LoadBalancer::name))) {
            return Optional.empty();
        }
        if (listener.loadBalancer().isEmpty()) {
            return owner.map(it -> Refusal.invalid(
                    "listener.vip",
                    "VIP %s is that of load balancer '%s': a listener on it must name that"
                            .formatted(listener.vip(), it.name())));
        }
        String name = listener.loadBalancer().get();
        Optional<LoadBalancer> named = next.loadBalancers().values().stream()
                .filter(it -> it.name().equals(name))
                .findFirst();
        return Optional.of(named.map(it -> Refusal.invalid(
                        "listener.vip",
                        "VIP %s is none of load balancer '%s' (%s)"
                                .formatted(listener.vip(), it.name(), it.addresses())))
                .orElseGet(() -> Refusal.notFound("listener.load_balancer", "load balancer '%s'".formatted(name))));
    }

    /** Returns why a load balancer that is gone cannot be: the listener that names it. */
    static Optional<Refused> used(Model next, LoadBalancer gone) {
        return next.listeners().values().stream()
                .filter(listener -> listener.loadBalancer().equals(Optional.of(gone.name())))
                .filter(_ -> next.loadBalancer(gone.name()).isEmpty())
                .findFirst()
                .map(listener -> Refusal.inUse(
                        "load balancer '%s'".formatted(gone.name()), "listener '%s'".formatted(listener.name())));
    }
}
