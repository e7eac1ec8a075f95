package io.quorumlb.verify.sim;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.maglev.TableMember;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;

/** Holds each proposed generation against what the probes really found. */
final class VerdictChecks {
    private static final Duration FRESH_MIN = Duration.ofMillis(1500);

    private final World world;
    private final ProbeBook book;

    VerdictChecks(World world, ProbeBook book) {
        this.world = world;
        this.book = book;
    }

    void proposed(SimNode leader, Command.CommitGeneration command) {
        ClusterState state = leader.state().cluster();
        requireHeldDownOut(leader, state, command);
        if (panics(state, command)) {
            // Then members take traffic, or cease to, whatever is known of their health.
            return;
        }
        for (Member member : state.model().membersOf(command.poolId())) {
            boolean held = state.held(member.id()).isPresent();
            if (held || !member.wanted() || member.ceiling() == 0) {
                continue;
            }
            boolean before = state.generation(command.poolId())
                    .flatMap(generation -> generation.member(member.id()))
                    .map(TableMember::effectiveWeight)
                    .filter(weight -> weight > 0)
                    .isPresent();
            boolean after = command.effectiveWeights().getOrDefault(member.id(), 0) > 0;
            if (before != after) {
                require(leader, member, after ? Health.UP : Health.DOWN);
            }
        }
    }

    /** Over the members as they were before, a guard may keep for a moment what an operator holds down. */
    private static void requireHeldDownOut(SimNode leader, ClusterState state, Command.CommitGeneration command) {
        if (command.footing() == Command.CommitGeneration.Footing.CONFIGURED) {
            command.effectiveWeights().forEach((member, weight) -> {
                if (weight > 0 && state.held(member).equals(Optional.of(Health.DOWN))) {
                    throw new Violation(
                            Invariant.ONLY_ELIGIBLE_MEMBERS,
                            "%s proposes weight %d for member %d, which is held down"
                                    .formatted(leader.id, weight, member));
                }
            });
        }
    }

    private static boolean panics(ClusterState state, Command.CommitGeneration command) {
        return command.cause() == GenerationCause.PANIC
                || state.generation(command.poolId())
                        .filter(before -> before.cause() == GenerationCause.PANIC)
                        .isPresent();
    }

    private void require(SimNode leader, Member member, Health health) {
        Duration oldest = oldest();
        SortedSet<NodeId> voters = book.voters(member.id(), health, world.nodes(), oldest);
        if (voters.size() < world.majority()) {
            throw new Violation(
                    voters.size() == 1 ? Invariant.BLIND_OBSERVER_CHANGES_NOTHING : Invariant.VERDICT_BY_MAJORITY,
                    "%s proposes %s %s, but of %d nodes only %s found that within %d ms"
                            .formatted(
                                    leader.id,
                                    member.name(),
                                    health,
                                    world.settings.nodes(),
                                    voters,
                                    oldest.toMillis()));
        }
    }

    /**
     * Returns how old an observation may really be and still count: the limit of freshness, and what no node can know of:
     * the time on the links.
     */
    private Duration oldest() {
        HealthMonitor monitor = world.settings.monitor();
        Duration limit = monitor.interval().multipliedBy(3);
        limit = limit.compareTo(FRESH_MIN) < 0 ? FRESH_MIN : limit;
        Duration perHop = Network.DELAY_MAX.plus(world.settings.tick().multipliedBy(2));
        return limit.plus(limit.dividedBy(50)).plus(perHop.multipliedBy(world.settings.nodes() - 1L));
    }
}
