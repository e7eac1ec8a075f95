package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SlotTableTest {
    private static final TableMember BE1 = TableMember.full(1, MemberKey.parse("10.20.0.2:8080"), 1);

    @ParameterizedTest
    @ValueSource(ints = {0, 128, 1000, 1021, 65_537, 131_072, -1024})
    void slotsMustBeAPowerOfTwoInRange(int slots) {
        var refusal = assertThrows(
                IllegalArgumentException.class, () -> SlotTable.build(HashAlgoVersion.V1, 1, slots, List.of(BE1)));
        assertTrue(refusal.toString().contains(String.valueOf(slots)), refusal.toString());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 65_536})
    void poolIdMustFitTheHashBasis(int poolId) {
        assertThrows(
                IllegalArgumentException.class, () -> SlotTable.build(HashAlgoVersion.V1, poolId, 1024, List.of(BE1)));
    }

    @Test
    void duplicateMembersAreRefused() {
        var sameKey = List.of(BE1, TableMember.full(2, BE1.key(), 1));
        var sameId = List.of(BE1, TableMember.full(1, MemberKey.parse("10.20.0.3:8080"), 1));
        assertThrows(IllegalArgumentException.class, () -> SlotTable.build(HashAlgoVersion.V1, 1, 1024, sameKey));
        assertThrows(IllegalArgumentException.class, () -> SlotTable.build(HashAlgoVersion.V1, 1, 1024, sameId));
    }

    @Test
    void nobodyEffectiveGivesAnEmptyTable() {
        SlotTable table = SlotTable.build(HashAlgoVersion.V1, 1, 1024, List.of(BE1.withEffective(0)));
        assertTrue(table.isEmpty());
        assertEquals(SlotTable.readBack(table.definition(), new TreeMap<>()), table);
    }

    @Test
    void readBackOfAllSlotsIsTheSameTable() {
        SlotTable built = SlotTable.build(HashAlgoVersion.V1, 1, 1024, List.of(BE1));
        var owners = new TreeMap<Integer, Integer>();
        for (int slot = 0; slot < built.slots(); slot++) {
            owners.put(slot, built.owner(slot));
        }
        assertEquals(
                built.digest(), SlotTable.readBack(built.definition(), owners).digest());
        owners.remove(17);
        assertTrue(!built.digest()
                .equals(SlotTable.readBack(built.definition(), owners).digest()));
    }

    @Test
    void readBackRefusesSlotsOutsideTheTable() {
        var owners = new TreeMap<Integer, Integer>();
        owners.put(1024, 1);
        var definition = PoolDefinition.of(HashAlgoVersion.V1, 1, 1024, List.of(BE1));
        assertThrows(IllegalArgumentException.class, () -> SlotTable.readBack(definition, owners));
    }
}
