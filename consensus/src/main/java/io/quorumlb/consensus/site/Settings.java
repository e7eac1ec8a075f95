package io.quorumlb.consensus.site;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.CreateListener;
import io.quorumlb.consensus.machine.Command.CreateMember;
import io.quorumlb.consensus.model.Configured;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How an object that exists becomes another of the same name. */
final class Settings {
    private final List<String> details = new ArrayList<>();
    private final List<Command.Edit> edits = new ArrayList<>();

    private Settings() {}

    List<String> details() {
        return List.copyOf(details);
    }

    List<Command.Edit> edits() {
        return List.copyOf(edits);
    }

    static Settings of(Segment before, Segment after) {
        if (!before.prefixes().equals(after.prefixes())) {
            throw new FixedException(
                    "segments[%s].prefix".formatted(after.name()),
                    "segments[%s]: its network is %s and cannot become %s: create another segment, move the members, delete this one"
                            .formatted(after.name(), before.prefixes(), after.prefixes()));
        }
        var settings = new Settings();
        if (!before.networks().equals(after.networks())) {
            settings.details.add("gateways %s -> %s".formatted(gateways(before), gateways(after)));
            settings.edits.add(new Command.SetSegmentGateways(after));
        }
        return settings.labels(ObjectKind.SEGMENT, after.name(), before, after);
    }

    private static String gateways(Segment segment) {
        return segment.networks().stream()
                .map(network -> network.gateways().toString())
                .reduce((one, other) -> one + " " + other)
                .orElse("");
    }

    static Settings of(Pool before, Pool after) {
        String name = after.name();
        if (before.slots() != after.slots()) {
            throw fixedPool(name, "slots", Integer.toString(before.slots()), Integer.toString(after.slots()));
        }
        if (before.algorithm() != after.algorithm()) {
            throw fixedPool(
                    name,
                    "algorithm",
                    before.algorithm().toString(),
                    after.algorithm().toString());
        }
        var settings = new Settings();
        if (!before.monitor().equals(after.monitor())) {
            settings.set(
                    "monitor", before.monitor(), after.monitor(), new Command.SetPoolMonitor(name, after.monitor()));
        }
        if (!before.guards().equals(after.guards())) {
            settings.set("guards", before.guards(), after.guards(), new Command.SetPoolGuards(name, after.guards()));
        }
        if (before.minEligible() != after.minEligible()) {
            settings.set(
                    "min_eligible",
                    before.minEligible(),
                    after.minEligible(),
                    new Command.SetMinEligible(name, after.minEligible()));
        }
        return settings.labels(ObjectKind.POOL, name, before, after);
    }

    private static FixedException fixedPool(String name, String field, String before, String after) {
        return new FixedException(
                "pools[%s].%s".formatted(name, field),
                "pools[%s]: %s is %s and cannot become %s: create another pool, lead its listeners there, delete this one"
                        .formatted(name, field, before, after));
    }

    static Settings of(CreateMember before, CreateMember after) {
        String name = Site.name(after);
        Member old = before.member();
        Member wanted = after.member();
        if (!old.key().equals(wanted.key())) {
            throw fixedMember(
                    name, "address", old.key().toString(), wanted.key().toString());
        }
        if (!before.segment().equals(after.segment())) {
            throw fixedMember(name, "segment", before.segment(), after.segment());
        }
        var settings = new Settings();
        if (old.weight() != wanted.weight()) {
            settings.set(
                    "weight",
                    old.weight(),
                    wanted.weight(),
                    new Command.SetMemberWeight(after.pool(), wanted.name(), wanted.weight()));
        }
        if (old.admin() != wanted.admin()) {
            settings.set(
                    "admin",
                    old.admin(),
                    wanted.admin(),
                    new Command.SetMemberAdmin(after.pool(), wanted.name(), wanted.admin()));
        }
        if (!old.staticMac().equals(wanted.staticMac())) {
            settings.set(
                    "static_mac",
                    mac(old),
                    mac(wanted),
                    new Command.SetMemberMac(after.pool(), wanted.name(), wanted.staticMac()));
        }
        return settings.labels(ObjectKind.MEMBER, name, old, wanted);
    }

    private static String mac(Member member) {
        return member.staticMac().map(StaticMac::toString).orElse("(none)");
    }

    private static FixedException fixedMember(String name, String field, String before, String after) {
        return new FixedException(
                "members[%s].%s".formatted(name, field),
                "members[%s]: %s is %s and cannot become %s: create another member, then delete this one"
                        .formatted(name, field, before, after));
    }

    static Settings of(LoadBalancer before, LoadBalancer after) {
        String name = after.name();
        if (!before.vips().equals(after.vips())) {
            throw new FixedException(
                    "load_balancers[%s].vip".formatted(name),
                    "load_balancers[%s]: its VIPs are %s and cannot become %s: create another load balancer, lead its listeners there, delete this one"
                            .formatted(name, before.addresses(), after.addresses()));
        }
        var settings = new Settings();
        settings.note("service", before.service(), after.service());
        settings.note("description", before.description(), after.description());
        if (!settings.details.isEmpty()) {
            settings.edits.add(
                    new Command.SetLoadBalancer(name, Optional.of(after.service()), Optional.of(after.description())));
        }
        return settings.labels(ObjectKind.LOAD_BALANCER, name, before, after);
    }

    static Settings of(CreateListener before, CreateListener after) {
        Listener old = before.listener();
        Listener wanted = after.listener();
        var settings = new Settings();
        settings.note("vip", old.vip(), wanted.vip());
        settings.note("traffic", old.traffic(), wanted.traffic());
        settings.note(
                "load_balancer",
                old.loadBalancer().orElse("(none)"),
                wanted.loadBalancer().orElse("(none)"));
        settings.note("pool", before.pool(), after.pool());
        settings.note("hash", old.hash(), wanted.hash());
        boolean policyAlone = settings.details.isEmpty();
        settings.note("when_empty", text(old.whenEmpty()), text(wanted.whenEmpty()));
        if (!policyAlone) {
            settings.edits.add(new Command.SetListener(after.pool(), wanted));
        } else if (!settings.details.isEmpty()) {
            settings.edits.add(new Command.SetWhenEmpty(wanted.name(), wanted.whenEmpty()));
        }
        return settings.labels(ObjectKind.LISTENER, wanted.name(), old, wanted);
    }

    private static String text(EmptyPolicy policy) {
        return switch (policy) {
            case EmptyPolicy.Drop() -> "drop";
            case EmptyPolicy.Reject() -> "reject";
            case EmptyPolicy.FailOpen() -> "fail_open";
            case EmptyPolicy.FallbackPool(String pool) -> "fallback_pool " + pool;
            case EmptyPolicy.Withdraw() -> "withdraw";
        };
    }

    private Settings labels(ObjectKind kind, String name, Configured before, Configured after) {
        Labels wanted = after.meta().labels();
        if (!before.meta().labels().equals(wanted)) {
            set("labels", text(before.meta().labels()), text(wanted), new Command.SetLabels(kind, name, wanted));
        }
        return this;
    }

    private static String text(Labels labels) {
        return labels.values().isEmpty() ? "(none)" : labels.toString();
    }

    private void set(String field, Object before, Object after, Command.Edit edit) {
        note(field, before, after);
        edits.add(edit);
    }

    private void note(String field, Object before, Object after) {
        if (!before.equals(after)) {
            details.add("%s %s -> %s".formatted(field, before, after));
        }
    }
}
