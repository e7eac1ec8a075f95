package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.Outcome.Done;
import io.quorumlb.consensus.machine.Outcome.Refused;
import io.quorumlb.consensus.model.Model;
import java.util.Optional;
import java.util.function.Function;

/** Makes edits, one or many: all of them or none. */
final class Edits {
    private Edits() {}

    static Applied apply(ClusterState state, Command.Edit edit) {
        var draft = new Draft(state);
        draft.about(Subject.of(edit));
        return switch (make(draft, edit)) {
            case Refused refused -> new Applied(state, refused);
            case Done(int id, long _) -> finished(draft, id, Finding::refused);
        };
    }

    static Applied apply(ClusterState state, Command.Batch batch) {
        Optional<Refused> unfit = unfit(batch);
        if (unfit.isPresent()) {
            return new Applied(state, unfit.get());
        }
        var draft = new Draft(state);
        for (Command.Edit part : batch.parts()) {
            Subject subject = Subject.of(part);
            draft.about(subject);
            if (make(draft, part) instanceof Refused refused) {
                return new Applied(state, subject.names(refused));
            }
        }
        return finished(draft, 0, finding -> finding.subject().names(finding.refused()));
    }

    private static Optional<Refused> unfit(Command.Batch batch) {
        return batch.parts().size() > Command.Batch.PARTS_MAX
                ? Optional.of(Refusal.limit(
                        "parts",
                        "%d changes in one batch, at most %d are allowed: make several of it"
                                .formatted(batch.parts().size(), Command.Batch.PARTS_MAX)))
                : Optional.empty();
    }

    /** Ends a draft; in a batch a finding must be told with its object, alone the caller knows what it has asked for. */
    private static Applied finished(Draft draft, int id, Function<Finding, Refused> telling) {
        ClusterState state = draft.before();
        Model next = draft.model();
        Optional<Finding> finding = Checks.first(draft, next);
        if (finding.isPresent()) {
            return new Applied(state, telling.apply(finding.get()));
        }
        return draft.ids().equals(state.lastIds()) && next.equals(state.model())
                ? new Applied(state, new Done(id, state.revision()))
                : Reply.created(state, next, draft.ids(), id);
    }

    private static Outcome make(Draft draft, Command.Edit edit) {
        return switch (edit) {
            case Command.CreateSegment(var segment) -> Segments.create(draft, segment);
            case Command.SetSegmentGateways(var segment) -> Segments.setGateways(draft, segment);
            case Command.DeleteSegment(String name) -> Segments.delete(draft, name);
            case Command.CreatePool(var pool) -> Pools.create(draft, pool);
            case Command.SetPoolMonitor(String pool, var monitor) -> Pools.setMonitor(draft, pool, monitor);
            case Command.SetPoolGuards(String pool, var guards) -> Pools.setGuards(draft, pool, guards);
            case Command.SetMinEligible(String pool, int minEligible) -> Pools.setMinEligible(draft, pool, minEligible);
            case Command.DeletePool(String name) -> Pools.delete(draft, name);
            case Command.CreateMember create -> PoolMembers.create(draft, create);
            case Command.SetMemberAdmin(String pool, String member, var admin) ->
                PoolMembers.setAdmin(draft, pool, member, admin);
            case Command.SetMemberWeight(String pool, String member, int weight) ->
                PoolMembers.setWeight(draft, pool, member, weight);
            case Command.SetMemberCeiling(String pool, String member, int ceiling) ->
                PoolMembers.setCeiling(draft, pool, member, ceiling);
            case Command.SetMemberMac(String pool, String member, var mac) ->
                PoolMembers.setMac(draft, pool, member, mac);
            case Command.DeleteMember(String pool, String member) -> PoolMembers.delete(draft, pool, member);
            case Command.CreateListener(String pool, var listener) -> Listeners.create(draft, pool, listener);
            case Command.SetListener(String pool, var listener) -> Listeners.set(draft, pool, listener);
            case Command.SetWhenEmpty(String listener, var policy) -> Listeners.setWhenEmpty(draft, listener, policy);
            case Command.DeleteListener(String name) -> Listeners.delete(draft, name);
            case Command.SetLabels set -> Labelling.set(draft, set);
            case Command.CreateLoadBalancer(var owner) -> LoadBalancers.create(draft, owner);
            case Command.SetLoadBalancer set -> LoadBalancers.set(draft, set);
            case Command.DeleteLoadBalancer(String name) -> LoadBalancers.delete(draft, name);
        };
    }

    /** Returns the success of an edit; what revision it leads to is not known yet. */
    static Outcome made(int id) {
        return new Done(id, 0);
    }
}
