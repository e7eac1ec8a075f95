package io.quorumlb.consensus.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random views and configurations, planned one after another. */
class GuardPropertiesTest {
    private static final int MEMBERS = 6;
    private static final int STEPS_MAX = 5;

    private static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whateverIsSeenAndAskedFor(long seed) {
        var random = new SplittableRandom(seed);
        PoolFixture pool = PoolFixture.up(MEMBERS);
        if (random.nextInt(3) == 0) {
            PoolGuards usual = PoolGuards.DEFAULT;
            pool.guards(new PoolGuards(50, 60, 40, usual.flapping(), usual.generationInterval(), usual.settleMax()));
        }
        for (int round = 0; round < 60; round++) {
            configure(pool, random);
            look(pool, random);
            // Who rises or falls changes what the others weigh, so one view may give several generations, but not many.
            int left = STEPS_MAX;
            while (pool.plan() instanceof Plan.Commit commit) {
                assertEquals(commit, pool.plan(), "the same view gives the same plan");
                PoolGeneration before = pool.current();
                pool.apply(commit.command());
                check(pool, before, commit);
                remember(pool, before);
                left--;
                assertTrue(left > 0, "the same view gives no end of generations: " + commit);
            }
            notDue(pool, pool.plan());
        }
    }

    private static void configure(PoolFixture pool, SplittableRandom random) {
        String name = "be" + random.nextInt(1, MEMBERS + 1);
        switch (random.nextInt(6)) {
            case 0 -> pool.apply(new Command.SetMemberAdmin("web", name, AdminState.DRAINED));
            case 1 -> pool.apply(new Command.SetMemberAdmin("web", name, AdminState.ENABLED));
            case 2 -> pool.apply(new Command.SetMemberWeight("web", name, random.nextInt(1, 4)));
            default -> {
                // Most changes are of health.
            }
        }
    }

    private static void look(PoolFixture pool, SplittableRandom random) {
        pool.disputed.clear();
        pool.young.clear();
        pool.flapping.clear();
        pool.recentlyDown.clear();
        List<Verdict> verdicts = List.of(PoolFixture.UP, PoolFixture.UP, PoolFixture.DOWN, PoolFixture.UNDECIDED);
        for (int member = 1; member <= MEMBERS; member++) {
            Verdict verdict = verdicts.get(random.nextInt(verdicts.size()));
            pool.verdicts.put(member, verdict);
            if (verdict instanceof Verdict.Down && random.nextBoolean()) {
                pool.disputed.add(member);
                if (random.nextInt(3) == 0) {
                    pool.young.add(member);
                }
            }
            if (random.nextInt(5) == 0) {
                pool.flapping.add(member);
            }
            if (random.nextInt(5) == 0) {
                pool.recentlyDown.put(member, 1);
            }
        }
        pool.moment = List.of(PoolView.Moment.values()).get(random.nextInt(3));
    }

    private static void check(PoolFixture pool, PoolGeneration before, Plan.Commit commit) {
        PoolGeneration after = pool.current();
        assertEquals(commit.command().expected(), after.build().digest());
        assertEquals(before.number() + 1, after.number());
        noSlotToAMemberWithoutWeight(after);
        SortedMap<Integer, Member> members = pool.state.model().members();
        long weightBefore = 0;
        long fallen = 0;
        boolean disputedFell = false;
        for (TableMember member : before.members()) {
            weightBefore += member.effectiveWeight();
            Member configured = members.get(member.id());
            boolean fell = member.effectiveWeight() > 0
                    && after.member(member.id()).orElseThrow().effectiveWeight() == 0;
            if (fell && configured != null && configured.wanted()) {
                boolean down = pool.verdicts.get(member.id()) instanceof Verdict.Down;
                assertTrue(
                        down || before.cause() == GenerationCause.PANIC,
                        () -> "healthy member taken out: " + after.reason());
                assertFalse(pool.moment == PoolView.Moment.SETTLING, "health changed while settling");
                assertFalse(
                        down && pool.young.contains(member.id()) && !isPanic(before, after),
                        "a young dispute does not wait");
                fallen += down ? member.effectiveWeight() : 0;
                disputedFell |= down && pool.disputed.contains(member.id());
            }
        }
        assertFalse(disputedFell && fallen * 2 > weightBefore, "more than half down although a fresh voter disagrees");
    }

    /** As every node does when a generation is committed. */
    private static void remember(PoolFixture pool, PoolGeneration before) {
        for (TableMember member : before.eligible()) {
            Member configured = pool.state.model().members().get(member.id());
            boolean fell = pool.current().member(member.id()).orElseThrow().effectiveWeight() == 0;
            if (fell && configured != null && configured.wanted()) {
                pool.recentlyDown.put(member.id(), member.effectiveWeight());
            }
        }
    }

    private static boolean isPanic(PoolGeneration before, PoolGeneration after) {
        return before.cause() == GenerationCause.PANIC || after.cause() == GenerationCause.PANIC;
    }

    private static void noSlotToAMemberWithoutWeight(PoolGeneration generation) {
        SortedMap<Integer, Integer> effective = new TreeMap<>();
        generation.members().forEach(member -> effective.put(member.id(), member.effectiveWeight()));
        SlotTable table = generation.build();
        table.slotsByMember()
                .forEach((member, slots) -> assertTrue(
                        member == SlotTable.NOBODY || slots == 0 || effective.getOrDefault(member, 0) > 0,
                        () -> "member %d has %d slots".formatted(member, slots)));
    }

    /** Nobody that everybody sees dead stays in, unless something says why. */
    private static void notDue(PoolFixture pool, Plan plan) {
        for (TableMember member : pool.current().eligible()) {
            boolean dead =
                    pool.verdicts.get(member.id()) instanceof Verdict.Down && !pool.disputed.contains(member.id());
            assertFalse(dead && plan.holds().isEmpty(), () -> "member %d is dead and in".formatted(member.id()));
        }
    }
}
