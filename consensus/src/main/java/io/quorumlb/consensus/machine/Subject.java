package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.ObjectKind;

/**
 * The object that a part of a batch is about.
 *
 * @param kind what it is
 * @param name that tells it from others of the kind: {@code web/be1}
 */
record Subject(ObjectKind kind, String name) {
    static Subject of(Command.Edit edit) {
        return switch (edit) {
            case Command.CreateSegment(var segment) -> segment(segment.name());
            case Command.SetSegmentGateways(var segment) -> segment(segment.name());
            case Command.DeleteSegment(String name) -> segment(name);
            case Command.CreatePool(var pool) -> pool(pool.name());
            case Command.SetPoolMonitor(String name, var _) -> pool(name);
            case Command.SetPoolGuards(String name, var _) -> pool(name);
            case Command.SetMinEligible(String name, int _) -> pool(name);
            case Command.DeletePool(String name) -> pool(name);
            case Command.CreateMember(String pool, String _, var member) -> member(pool, member.name());
            case Command.SetMemberAdmin(String pool, String member, var _) -> member(pool, member);
            case Command.SetMemberWeight(String pool, String member, int _) -> member(pool, member);
            case Command.SetMemberCeiling(String pool, String member, int _) -> member(pool, member);
            case Command.SetMemberMac(String pool, String member, var _) -> member(pool, member);
            case Command.DeleteMember(String pool, String member) -> member(pool, member);
            case Command.CreateListener(String _, var listener) -> listener(listener.name());
            case Command.SetListener(String _, var listener) -> listener(listener.name());
            case Command.SetWhenEmpty(String name, var _) -> listener(name);
            case Command.DeleteListener(String name) -> listener(name);
            case Command.CreateLoadBalancer(var owner) -> loadBalancer(owner.name());
            case Command.SetLoadBalancer(String name, var _, var _) -> loadBalancer(name);
            case Command.DeleteLoadBalancer(String name) -> loadBalancer(name);
            case Command.SetLabels(var kind, String name, var _) -> new Subject(kind, name);
        };
    }

    private static Subject segment(String name) {
        return new Subject(ObjectKind.SEGMENT, name);
    }

    private static Subject pool(String name) {
        return new Subject(ObjectKind.POOL, name);
    }

    private static Subject member(String pool, String name) {
        return new Subject(ObjectKind.MEMBER, pool + "/" + name);
    }

    private static Subject listener(String name) {
        return new Subject(ObjectKind.LISTENER, name);
    }

    private static Subject loadBalancer(String name) {
        return new Subject(ObjectKind.LOAD_BALANCER, name);
    }

    /** Returns a refusal that says which object it is about: {@code members[web/be1].address}. */
    Refused names(Refused refused) {
        String field = refused.field().substring(refused.field().indexOf('.') + 1);
        return new Refused(
                refused.cause(), "%s.%s".formatted(this, field), "%s: %s".formatted(this, refused.message()));
    }

    /** Returns for example {@code members[web/be1]}. */
    @Override
    public String toString() {
        return "%s[%s]".formatted(kind.plural(), name);
    }
}
