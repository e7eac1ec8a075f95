package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.node.core.ClusterView.NodeView;
import io.quorumlb.node.core.Proof.Missing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds out who has proven what. */
public final class Proofs {
    private Proofs() {}

    /** Returns which nodes in service have proven the pool's generation, or a later one, as this node has heard. */
    public static Proof of(NodeState state, int poolId, long generation, MonotonicTime now) {
        List<NodeId> provenBy = new ArrayList<>();
        List<Missing> missing = new ArrayList<>();
        List<NodeId> serving = state.settings().voters().stream()
                .filter(state.cluster()::inService)
                .toList();
        for (NodeId id : serving) {
            NodeView node = ClusterViews.view(state, id, now);
            Optional<PoolReport> report = ClusterViews.report(node, poolId);
            boolean proven = node.reachable()
                    && report.filter(pool -> pool.generation() >= generation && proven(pool.state()))
                            .isPresent();
            if (proven) {
                provenBy.add(id);
            } else {
                missing.add(new Missing(id, node.reachable(), reason(node, report)));
            }
        }
        boolean complete =
                provenBy.size() >= Math.min(serving.size(), state.settings().majority())
                        && !provenBy.isEmpty()
                        && missing.stream().noneMatch(Missing::reachable);
        return new Proof(complete, generation, provenBy, missing);
    }

    private static boolean proven(InstallState state) {
        return state == InstallState.CONVERGED || state == InstallState.FROZEN;
    }

    private static String reason(NodeView node, Optional<PoolReport> report) {
        if (!node.reachable()) {
            return ClusterViews.unreachable(node);
        }
        return report.map(pool -> "%s generation %d%s"
                        .formatted(
                                pool.state(), pool.generation(), pool.detail().isEmpty() ? "" : ": " + pool.detail()))
                .orElse("does not know the pool yet");
    }

    /**
     * Returns true if the applied configuration is at least the revision and no further generation is due for the
     * pool, as far as this node has heard the others' observations.
     */
    public static boolean settled(NodeState state, int poolId, long revision, MonotonicTime now) {
        Pool pool = state.cluster().model().pools().get(poolId);
        return pool != null && state.cluster().revision() >= revision && settled(Leading.plan(state, pool, now));
    }

    private static boolean settled(Plan plan) {
        return switch (plan) {
            case Plan.Keep _ -> true;
            // What a guard of health holds has nothing to do with the configuration that was asked for.
            case Plan.Held held -> held.lasting();
            case Plan.Commit _ -> false;
        };
    }
}
