package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What cannot be built, or must not be asked for, is refused with member, value, limit and what would do. */
class RefusalTest {
    private static final MemberKey KEY = MemberKey.parse("10.20.0.2:8080");
    private static final MemberKey OTHER = MemberKey.parse("10.20.0.3:8080");

    private static TableRefusal refusal(Executable impossible) {
        return assertThrows(TableRefusedException.class, impossible).refusal();
    }

    private static PoolDefinition definition(HashAlgoVersion version, int slots, TableMember... members) {
        return PoolDefinition.of(version, 1, slots, List.of(members));
    }

    @Test
    void membersOutOfRange() {
        assertEquals(new TableRefusal.WeightOutOfRange(KEY, 1001), refusal(() -> TableMember.full(1, KEY, 1001)));
        assertEquals(new TableRefusal.WeightOutOfRange(KEY, -1), refusal(() -> TableMember.full(1, KEY, -1)));
        assertEquals(new TableRefusal.EffectiveOutOfRange(KEY, 6, 5), refusal(() -> new TableMember(1, KEY, 5, 6)));
        assertEquals(new TableRefusal.MemberIdOutOfRange(KEY, 0), refusal(() -> TableMember.full(0, KEY, 1)));
        assertEquals(
                "effective weight 6 of member 10.20.0.2:8080 is outside 0..5 (its weight)",
                refusal(() -> new TableMember(1, KEY, 5, 6)).message());
    }

    @Test
    void definitionsThatCannotBe() {
        TableMember member = TableMember.full(1, KEY, 1);
        assertEquals(new TableRefusal.SlotsNotAllowed(1000), refusal(() -> definition(HashAlgoVersion.V2, 1000)));
        assertEquals(
                new TableRefusal.PoolIdOutOfRange(65_536),
                refusal(() -> PoolDefinition.of(HashAlgoVersion.V2, 65_536, 256, List.of())));
        assertEquals(
                new TableRefusal.DuplicateKey(KEY),
                refusal(() -> definition(HashAlgoVersion.V2, 256, member, TableMember.full(2, KEY, 1))));
        assertEquals(
                new TableRefusal.DuplicateId(1),
                refusal(() -> definition(HashAlgoVersion.V2, 256, member, TableMember.full(1, OTHER, 1))));
    }

    @Test
    void aShareUnderOneSlotNamesTheLeastSlotsThatWouldDo() {
        PoolDefinition starved =
                definition(HashAlgoVersion.V2, 256, TableMember.full(1, KEY, 1), TableMember.full(2, OTHER, 1000));
        var refusal = new TableRefusal.ShareUnderOneSlot(KEY, 1, 1001, 256, OptionalInt.of(1024));
        assertEquals(Optional.of(refusal), starved.refusal());
        assertEquals(
                "member 10.20.0.2:8080 with weight 1 of 1001 has less than one of 256 slots:"
                        + " at least 1024 slots would do",
                refusal.message());
        assertEquals(
                Optional.empty(),
                definition(HashAlgoVersion.V2, 1024, TableMember.full(1, KEY, 1))
                        .refusal());
    }

    @Test
    void theConfiguredShareCountsNotWhoIsUp() {
        PoolDefinition out =
                definition(HashAlgoVersion.V2, 256, TableMember.full(1, KEY, 1), new TableMember(2, OTHER, 1000, 0));
        assertTrue(out.refusal().isPresent());
        assertEquals(256, SlotTable.build(out).slotsByMember().get(1));
    }

    @Test
    void version1RefusesMoreQuotasThanSlots() {
        List<TableMember> members = IntStream.range(0, 300)
                .mapToObj(i ->
                        TableMember.full(i + 1, MemberKey.parse("10.20.%d.%d:8080".formatted(i / 250, i % 250 + 2)), 1))
                .toList();
        PoolDefinition crowded = PoolDefinition.of(HashAlgoVersion.V1, 1, 256, members);
        assertEquals(
                Optional.of(new TableRefusal.QuotasOverSlots(
                        MemberKey.parse("10.20.0.100:8080"), 1, 300, 256, OptionalInt.of(512))),
                crowded.refusal());
        assertEquals(
                Optional.empty(),
                PoolDefinition.of(HashAlgoVersion.V1, 1, 512, members).refusal());
        // It can be built all the same: what was committed once must never fail to build.
        assertEquals(256, SlotTable.build(crowded).slotsByMember().size());
        assertEquals(
                256,
                SlotTable.build(PoolDefinition.of(HashAlgoVersion.V2, 1, 256, members))
                        .slotsByMember()
                        .size());
    }

    static Stream<Long> seeds() {
        return LongStream.range(0, 3000).boxed();
    }

    /** No combination of arguments gives anything but a table or a refusal that has a name. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void anyArgumentsGiveATableOrANamedRefusal(long seed) {
        Random random = new Random(seed);
        HashAlgoVersion version = HashAlgoVersion.of(1 + random.nextInt(2));
        int slots = random.nextInt(6) == 0 ? random.nextInt(70_000) : 256 << random.nextInt(random.nextInt(9) + 1);
        int poolId = random.nextInt(10) == 0 ? random.nextInt() : 1 + random.nextInt(SlotTable.POOL_ID_MAX);
        try {
            List<TableMember> members = new ArrayList<>();
            int count = random.nextInt(random.nextInt(8) == 0 ? 700 : 20);
            for (int i = 0; i < count; i++) {
                members.add(any(random, i));
            }
            PoolDefinition definition = PoolDefinition.of(version, poolId, slots, members);
            SlotTable table = SlotTable.build(definition);
            boolean someone = members.stream().anyMatch(member -> member.effectiveWeight() > 0);
            assertEquals(
                    someone ? slots : 0,
                    table.slotsByMember().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum());
            table.digest();
            definition.digest();
            definition
                    .refusal()
                    .ifPresent(refusal -> assertTrue(refusal.message().length() > 10));
            Balance.of(table);
        } catch (TableRefusedException e) {
            assertEquals(e.getMessage(), e.refusal().message());
        }
    }

    private static TableMember any(Random random, int index) {
        int weight = switch (random.nextInt(40)) {
            case 0 -> random.nextInt();
            case 1, 2, 3 -> 0;
            case 4, 5, 6, 7 -> TableMember.WEIGHT_MAX;
            default -> 1 + random.nextInt(10);
        };
        int effective = switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> weight / 2;
            default -> weight;
        };
        int id = random.nextInt(400) == 0 ? random.nextInt() : index + 1;
        int host = random.nextInt(400) == 0 ? 7 : index;
        return new TableMember(id, new MemberKey(new Ipv4Address(host), 80), weight, effective);
    }
}
