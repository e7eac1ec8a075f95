package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Segment;
import java.util.List;
import java.util.Optional;

/** What happens to segments. */
final class Segments {
    private static final int ID_MAX = 65_535;

    private Segments() {}

    static Outcome create(Draft draft, Segment segment) {
        if (draft.segment(segment.name()).isPresent()) {
            return Refusal.exists("segment.name", "segment '%s'".formatted(segment.name()));
        }
        return draft.ids().segment() >= ID_MAX ? Refusal.idsUsedUp("segment") : Edits.made(draft.add(segment));
    }

    static Outcome setGateways(Draft draft, Segment wanted) {
        Optional<Segment> present = draft.segment(wanted.name());
        if (present.isEmpty()) {
            return Refusal.notFound("segment.name", "segment '%s'".formatted(wanted.name()));
        }
        if (!prefixes(present.get()).equals(prefixes(wanted))) {
            return Refusal.invalid(
                    "segment.prefix",
                    "segment '%s' is %s and cannot become %s: create another segment"
                            .formatted(wanted.name(), present.get().prefixes(), wanted.prefixes()));
        }
        draft.put(wanted.withId(present.get().id()).withMeta(present.get().meta()));
        return Edits.made(present.get().id());
    }

    private static List<IpPrefix> prefixes(Segment segment) {
        return segment.networks().stream().map(Segment.Network::prefix).toList();
    }

    static Outcome delete(Draft draft, String name) {
        Optional<Segment> segment = draft.segment(name);
        segment.ifPresent(draft::remove);
        return segment.map(it -> Edits.made(it.id()))
                .orElseGet(() -> Refusal.notFound("segment.name", "segment '%s'".formatted(name)));
    }

    /** Returns why a new segment does not fit the others and the listeners. */
    static Optional<Refused> misfit(Model next, Segment segment) {
        return odd(segment).or(() -> overlap(next, segment)).or(() -> inside(next, segment));
    }

    private static Optional<Refused> odd(Segment segment) {
        return prefixes(segment).stream()
                .filter(prefix -> !prefix.network().routable())
                .findFirst()
                .map(odd -> Refusal.invalid(
                        "segment.prefix",
                        "network %s is loopback, link-local, multicast or reserved: a network that routers carry expected"
                                .formatted(odd)));
    }

    private static Optional<Refused> overlap(Model next, Segment segment) {
        return next.segments().values().stream()
                .filter(other -> other.id() != segment.id() && overlaps(segment, other))
                .findFirst()
                .map(other -> Refusal.invalid(
                        "segment.prefix",
                        "network %s overlaps segment '%s' (%s)"
                                .formatted(segment.prefixes(), other.name(), other.prefixes())));
    }

    private static boolean overlaps(Segment one, Segment other) {
        return prefixes(one).stream()
                .anyMatch(prefix -> prefixes(other).stream().anyMatch(prefix::overlaps));
    }

    private static Optional<Refused> inside(Model next, Segment segment) {
        Optional<Refused> owned = next.loadBalancers().values().stream()
                .filter(owner -> owner.vips().stream().anyMatch(segment::contains))
                .findFirst()
                .map(owner -> Refusal.invalid(
                        "segment.prefix",
                        "network %s contains VIP %s of load balancer '%s': a VIP must be outside every segment"
                                .formatted(segment.prefixes(), owner.addresses(), owner.name())));
        return owned.or(() -> standingAlone(next, segment));
    }

    private static Optional<Refused> standingAlone(Model next, Segment segment) {
        return next.listeners().values().stream()
                .filter(listener -> segment.contains(listener.vip()))
                .findFirst()
                .map(listener -> Refusal.invalid(
                        "segment.prefix",
                        "network %s contains VIP %s of listener '%s': a VIP must be outside every segment"
                                .formatted(segment.prefixes(), listener.vip(), listener.name())));
    }

    /** Returns why a segment that is gone cannot be: the member that it holds. */
    static Optional<Refused> used(Model next, Segment gone) {
        Optional<Member> user = next.members().values().stream()
                .filter(member -> member.segmentId() == gone.id())
                .findFirst();
        return user.map(member -> Refusal.inUse(
                "segment '%s'".formatted(gone.name()),
                "%smember '%s'".formatted(member.retired() ? "retired " : "", member.name())));
    }
}
