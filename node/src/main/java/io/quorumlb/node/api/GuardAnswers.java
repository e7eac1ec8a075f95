package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.wire.GuardCodec;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.wire.ReportCodec;
import io.quorumlb.proto.v1.Generation;
import io.quorumlb.proto.v1.GenerationEvidence;
import io.quorumlb.proto.v1.GetPoolPlanResponse;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import io.quorumlb.proto.v1.OverrideGuardsResponse;
import io.quorumlb.proto.v1.PlannedGeneration;
import io.quorumlb.proto.v1.SetPoolGuardsResponse;
import java.util.List;
import java.util.Optional;

/** Answers about why generations were made, and why others are not. */
final class GuardAnswers {
    private GuardAnswers() {}

    static ListGenerationsResponse generations(NodeState state, ListGenerationsRequest request) {
        long limit = Integer.toUnsignedLong(request.getLimit());
        if (limit > ClusterState.HISTORY_MAX) {
            throw Refusals.outside("limit", Long.toString(limit), "1.." + ClusterState.HISTORY_MAX, " (0 is all)");
        }
        Pool pool = Listings.pool(state, "pool", Commands.named("pool", request.getPool()));
        List<PoolGeneration> history = state.cluster().history().getOrDefault(pool.id(), List.of());
        var response = ListGenerationsResponse.newBuilder();
        history.reversed().stream()
                .limit(limit == 0 ? ClusterState.HISTORY_MAX : limit)
                .forEach(generation -> response.addGenerations(toWire(state, generation)));
        return response.build();
    }

    private static Generation toWire(NodeState state, PoolGeneration generation) {
        var message = Generation.newBuilder()
                .setNumber(generation.number())
                .setRevision(generation.revision())
                .setCause(GuardCodec.toWire(generation.cause()))
                .setReason(generation.reason())
                .setExpectedDigest(generation.expected().hex())
                .setEligible(generation.eligible().size())
                .setMembers(generation.members().size());
        generation
                .evidence()
                .forEach(evidence -> message.addEvidence(GenerationEvidence.newBuilder()
                        .setMember(name(state.cluster().model(), evidence.memberId()))
                        .setEvidence(GuardCodec.toWire(evidence))));
        return message.build();
    }

    private static String name(Model model, int memberId) {
        return Optional.ofNullable(model.members().get(memberId))
                .map(Member::name)
                .orElseGet(() -> Integer.toString(memberId));
    }

    /** Returns what this node would do about the pool if it led, and what it would do without guards. */
    static GetPoolPlanResponse plan(NodeState state, String name, MonotonicTime now) {
        Pool pool = Listings.pool(state, "pool", name);
        Plan plan = state.plan(pool, now);
        var response = GetPoolPlanResponse.newBuilder()
                .setGeneration(state.cluster().generationNumber(pool.id()))
                .addAllHolds(plan.holds().stream().map(ReportCodec::toWire).toList())
                .setAnsweredBy(state.settings().self().value());
        if (plan instanceof Plan.Commit commit) {
            response.setNext(toWire(commit));
        }
        Plan unguarded = state.planWithoutGuards(pool, now);
        if (unguarded instanceof Plan.Commit commit) {
            response.setUnguarded(toWire(commit));
        }
        ClusterState cluster = state.cluster();
        return response.addAllMembers(PlannedSlots.of(
                        cluster.generation(pool.id()), cluster, unguarded, id -> name(cluster.model(), id)))
                .addAllListeners(PlannedSlots.listeners(cluster.model(), pool.id()))
                .build();
    }

    static PlannedGeneration toWire(Plan.Commit commit) {
        return PlannedGeneration.newBuilder()
                .setNumber(commit.command().number())
                .setCause(GuardCodec.toWire(commit.command().cause()))
                .setReason(commit.command().reason())
                .setExpectedDigest(commit.command().expected().hex())
                .setMoved(commit.movement().moved())
                .setCollateral(commit.movement().collateral())
                .build();
    }

    static SetPoolGuardsResponse changed(Command.SetPoolGuards command, Outcome.Done done) {
        return SetPoolGuardsResponse.newBuilder()
                .setRevision(done.revision())
                .setGuards(GuardCodec.toWire(command.guards()))
                .build();
    }

    static OverrideGuardsResponse overridden(Command.OverrideGuards command, Outcome.Done done) {
        return OverrideGuardsResponse.newBuilder()
                .setRevision(done.revision())
                .setOverride(GuardCodec.toWire(command.override()))
                .build();
    }
}
