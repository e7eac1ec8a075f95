package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.Health;
import java.util.Optional;

/** What decides whether a member takes traffic. */
public enum Ruling {
    /** It was deleted. */
    GONE,
    /** An operator has drained it. */
    DRAINED,
    /** Its weight is 0. */
    WEIGHT_ZERO,
    /** Its ceiling is 0. */
    CEILING_ZERO,
    /** A majority of all voters sees it up. */
    MAJORITY_UP,
    /** A majority of all voters sees it down. */
    MAJORITY_DOWN,
    /** Neither: what was committed before stays. */
    NO_MAJORITY,
    /** A new leader does not yet hear a majority: it stays as it was. */
    SETTLING,
    /** A majority sees it down and a voter sees it up: it stays as it was, for a moment. */
    DISPUTED,
    /** Most of the pool would go down and not every fresh voter agrees: it stays as it was. */
    MASS_FAILURE,
    /** It is up and changed too often: it stays out. */
    FLAPPING,
    /** It is not up, and so little is that all enabled members take traffic. */
    PANIC,
    /** An operator takes it for down for a time. */
    HELD_DOWN,
    /** An operator takes it for up for a time. */
    HELD_UP;

    /**
     * Returns what decides about a member now.
     *
     * @param state committed state
     * @param pool the member's pool in it
     * @param view what is known of the pool's members
     */
    public static Ruling of(ClusterState state, Pool pool, Member member, PoolView view) {
        if (member.admin() != AdminState.ENABLED) {
            return member.retired() ? GONE : DRAINED;
        }
        if (member.weight() == 0) {
            return WEIGHT_ZERO;
        }
        if (state.held(member.id()).equals(Optional.of(Health.DOWN))) {
            return HELD_DOWN;
        }
        if (member.ceiling() == 0) {
            return CEILING_ZERO;
        }
        return Eligibility.of(
                        state, pool, state.generation(pool.id()), state.model().membersOf(pool.id()), view)
                .rulings()
                .getOrDefault(member.id(), GONE);
    }
}
