package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.Health;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An operator's word on a member's health is not a verdict. */
class HeldMembersTest {
    private final PoolFixture pool = PoolFixture.up(4);

    private void hold(Health health, int... members) {
        for (int member : members) {
            pool.apply(new Command.HoldMember("web", "be" + member, health, 60_000, "a deploy"));
        }
    }

    private void release(int member) {
        pool.apply(new Command.ReleaseMember("web", "be" + member));
    }

    private Ruling ruling(int id) {
        Member member =
                Optional.ofNullable(pool.state.model().members().get(id)).orElseThrow();
        return Ruling.of(pool.state, pool.pool(), member, pool.view());
    }

    @Test
    void heldDownGoesAlthoughAllSeeItUpAndComesBackAfterwards() {
        hold(Health.DOWN, 1);
        Plan.Commit commit = pool.commit();
        assertEquals(List.of(2, 3, 4), pool.eligible());
        assertEquals(GenerationCause.CONFIGURATION, commit.command().cause());
        assertEquals("be1 held down by an operator", commit.command().reason());
        assertTrue(commit.byHealth().isEmpty(), "nobody has seen anything");
        assertEquals(Ruling.HELD_DOWN, ruling(1));
        assertInstanceOf(Plan.Keep.class, pool.plan());
        release(1);
        pool.commit();
        assertEquals(List.of(1, 2, 3, 4), pool.eligible());
        assertEquals(Ruling.MAJORITY_UP, ruling(1));
    }

    @Test
    void whatIsSeenWhileItIsHeldRulesAfterwards() {
        hold(Health.DOWN, 1);
        pool.commit();
        pool.see(PoolFixture.DOWN, 1);
        assertInstanceOf(Plan.Keep.class, pool.plan());
        release(1);
        assertInstanceOf(Plan.Keep.class, pool.plan());
        assertEquals(Ruling.MAJORITY_DOWN, ruling(1));
    }

    @Test
    void heldDownIsNoMassFailureAndIsGuardedAgainstDisruptionLikeADrain() {
        pool.disputed.addAll(List.of(1, 2));
        hold(Health.DOWN, 1, 2);
        assertEquals(List.of(), PoolFixture.codes(pool.commit()));
        assertEquals(List.of(3, 4), pool.eligible());
        var many = PoolFixture.up(4);
        List.of(1, 2, 3)
                .forEach(member ->
                        many.apply(new Command.HoldMember("web", "be" + member, Health.DOWN, 60_000, "all at once")));
        assertEquals(List.of("disruption-held"), many.held());
    }

    @Test
    void heldUpStaysInAlthoughAllSeeItDownAndGoesAfterwards() {
        hold(Health.UP, 1);
        pool.see(PoolFixture.DOWN, 1);
        assertInstanceOf(Plan.Keep.class, pool.plan());
        assertEquals(Ruling.HELD_UP, ruling(1));
        release(1);
        pool.commit();
        assertEquals(List.of(2, 3, 4), pool.eligible());
    }

    @Test
    void heldUpComesInAlthoughNobodyHasSeenItUp() {
        pool.see(PoolFixture.DOWN, 1);
        pool.commit();
        pool.flapping.add(1);
        pool.moment = PoolView.Moment.SETTLING;
        hold(Health.UP, 1);
        Plan.Commit commit = pool.commit();
        assertEquals(List.of(1, 2, 3, 4), pool.eligible());
        assertEquals("be1 held up by an operator", commit.command().reason());
    }

    @Test
    void aDrainedMemberStaysOutHoweverItIsHeld() {
        pool.drain(1);
        pool.commit();
        hold(Health.UP, 1);
        assertInstanceOf(Plan.Keep.class, pool.plan());
        assertEquals(Ruling.DRAINED, ruling(1));
    }

    @Test
    void everyRulingHasItsReason() {
        pool.apply(new Command.SetMemberWeight("web", "be2", 0));
        assertEquals(Ruling.WEIGHT_ZERO, ruling(2));
        pool.apply(new Command.SetMemberCeiling("web", "be3", 0));
        assertEquals(Ruling.CEILING_ZERO, ruling(3));
        pool.see(PoolFixture.UNDECIDED, 1);
        assertEquals(Ruling.NO_MAJORITY, ruling(1));
        pool.dispute(1);
        pool.young.add(1);
        assertEquals(Ruling.DISPUTED, ruling(1));
        pool.moment = PoolView.Moment.SETTLING;
        assertEquals(Ruling.SETTLING, ruling(1));
    }

    @Test
    void aMassFailureAndAFlappingMemberAreNamed() {
        pool.dispute(1, 2, 3);
        assertEquals(Ruling.MASS_FAILURE, ruling(1));
        pool.disputed.clear();
        pool.see(PoolFixture.DOWN, 1, 2, 3);
        pool.commit();
        pool.see(PoolFixture.UP, 1);
        pool.flapping.add(1);
        assertEquals(Ruling.FLAPPING, ruling(1));
        assertEquals(Ruling.MAJORITY_UP, ruling(4));
    }

    @Test
    void aDeletedMemberIsGone() {
        pool.apply(new Command.DeleteMember("web", "be1"));
        Member retired = pool.state.model().members().values().stream()
                .filter(member -> member.admin() == AdminState.RETIRED)
                .findFirst()
                .orElseThrow();
        assertEquals(Ruling.GONE, Ruling.of(pool.state, pool.pool(), retired, pool.view()));
    }
}
