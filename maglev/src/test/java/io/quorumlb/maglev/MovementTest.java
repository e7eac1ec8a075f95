package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MovementTest {
    private static List<TableMember> members(int... effective) {
        return IntStream.range(0, effective.length)
                .mapToObj(i ->
                        new TableMember(i + 1, MemberKey.parse("10.20.0.%d:8080".formatted(i + 2)), 10, effective[i]))
                .toList();
    }

    private static SlotTable table(HashAlgoVersion version, int... effective) {
        return SlotTable.build(version, 1, 1024, members(effective));
    }

    @Test
    void slotsOfTheMemberThatFellAreForced() {
        Movement movement =
                Movement.between(table(HashAlgoVersion.V2, 10, 10, 10, 10), table(HashAlgoVersion.V2, 0, 10, 10, 10));
        assertEquals(256, movement.moved());
        assertEquals(256, movement.forced());
        assertEquals(0, movement.collateral());
        assertEquals(3, movement.transfers().size());
        assertEquals(
                256,
                movement.transfers().stream()
                        .filter(transfer -> transfer.from() == 1)
                        .mapToInt(Movement.Transfer::slots)
                        .sum());
        assertEquals("256 slots moved, 256 to 256 is usual", movement.summary());
    }

    @Test
    void fromAndToNobodyIsForced() {
        SlotTable none = table(HashAlgoVersion.V2, 0, 0);
        SlotTable some = table(HashAlgoVersion.V2, 10, 0);
        assertEquals(
                new Movement.Transfer(0, 1, 1024, true),
                Movement.between(none, some).transfers().getFirst());
        assertEquals(1024, Movement.between(none, some).forced());
        assertEquals(1024, Movement.between(some, none).forced());
        assertEquals(0, Movement.between(some, some).moved());
        assertEquals(new UsualBand(0, 0), Movement.between(some, some).usual());
    }

    @Test
    void aChangeOfRecipeIsAllCollateral() {
        Movement movement =
                Movement.between(table(HashAlgoVersion.V1, 10, 10, 10), table(HashAlgoVersion.V2, 10, 10, 10));
        assertEquals(movement.moved(), movement.collateral());
        assertTrue(movement.collateral() > 500);
    }

    @Test
    void whatAMemberGainsAndLosesAddsUpToTheMovement() {
        SlotTable before = table(HashAlgoVersion.V1, 10, 10, 10, 10);
        SlotTable after = table(HashAlgoVersion.V1, 0, 10, 10, 5);
        Movement movement = Movement.between(before, after);
        assertTrue(movement.collateral() > 0, "version 1 moves slots of others as well");
        int gained = 0;
        int lost = 0;
        int collateral = 0;
        for (int id = 1; id <= 4; id++) {
            Movement.Share share = movement.of(id);
            assertEquals(
                    after.slotsByMember().getOrDefault(id, 0),
                    before.slotsByMember().getOrDefault(id, 0) + share.gained() - share.lost());
            gained += share.gained();
            lost += share.lost();
            collateral += share.collateral();
        }
        assertEquals(movement.moved(), gained);
        assertEquals(movement.moved(), lost);
        assertEquals(movement.collateral(), collateral);
        assertEquals(0, movement.of(1).collateral(), "its weight fell: all that it lost was asked for");
        assertEquals(0, movement.of(4).collateral());
        assertEquals(Movement.Share.NONE, movement.of(99));
    }

    @Test
    void tablesOfTwoSizesCannotBeCompared() {
        SlotTable other = SlotTable.build(HashAlgoVersion.V2, 1, 2048, members(10));
        assertThrows(IllegalArgumentException.class, () -> Movement.between(table(HashAlgoVersion.V2, 10), other));
    }

    /** New draws, not those that the band was measured with: about nine in ten must lie in it. */
    @ParameterizedTest
    @CsvSource({
        "V1, 4, 0, 1024",
        "V1, 10, 0, 1024",
        "V1, 5, 0, 4096",
        "V1, 40, 0, 1024",
        "V1, 100, 0, 4096",
        "V2, 10, 0, 1024",
        "V2, 10, 1, 1024",
        "V2, 50, 1, 1024",
        "V2, 100, 1, 4096",
    })
    void theBandHoldsNineChangesInTen(HashAlgoVersion version, int taking, int out, int slots) {
        Random random = new Random(taking + out);
        int inside = 0;
        int changes = 200;
        for (int i = 0; i < changes; i++) {
            List<TableMember> members = Draws.members(random, taking + out).stream()
                    .map(member -> TableMember.full(member.id(), member.key(), 1))
                    .toList();
            for (int j = 0; j < out; j++) {
                members = Draws.with(members, taking + j, 0);
            }
            SlotTable before = SlotTable.build(version, 1 + i, slots, members);
            SlotTable after = SlotTable.build(version, 1 + i, slots, Draws.with(members, random.nextInt(taking), 0));
            Movement movement = Movement.between(before, after);
            UsualBand band = movement.usual();
            inside += movement.collateral() >= band.low() && movement.collateral() <= band.high() ? 1 : 0;
        }
        int found = inside;
        assertTrue(inside >= changes * 8 / 10, () -> found + " of " + changes);
    }

    @Test
    void balanceCountsAgainstTheExactShare() {
        Balance balance = Balance.of(table(HashAlgoVersion.V2, 10, 5, 10, 0));
        assertEquals(3, balance.shares().size());
        assertEquals(204.8, balance.shares().get(1).exact(), 1e-9);
        assertEquals(1024.0 / 3, balance.average(), 1e-9);
        assertTrue(balance.surplus() <= 1 && balance.shortfall() < 1, balance::toString);
        assertEquals(balance.deviation() / balance.average(), balance.variation(), 1e-12);
        assertEquals(0, Balance.of(table(HashAlgoVersion.V2, 0, 0)).overprovision());
    }

    @Test
    void whatOnlyAReadBackCanHoldHasADigestOfItsOwn() {
        SlotTable built = table(HashAlgoVersion.V2, 10, 10);
        var owners = new TreeMap<Integer, Integer>();
        for (int slot = 0; slot < built.slots(); slot++) {
            owners.put(slot, built.owner(slot));
        }
        assertEquals(
                built.digest(), SlotTable.readBack(built.definition(), owners).digest());
        owners.put(5, 99);
        Digest stranger = SlotTable.readBack(built.definition(), owners).digest();
        owners.remove(5);
        Digest missing = SlotTable.readBack(built.definition(), owners).digest();
        owners.clear();
        Digest empty = SlotTable.readBack(built.definition(), owners).digest();
        assertEquals(
                4,
                Stream.of(built.digest(), stranger, missing, empty).distinct().count());
        assertEquals(table(HashAlgoVersion.V2, 0, 0).digest(), empty);
    }
}
