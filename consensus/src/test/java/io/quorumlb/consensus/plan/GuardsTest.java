package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.CommitGeneration.Footing;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.PoolGuards.Flapping;
import io.quorumlb.consensus.pool.GenerationCause;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class GuardsTest {
    private final PoolFixture pool = PoolFixture.up(4);

    private static PoolGuards panicBelow(int percent) {
        PoolGuards usual = PoolGuards.DEFAULT;
        return new PoolGuards(50, 60, percent, usual.flapping(), usual.generationInterval(), usual.settleMax());
    }

    @Test
    void whatEverybodySeesDeadGoesAtOnceHoweverMuchItIs() {
        pool.see(PoolFixture.DOWN, 1, 2, 3, 4);
        assertEquals(List.of(), PoolFixture.codes(pool.commit()));
        assertEquals(List.of(), pool.eligible());
        assertEquals(GenerationCause.HEALTH, pool.current().cause());
    }

    @Test
    void moreThanHalfDownAgainstAFreshVoterIsHeld() {
        pool.dispute(1, 2, 3);
        assertEquals(List.of("mass-failure-held"), pool.held());
        String detail = pool.plan().holds().getFirst().detail();
        assertTrue(detail.startsWith("3 of 4 of the eligible weight would be down"), detail);
        assertTrue(detail.contains("be1, be2, be3"), detail);
    }

    @Test
    void halfDownAgainstAFreshVoterGoes() {
        pool.dispute(1, 2);
        pool.commit();
        assertEquals(List.of(3, 4), pool.eligible());
    }

    @Test
    void ofAMassFailureThoseGoOnWhichAllAgree() {
        pool.dispute(1, 2);
        pool.see(PoolFixture.DOWN, 3);
        assertEquals(List.of("mass-failure-held"), PoolFixture.codes(pool.commit()));
        assertEquals(List.of(1, 2, 4), pool.eligible());
        assertEquals(List.of("mass-failure-held"), pool.held(), "the rest stays held");
        pool.disputed.clear();
        pool.commit();
        assertEquals(List.of(4), pool.eligible(), "until all agree");
    }

    @Test
    void whatWentDownAMomentAgoCounts() {
        pool.see(PoolFixture.DOWN, 1, 2);
        pool.commit();
        pool.recentlyDown.put(1, 1);
        pool.recentlyDown.put(2, 1);
        pool.dispute(3);
        assertEquals(List.of("mass-failure-held"), pool.held());
        pool.recentlyDown.clear();
        pool.commit();
        assertEquals(List.of(4), pool.eligible(), "half of what is left, long after the others");
    }

    @Test
    void whatCameBackSinceDoesNotCount() {
        pool.recentlyDown.put(1, 1);
        pool.recentlyDown.put(2, 1);
        pool.dispute(3);
        pool.commit();
        assertEquals(List.of(1, 2, 4), pool.eligible());
    }

    @Test
    void anOverrideLetsAMassFailurePassOnce() {
        pool.dispute(1, 2, 3);
        pool.override(Guard.MASS_FAILURE);
        Plan.Commit commit = pool.commit();
        assertEquals(GenerationCause.OVERRIDE, commit.command().cause());
        assertTrue(commit.command().reason().endsWith("(guards overridden)"));
        assertEquals(List.of(4), pool.eligible());
        pool.verdicts.clear();
        pool.disputed.clear();
        pool.see(PoolFixture.UP, 1, 2, 3, 4);
        pool.commit();
        pool.dispute(1, 2, 3);
        assertEquals(List.of("mass-failure-held"), pool.held(), "it is used up");
    }

    @Test
    void anOverrideOfAnotherGuardDoesNotHelp() {
        pool.dispute(1, 2, 3);
        pool.override(Guard.DISRUPTION);
        assertEquals(List.of("mass-failure-held"), pool.held());
    }

    @Test
    void anOverrideForAnotherGenerationIsRefused() {
        var late = new Command.OverrideGuards("web", new GuardOverride(new TreeSet<>(List.of(Guard.MASS_FAILURE)), 7));
        var refused = assertInstanceOf(
                Outcome.Refused.class, StateMachine.apply(pool.state, late).outcome());
        assertEquals(Outcome.Cause.STALE, refused.cause());
        assertEquals("override.base_generation", refused.field());
    }

    @Test
    void aYoungDisputeWaitsAMomentForOthersToFollow() {
        pool.dispute(1);
        pool.young.add(1);
        assertEquals(List.of("disputed"), pool.held());
        pool.young.clear();
        pool.commit();
        assertEquals(List.of(2, 3, 4), pool.eligible());
    }

    @Test
    void settlingHoldsHealthAndNothingElse() {
        pool.moment = PoolView.Moment.SETTLING;
        pool.see(PoolFixture.DOWN, 1);
        assertEquals(List.of("settling"), pool.held());
        pool.drain(2);
        assertEquals(List.of("settling"), PoolFixture.codes(pool.commit()));
        assertEquals(List.of(1, 3, 4), pool.eligible());
        pool.moment = PoolView.Moment.FREE;
        pool.commit();
        assertEquals(List.of(3, 4), pool.eligible());
    }

    @Test
    void settlingHoldsRecoveriesToo() {
        pool.see(PoolFixture.DOWN, 1);
        pool.commit();
        pool.see(PoolFixture.UP, 1);
        pool.moment = PoolView.Moment.SETTLING;
        assertEquals(List.of("settling"), pool.held());
    }

    @Test
    void tooSoonWaitsWithHealthButNotWithTheConfiguration() {
        pool.moment = PoolView.Moment.TOO_SOON;
        pool.see(PoolFixture.DOWN, 1);
        assertEquals(List.of("generation-interval"), pool.held());
        pool.drain(2);
        assertEquals(List.of(), PoolFixture.codes(pool.commit()), "and takes the health along");
        assertEquals(List.of(3, 4), pool.eligible());
        assertEquals(GenerationCause.MIXED, pool.current().cause());
    }

    @Test
    void aFlappingMemberStaysOutUntilItsPenaltyHasFallen() {
        pool.see(PoolFixture.DOWN, 1);
        pool.flapping.add(1);
        pool.commit();
        pool.see(PoolFixture.UP, 1);
        assertEquals(List.of("held-down-flapping"), pool.held());
        assertTrue(assertInstanceOf(Plan.Held.class, pool.plan()).lasting());
        pool.flapping.clear();
        pool.commit();
        assertEquals(List.of(1, 2, 3, 4), pool.eligible());
    }

    @Test
    void betterAFlappingMemberThanNobody() {
        pool.see(PoolFixture.DOWN, 1, 2, 3, 4);
        pool.commit();
        pool.flapping.add(1);
        pool.see(PoolFixture.UP, 1);
        assertEquals(List.of("held-down-flapping"), PoolFixture.codes(pool.commit()));
        assertEquals(List.of(1), pool.eligible());
        pool.see(PoolFixture.UP, 2);
        pool.commit();
        assertEquals(List.of(1, 2), pool.eligible(), "who serves is not taken out for what it did before");
        pool.see(PoolFixture.DOWN, 1);
        pool.commit();
        pool.see(PoolFixture.UP, 1);
        assertEquals(List.of("held-down-flapping"), pool.held(), "now somebody else is up");
    }

    @Test
    void panicIsOffByDefault() {
        pool.see(PoolFixture.DOWN, 1, 2, 3);
        pool.commit();
        assertEquals(List.of(4), pool.eligible());
    }

    @Test
    void inPanicAllEnabledMembersTakeTrafficUntilEnoughAreHealthy() {
        pool.guards(panicBelow(50));
        pool.see(PoolFixture.DOWN, 1, 2);
        pool.commit();
        assertEquals(List.of(3, 4), pool.eligible(), "half is not less than half");
        pool.see(PoolFixture.DOWN, 3);
        assertEquals(List.of("panic"), PoolFixture.codes(pool.commit()));
        assertEquals(List.of(1, 2, 3, 4), pool.eligible());
        assertEquals(GenerationCause.PANIC, pool.current().cause());
        assertEquals(List.of("panic"), pool.held(), "it is shown as long as it lasts");
        pool.see(PoolFixture.UP, 1);
        pool.commit();
        assertEquals(List.of(1, 4), pool.eligible(), "it ends by itself");
    }

    @Test
    void panicLetsNobodyInWhoIsNotEnabled() {
        pool.guards(panicBelow(100));
        pool.drain(1);
        pool.see(PoolFixture.DOWN, 2);
        pool.commit();
        assertEquals(List.of(2, 3, 4), pool.eligible());
    }

    @Test
    void whatPanicLetInIsNotHealthyBecauseNobodyKnows() {
        pool.guards(panicBelow(60));
        pool.see(PoolFixture.DOWN, 1, 2);
        Plan.Commit begins = pool.commit();
        assertEquals(0, begins.movement().moved(), "the same table, but everybody can see why");
        assertTrue(
                begins.command().reason().startsWith("panic begins"),
                begins.command().reason());
        assertEquals(GenerationCause.PANIC, pool.current().cause());
        pool.see(PoolFixture.UNDECIDED, 1, 2, 3, 4);
        pool.lastSeenDown.addAll(List.of(1, 2));
        assertEquals(List.of("panic"), pool.held());
    }

    @Test
    void oneOfTwoMayBeDrainedAtOnce() {
        PoolFixture two = PoolFixture.up(2);
        two.drain(1);
        assertEquals(512, two.commit().movement().moved());
    }

    @Test
    void drainingMoreThanTheGuardAllowsIsHeldAndHealthGoesOn() {
        pool.drain(1, 2, 3);
        assertEquals(List.of("disruption-held"), pool.held());
        assertTrue(pool.plan().holds().getFirst().detail().contains("move 768 of 1024 slots"));
        pool.see(PoolFixture.DOWN, 4);
        Plan.Commit commit = pool.commit();
        assertEquals(List.of("disruption-held"), PoolFixture.codes(commit));
        assertEquals(Footing.PREVIOUS, commit.command().footing());
        assertEquals(List.of(1, 2, 3), pool.eligible(), "the dead one is out, the drained ones still serve");
        pool.see(PoolFixture.DOWN, 1);
        pool.commit();
        assertEquals(List.of(2, 3), pool.eligible(), "a member that would be drained may die");
    }

    @Test
    void anOverrideLetsADisruptionPass() {
        pool.drain(1, 2, 3);
        pool.override(Guard.DISRUPTION);
        assertEquals(GenerationCause.OVERRIDE, pool.commit().command().cause());
        assertEquals(List.of(4), pool.eligible());
    }

    @Test
    void heldChangesOfWeightDoNotKeepADeadMemberIn() {
        pool.apply(new Command.SetMemberWeight("web", "be1", 100));
        assertEquals(List.of("disruption-held"), pool.held());
        pool.see(PoolFixture.DOWN, 2);
        pool.commit();
        assertEquals(List.of(1, 3, 4), pool.eligible());
        assertEquals(1, pool.current().member(1).orElseThrow().weight(), "over the members of the generation before");
        pool.see(PoolFixture.UP, 2);
        pool.commit();
        assertEquals(List.of(1, 2, 3, 4), pool.eligible());
    }

    @Test
    void deletedMembersGoWhateverIsHeld() {
        PoolFixture eight = PoolFixture.up(8);
        eight.apply(new Command.SetMemberWeight("web", "be1", 100));
        eight.apply(new Command.DeleteMember("web", "be2"));
        Plan.Commit commit = eight.commit();
        assertEquals(List.of("disruption-held"), PoolFixture.codes(commit));
        assertEquals(Footing.PREVIOUS, commit.command().footing());
        assertEquals(List.of(1, 3, 4, 5, 6, 7, 8), eight.eligible());
        eight.apply(new Command.SetMemberWeight("web", "be1", 1));
        assertEquals(List.of(), eight.plan().holds(), "what is no longer asked for is no longer held");
    }

    @Test
    void allMembersMayBeDeletedAndNewOnesMayComeUp() {
        PoolFixture one = PoolFixture.up(1);
        one.add(2);
        one.add(3);
        one.add(4);
        one.commit();
        assertEquals(List.of(1, 2, 3, 4), one.eligible());
        PoolFixture two = PoolFixture.up(2);
        two.apply(new Command.DeleteMember("web", "be1"));
        two.apply(new Command.DeleteMember("web", "be2"));
        two.commit();
        assertEquals(List.of(), two.eligible());
    }

    @Test
    void recoveriesMoveWhatTheyMove() {
        pool.see(PoolFixture.DOWN, 1, 2, 3);
        pool.commit();
        pool.see(PoolFixture.UP, 1, 2, 3);
        assertEquals(768, pool.commit().movement().moved());
        assertEquals(List.of(1, 2, 3, 4), pool.eligible());
    }

    @Test
    void guardsCanBeSwitchedOff() {
        pool.guards(
                new PoolGuards(100, 100, 0, new Flapping(0, 0, Duration.ofMinutes(1)), Duration.ZERO, Duration.ZERO));
        pool.dispute(1, 2, 3);
        pool.commit();
        assertEquals(List.of(4), pool.eligible());
        pool.see(PoolFixture.UP, 1, 2, 3);
        pool.disputed.clear();
        pool.commit();
        pool.drain(1, 2, 3, 4);
        pool.commit();
        assertEquals(List.of(), pool.eligible());
    }

    @Test
    void theReasonStaysShortHoweverManyMembersChange() {
        PoolFixture many = PoolFixture.up(200);
        for (int member = 1; member <= 200; member++) {
            many.see(PoolFixture.DOWN, member);
        }
        String reason = many.commit().command().reason();
        assertTrue(reason.endsWith(" and 192 more"), reason);
    }

    @Test
    void aDrainedMemberIsNotInTheEvidenceOfHealth() {
        pool.drain(1);
        pool.see(PoolFixture.DOWN, 2);
        assertEquals(new TreeSet<>(List.of(2)), pool.commit().byHealth());
        pool.apply(new Command.SetMemberAdmin("web", "be1", AdminState.ENABLED));
        assertEquals(new TreeSet<>(List.of(1)), pool.commit().byHealth());
    }
}
