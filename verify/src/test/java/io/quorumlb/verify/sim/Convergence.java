package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.ClusterView;
import io.quorumlb.node.core.ClusterViews;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Tells what is still missing until all nodes forward by one table that is right. */
final class Convergence {
    private static final int PACKETS = 8;

    private final World world;
    private final List<SimNode> among;
    private final SortedSet<String> dead;

    /** All nodes, all members well. */
    Convergence(World world) {
        this(world, world.nodes(), new TreeSet<>());
    }

    /**
     * Some of the nodes.
     *
     * @param among nodes that are not lost
     * @param dead names of members that are
     */
    Convergence(World world, List<SimNode> among, SortedSet<String> dead) {
        this.world = world;
        this.among = among;
        this.dead = dead;
    }

    private boolean all() {
        return among.size() == world.nodes().size();
    }

    /** Returns what is missing, for people; empty if the cluster has converged. */
    List<String> gaps() {
        List<String> gaps = new ArrayList<>();
        ClusterState latest = world.checks.canon.latest();
        if (latest.history().isEmpty()) {
            return List.of("nothing is committed");
        }
        int pool = latest.history().firstKey();
        gaps.addAll(wrong(latest, pool));
        if (!latest.timers().members().isEmpty()) {
            gaps.add("still to become of members: " + latest.timers());
        }
        if (all()) {
            gaps.addAll(GatewayChecks.gaps(latest, among));
        }
        SortedSet<NodeId> leaders = new TreeSet<>();
        for (SimNode node : among) {
            of(node, latest, pool).ifPresent(gap -> gaps.add(node.id + " " + gap));
            switch (node.state().leadership()) {
                case Leadership.Leading _ -> leaders.add(node.id);
                case Leadership.Following(long _, NodeId leader) -> leaders.add(leader);
                case Leadership.Searching _ -> gaps.add(node.id + " knows no leader");
            }
        }
        if (leaders.size() > 1) {
            gaps.add("leaders " + leaders);
        }
        return gaps;
    }

    private List<String> wrong(ClusterState latest, int pool) {
        List<String> wrong = new ArrayList<>();
        Optional<PoolGeneration> generation = latest.generation(pool);
        for (Member member : latest.model().membersOf(pool)) {
            int effective = generation
                    .flatMap(current -> current.member(member.id()))
                    .map(TableMember::effectiveWeight)
                    .orElse(-1);
            int wanted = latest.wants(member) && !dead.contains(member.name()) ? member.ceiling() : 0;
            if (effective != wanted) {
                wrong.add("%s takes %d, should take %d".formatted(member.name(), effective, wanted));
            }
        }
        return wrong;
    }

    private Optional<String> of(SimNode node, ClusterState latest, int pool) {
        if (!node.acting()) {
            return Optional.of("does not run");
        }
        if (node.state().cluster().revision() != latest.revision()) {
            return Optional.of("has revision " + node.state().cluster().revision() + " of " + latest.revision());
        }
        if (all() && !latest.outOfService().isEmpty()) {
            return Optional.of("knows of nodes out of service: " + latest.outOfService());
        }
        ClusterView view = ClusterViews.of(node.state(), node.now());
        if (all() && !view.converged()) {
            return Optional.of("says " + view.verdict());
        }
        boolean withdraws = latest.empty(pool) && world.settings.whenEmpty() instanceof EmptyPolicy.Withdraw;
        if (withdraws && node.announced()) {
            return Optional.of("is announced, but no member is left");
        }
        if (!withdraws && !node.announced()) {
            return Optional.of(
                    "is not announced: " + node.state().report(node.now()).notAnnouncedReason());
        }
        boolean holds = world.checks
                .canon
                .generation(pool, latest.generationNumber(pool))
                .filter(committed -> committed
                        .owners()
                        .equals(node.ovs.owners().getOrDefault(pool, SlotOwners.nobody(world.settings.slots()))))
                .isPresent();
        return holds
                ? world.checks.switches.astray(node, 0, PACKETS)
                : Optional.of("holds another table than it should");
    }
}
