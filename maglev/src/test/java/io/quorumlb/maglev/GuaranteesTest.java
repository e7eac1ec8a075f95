package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What version 2 promises, over random pools; and that version 1 and the table without a base do not keep it. */
class GuaranteesTest {
    private static final int SLOTS = 1024;

    static Stream<Long> seeds() {
        return LongStream.range(0, 60).boxed();
    }

    private static SlotTable build(List<TableMember> members) {
        return SlotTable.build(HashAlgoVersion.V2, 7, SLOTS, members);
    }

    /** Members that are all worth a slot. */
    private static List<TableMember> members(Random random) {
        return Draws.members(random, 1 + random.nextInt(40)).stream()
                .map(member -> TableMember.full(member.id(), member.key(), Math.max(1, member.weight())))
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void orderOfTheMembersDoesNotMatter(long seed) {
        Random random = new Random(seed);
        List<TableMember> members = new ArrayList<>(Draws.disturbed(random, members(random)));
        SlotTable table = build(members);
        for (int i = 0; i < 20; i++) {
            Collections.shuffle(members, random);
            assertEquals(table, build(members));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void whatABuilderKeepsChangesNothing(long seed) {
        Random random = new Random(seed);
        TableBuilder builder = new TableBuilder();
        List<TableMember> members = members(random);
        int slots = SLOTS;
        for (int build = 0; build < 12; build++) {
            members = switch (random.nextInt(5)) {
                case 0 -> members(random);
                case 1 -> members.subList(random.nextInt(members.size()), members.size());
                default -> Draws.disturbed(random, members);
            };
            slots = random.nextInt(4) == 0 ? SlotTable.SLOTS_MIN << random.nextInt(8) : slots;
            PoolDefinition definition = PoolDefinition.of(
                    HashAlgoVersion.of(1 + random.nextInt(5) / 2 % 2), 7 + random.nextInt(8) / 7, slots, members);
            assertEquals(SlotTable.build(definition), builder.build(definition));
        }
    }

    /** Sizes at which walks are computed together, with weights that make every order of turns. */
    @ParameterizedTest
    @ValueSource(ints = {64, 100, 513, 1000})
    void whatABuilderKeepsChangesNothingInLargeTables(int count) {
        Random random = new Random(count);
        TableBuilder builder = new TableBuilder();
        for (int build = 0; build < 6; build++) {
            List<TableMember> members = Draws.disturbed(random, Draws.members(random, count));
            PoolDefinition definition = PoolDefinition.of(HashAlgoVersion.V2, 7, 16_384 << (build % 3), members);
            SlotTable table = builder.build(definition);
            assertEquals(SlotTable.build(definition), table);
            assertEquals(table, builder.build(definition));
            assertTrue(Balance.of(table).surplus() <= 1);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ownersTakeTrafficAndNobodyHasMoreThanOneSlotTooMany(long seed) {
        Random random = new Random(seed);
        List<TableMember> members = Draws.disturbed(random, members(random));
        SlotTable table = build(members);
        SortedMap<Integer, TableMember> byId = new TreeMap<>();
        members.forEach(member -> byId.put(member.id(), member));
        long effective =
                members.stream().mapToLong(TableMember::effectiveWeight).sum();
        assertEquals(effective == 0, table.isEmpty());
        table.slotsByMember().forEach((id, slots) -> {
            int weight = byId.getOrDefault(id, members.getFirst()).effectiveWeight();
            assertTrue(weight > 0, () -> id + " is out");
            assertTrue((slots - 1) * effective <= (long) SLOTS * weight, () -> id + " has " + slots);
        });
        assertTrue(Balance.of(table).surplus() <= 1);
        assertTrue(table.isEmpty()
                || table.slotsByMember().values().stream()
                                .mapToInt(Integer::intValue)
                                .sum()
                        == SLOTS);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void withNobodyOutEveryShareIsWithinOneSlot(long seed) {
        Balance balance = Balance.of(build(members(new Random(seed))));
        assertTrue(balance.surplus() < 1 && balance.shortfall() < 1, balance::toString);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneFailureDrainOrRecoveryMovesNoSlotOfAnother(long seed) {
        List<TableMember> members = members(new Random(seed));
        SlotTable all = build(members);
        for (int i = 0; i < members.size(); i++) {
            SlotTable without = build(Draws.with(members, i, 0));
            assertEquals(0, Movement.between(all, without).collateral());
            assertEquals(0, Movement.between(without, all).collateral());
            assertUntouched(all, without, members.get(i).id());
        }
        assertEquals(all.digest(), build(members).digest());
    }

    private static void assertUntouched(SlotTable before, SlotTable after, int except) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (before.owner(slot) != except) {
                assertEquals(before.owner(slot), after.owner(slot));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void stepsOfARampTouchOnlyWhatTheMemberReleased(long seed) {
        Random random = new Random(seed);
        List<TableMember> members = members(random);
        SlotTable all = build(members);
        int ramping = random.nextInt(members.size());
        int weight = members.get(ramping).weight();
        int before = 0;
        for (int step = 0; step <= 10; step++) {
            SlotTable table = build(Draws.with(members, ramping, weight * step / 10));
            assertUntouched(all, table, members.get(ramping).id());
            int slots = table.slotsByMember().getOrDefault(members.get(ramping).id(), 0);
            assertTrue(slots >= before, "a step up gives slots");
            before = slots;
        }
        assertEquals(all, build(members));
    }

    /** Whoever else is out or ramps: base slots of members that are well in both tables stay where they are. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void baseSlotsOfMembersThatAreWellNeverMove(long seed) {
        Random random = new Random(seed);
        List<TableMember> members = members(random);
        SlotTable base = build(members);
        for (int change = 0; change < 10; change++) {
            List<TableMember> disturbed = Draws.disturbed(random, members);
            SlotTable table = build(disturbed);
            SortedMap<Integer, TableMember> byId = new TreeMap<>();
            disturbed.forEach(member -> byId.put(member.id(), member));
            for (int slot = 0; slot < SLOTS; slot++) {
                TableMember owner = byId.getOrDefault(base.owner(slot), members.getFirst());
                if (owner.effectiveWeight() == owner.weight()) {
                    assertEquals(owner.id(), table.owner(slot));
                }
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void allButOneOutGivesItEverySlot(long seed) {
        Random random = new Random(seed);
        List<TableMember> members = members(random);
        int last = random.nextInt(members.size());
        List<TableMember> one = IntStream.range(0, members.size())
                .mapToObj(i -> members.get(i)
                        .withEffective(
                                i == last ? 1 + random.nextInt(members.get(i).weight()) : 0))
                .toList();
        assertEquals(SLOTS, build(one).slotsByMember().get(members.get(last).id()));
        List<TableMember> none =
                members.stream().map(member -> member.withEffective(0)).toList();
        assertTrue(build(none).isEmpty());
    }

    @ParameterizedTest
    @CsvSource({"256, 256", "512, 256", "1024, 1000", "4096, 4096", "65536, 10000"})
    void membersAtTheLimit(int slots, int count) {
        List<TableMember> members = Draws.members(new Random(count), count).stream()
                .map(member -> TableMember.full(member.id(), member.key(), 1))
                .toList();
        SlotTable table = SlotTable.build(HashAlgoVersion.V2, 1, slots, members);
        assertEquals(count, table.slotsByMember().size());
        SlotTable without = SlotTable.build(HashAlgoVersion.V2, 1, slots, Draws.with(members, count / 2, 0));
        assertEquals(0, Movement.between(table, without).collateral());
        List<TableMember> half = IntStream.range(0, count)
                .mapToObj(i -> members.get(i).withEffective(i % 2))
                .toList();
        SlotTable halfOut = SlotTable.build(HashAlgoVersion.V2, 1, slots, half);
        assertTrue(Balance.of(halfOut).surplus() <= 1);
    }

    /** The property of zero collateral can fail: version 1 fails it. */
    @Test
    void version1MovesSlotsOfOthers() {
        assertTrue(poolsWithCollateral(members -> SlotTable.build(HashAlgoVersion.V1, 7, SLOTS, members)) > 40);
    }

    /** So does version 2 where nothing of the member that is out is kept in mind. */
    @Test
    void withoutTheBaseSlotsOfOthersMove() {
        assertTrue(poolsWithCollateral(members -> build(members.stream()
                        .filter(member -> member.effectiveWeight() > 0)
                        .toList()))
                > 40);
    }

    private static int poolsWithCollateral(Function<List<TableMember>, SlotTable> recipe) {
        int pools = 0;
        for (long seed = 0; seed < 60; seed++) {
            List<TableMember> members = Draws.members(new Random(seed), 10).stream()
                    .map(member -> TableMember.full(member.id(), member.key(), 1))
                    .toList();
            Movement movement = Movement.between(recipe.apply(members), recipe.apply(Draws.with(members, 3, 0)));
            pools += movement.collateral() > 0 ? 1 : 0;
        }
        return pools;
    }

    @ParameterizedTest
    @EnumSource(HashAlgoVersion.class)
    void oneMemberOwnsEverything(HashAlgoVersion version) {
        for (int slots = SlotTable.SLOTS_MIN; slots <= SlotTable.SLOTS_MAX; slots *= 2) {
            TableMember alone = TableMember.full(5, MemberKey.parse("10.20.0.2:8080"), 3);
            SlotTable table = SlotTable.build(version, 1, slots, List.of(alone));
            assertEquals(slots, table.slotsByMember().get(5));
        }
    }
}
