package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.MemberKey;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Looks whether new and changed members fit their segments and each other. */
final class MemberChecks {
    private final Model next;
    private final Draft.Touched touched;

    private MemberChecks(Draft draft, Model next) {
        this.next = next;
        this.touched = draft.touched();
    }

    static Optional<Finding> first(Draft draft, Model next) {
        var checks = new MemberChecks(draft, next);
        return checks.outside().or(checks::twin).or(checks::contradiction);
    }

    private Optional<Finding> outside() {
        for (Map.Entry<Integer, Subject> entry : touched.members.entrySet()) {
            Optional<Refused> outside = Optional.ofNullable(next.members().get(entry.getKey()))
                    .flatMap(member -> Optional.ofNullable(next.segments().get(member.segmentId()))
                            .flatMap(segment -> outside(member, segment)));
            if (outside.isPresent()) {
                return outside.map(refused -> new Finding(entry.getValue(), refused));
            }
        }
        return Optional.empty();
    }

    private static Optional<Refused> outside(Member member, Segment segment) {
        return segment.contains(member.key().address())
                ? Optional.empty()
                : Optional.of(Refusal.invalid(
                        "member.address",
                        "address %s is outside segment '%s' (%s)"
                                .formatted(member.key().address(), segment.name(), segment.prefixes())));
    }

    private Optional<Finding> twin() {
        SortedMap<MemberKey, Member> wanted = new TreeMap<>();
        for (int id : touched.members.keySet()) {
            Member member = next.members().get(id);
            Member twin = member == null ? null : wanted.putIfAbsent(member.key(), member);
            if (member != null && twin != null) {
                return finding(touched.members, member, exists(twin));
            }
        }
        return wanted.isEmpty()
                ? Optional.empty()
                : next.members().values().stream()
                        .filter(other -> !other.retired())
                        .flatMap(other -> Optional.ofNullable(wanted.get(other.key()))
                                .filter(member -> member.id() != other.id())
                                .flatMap(member -> finding(touched.members, member, exists(other)))
                                .stream())
                        .findFirst();
    }

    private static Refused exists(Member twin) {
        return Refusal.exists("member.address", "%s as member '%s'".formatted(twin.key(), twin.name()));
    }

    /** An address is at one place: members on several of its ports cannot have several MAC addresses. */
    private Optional<Finding> contradiction() {
        SortedSet<IpAddress> addresses = new TreeSet<>();
        touched.macs
                .keySet()
                .forEach(id -> Optional.ofNullable(next.members().get(id))
                        .filter(member -> member.staticMac().isPresent())
                        .ifPresent(member -> addresses.add(member.key().address())));
        if (addresses.isEmpty()) {
            return Optional.empty();
        }
        SortedMap<IpAddress, Member> firsts = new TreeMap<>();
        for (Member member : next.members().values()) {
            if (!member.retired()
                    && member.staticMac().isPresent()
                    && addresses.contains(member.key().address())) {
                Member other = firsts.putIfAbsent(member.key().address(), member);
                if (other != null && !other.staticMac().equals(member.staticMac())) {
                    return touched.macs.containsKey(member.id())
                            ? finding(touched.macs, member, contradicts(member, other))
                            : finding(touched.macs, other, contradicts(other, member));
                }
            }
        }
        return Optional.empty();
    }

    private static Refused contradicts(Member wanted, Member other) {
        return Refusal.invalid(
                "member.static_mac",
                "static MAC address %s of member '%s': member '%s' at the same address %s has %s"
                        .formatted(
                                text(wanted),
                                wanted.name(),
                                other.name(),
                                other.key().address(),
                                text(other)));
    }

    private static String text(Member member) {
        return member.staticMac().map(StaticMac::toString).orElse("");
    }

    private static Optional<Finding> finding(SortedMap<Integer, Subject> subjects, Member member, Refused refused) {
        return Optional.ofNullable(subjects.get(member.id())).map(subject -> new Finding(subject, refused));
    }
}
