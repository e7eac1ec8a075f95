package io.quorumlb.ovs.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.SlotFunction;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Values that Open vSwitch 3.1 gave, asked by hand; {@code FingerprintTest} asks it for the whole corpus. */
class SlotFormulaTest {
    private static final Tuple FOUR =
            new Tuple(IpAddress.parse("10.0.0.1"), IpAddress.parse("10.99.0.10"), Tuple.TCP, 1000, 80);
    private static final Tuple SIX =
            new Tuple(IpAddress.parse("fd00::1"), IpAddress.parse("fd00::2"), Tuple.UDP, 1000, 80);

    private static int slot(SlotFunction function, HashFields fields, Tuple tuple, int basis) {
        return SlotFormula.slot(function, fields, tuple, basis, 65_536);
    }

    @Test
    void valuesAreThoseOfTheSwitch() {
        assertEquals(0xfb24, slot(SlotFunction.MULTIPATH, HashFields.FIVE_TUPLE, FOUR, 1));
        assertEquals(0x78bd, slot(SlotFunction.MULTIPATH, HashFields.SOURCE_ADDRESS, FOUR, 1));
        assertEquals(0xa2fe, slot(SlotFunction.MULTIPATH, HashFields.ADDRESSES, FOUR, 1));
        assertEquals(0x314b, slot(SlotFunction.MULTIPATH, HashFields.FIVE_TUPLE, SIX, 1));
        assertEquals(0x061d, slot(SlotFunction.MULTIPATH, HashFields.SOURCE_ADDRESS, SIX, 1));
        assertEquals(0x69bc, slot(SlotFunction.MULTIPATH, HashFields.ADDRESSES, SIX, 1));
        assertEquals(0x167, SlotFormula.slot(SlotFunction.DP_HASH, HashFields.FIVE_TUPLE, FOUR, 7, 1024));
    }

    @Test
    void onlyTcpByConnectionGoesByTheDatapathsHash() {
        for (HashFields fields : HashFields.values()) {
            assertEquals(
                    slot(SlotFunction.MULTIPATH, fields, SIX, 3), slot(SlotFunction.DP_HASH, fields, SIX, 3), "UDP");
        }
        assertEquals(
                slot(SlotFunction.MULTIPATH, HashFields.ADDRESSES, FOUR, 3),
                slot(SlotFunction.DP_HASH, HashFields.ADDRESSES, FOUR, 3));
    }

    @Test
    void theCorpusHasAFourthOfEachKindAndNothingTwice() {
        List<Tuple> corpus = Corpus.tuples(10_000);
        Set<String> texts = new TreeSet<>();
        int[] kinds = new int[4];
        for (Tuple tuple : corpus) {
            assertTrue(texts.add(tuple.toString()), tuple::toString);
            kinds[(tuple.protocol() == Tuple.TCP ? 0 : 1) + (tuple.source().family() == IpFamily.IPV4 ? 0 : 2)]++;
        }
        for (int kind : kinds) {
            assertEquals(2_500, kind);
        }
        assertEquals(
                corpus.subList(0, 100), Corpus.tuples(100), "the beginning is the same however many are asked for");
    }
}
