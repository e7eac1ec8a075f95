package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.pool.PoolSettings;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.proto.v1.MemberRollback;
import io.quorumlb.proto.v1.RollbackPoolRequest;
import io.quorumlb.proto.v1.RollbackPoolResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.LongSupplier;

/**
 * Configures a pool's members as they were when a generation was committed, as one change. Like Apply it says from which
 * revision it was found.
 */
final class RollingBack {
    private final StateWatch watch;
    private final Writes writes;
    private final LongSupplier nanoTime;

    RollingBack(StateWatch watch, Writes writes, LongSupplier nanoTime) {
        this.watch = watch;
        this.writes = writes;
        this.nanoTime = nanoTime;
    }

    RollbackPoolResponse answer(RollbackPoolRequest request) throws InterruptedException {
        // What is asked for, not what has to change for it: that is another thing when it is asked again.
        Origin origin = Commands.origin(
                request.getOptions(),
                OriginCodec.content(
                        request.toBuilder().clearOptions().clearDryRun().build()));
        NodeState state = watch.current();
        ClusterState cluster = state.cluster();
        Pool pool = Listings.pool(state, "pool", Commands.named("pool", request.getPool()));
        if (request.getGeneration() == 0) {
            throw Refusals.invalid("generation", "generation is not set: the number of one that is kept expected");
        }
        PoolGeneration target = GenerationDiff.generation(
                cluster.history().getOrDefault(pool.id(), List.of()), pool, "generation", request.getGeneration());
        requirePossible(cluster, pool, target);
        List<MemberRollback> members = new ArrayList<>();
        List<Command.Edit> edits = new ArrayList<>();
        cluster.model().presentMembersOf(pool.id()).forEach(member -> edit(pool, member, target, members, edits));
        var write = new Command.Requested(
                origin.expecting(origin.expectedRevision().orElse(cluster.revision())), new Command.Batch(edits));
        Applied applied = StateMachine.apply(cluster, write);
        if (applied.outcome() instanceof Outcome.Refused refused) {
            throw Refusals.refused(refused);
        }
        var response = RollbackPoolResponse.newBuilder().addAllMembers(members).setRevision(cluster.revision());
        if (request.getDryRun()) {
            var foreseen = new PoolChanges(state, applied.state(), new MonotonicTime(nanoTime.getAsLong()));
            return response.setChange(foreseen.of(pool.name())).build();
        }
        return switch (writes.outcome(write)) {
            case Outcome.Done done -> response.setRevision(done.revision()).build();
            case Outcome.Refused refused -> throw Refusals.refused(refused);
        };
    }

    private static void requirePossible(ClusterState cluster, Pool pool, PoolGeneration target) {
        SortedMap<Integer, PoolSettings.OfMember> then = target.settings().members();
        if (then.isEmpty()) {
            throw impossible("the configuration of generation %d of pool '%s' was not kept, or it had no members"
                    .formatted(target.number(), pool.name()));
        }
        List<String> gone = then.entrySet().stream()
                .filter(entry -> entry.getValue().admin() != AdminState.RETIRED)
                .filter(entry -> Optional.ofNullable(cluster.model().members().get(entry.getKey()))
                        .filter(member -> !member.retired())
                        .isEmpty())
                .map(entry -> name(cluster, target, entry.getKey()))
                .toList();
        if (!gone.isEmpty()) {
            throw impossible("members of generation %d of pool '%s' were deleted since: %s; choose a later generation"
                    .formatted(target.number(), pool.name(), String.join(", ", gone)));
        }
    }

    private static String name(ClusterState cluster, PoolGeneration target, int id) {
        String address =
                target.member(id).map(member -> member.key().toString()).orElse("id " + id);
        return Optional.ofNullable(cluster.model().members().get(id))
                .map(member -> "%s (%s)".formatted(member.name(), address))
                .orElse(address);
    }

    private static io.grpc.StatusRuntimeException impossible(String message) {
        return Refusals.refused(new Outcome.Refused(Cause.LIMIT, "generation", message));
    }

    private static void edit(
            Pool pool, Member now, PoolGeneration target, List<MemberRollback> members, List<Command.Edit> edits) {
        Optional<PoolSettings.OfMember> known =
                Optional.ofNullable(target.settings().members().get(now.id()));
        PoolSettings.OfMember then =
                known.orElse(new PoolSettings.OfMember(now.weight(), AdminState.DRAINED, now.ceiling()));
        if (then.equals(new PoolSettings.OfMember(now.weight(), now.admin(), now.ceiling()))) {
            return;
        }
        if (then.weight() != now.weight()) {
            edits.add(new Command.SetMemberWeight(pool.name(), now.name(), then.weight()));
        }
        if (then.admin() != now.admin()) {
            edits.add(new Command.SetMemberAdmin(pool.name(), now.name(), then.admin()));
        }
        int ceiling = then.weight() == now.weight() ? now.ceiling() : then.weight();
        if (then.ceiling() != ceiling) {
            edits.add(new Command.SetMemberCeiling(pool.name(), now.name(), then.ceiling()));
        }
        members.add(MemberRollback.newBuilder()
                .setMember(now.name())
                .setWeightBefore(now.weight())
                .setWeightAfter(then.weight())
                .setAdminBefore(ModelCodec.toWire(now.admin()))
                .setAdminAfter(ModelCodec.toWire(then.admin()))
                .setCeilingBefore(now.ceiling())
                .setCeilingAfter(then.ceiling())
                .setCreatedSince(known.isEmpty())
                .build());
    }
}
