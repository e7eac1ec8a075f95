package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The frozen vectors of version 1. A digest that changes here breaks every cluster that runs version 1. */
class Version1Test {
    private static final int SLOTS = 1024;
    private static final List<String> FOUR =
            List.of("10.20.0.2:8080", "10.30.0.2:8080", "10.20.0.3:8080", "10.30.0.3:8080");

    private static SlotTable four(int poolId, int... weights) {
        return SlotTable.build(HashAlgoVersion.V1, poolId, SLOTS, members(FOUR, weights));
    }

    /** Members with ids 1.. in the given order; weight 0 leaves the member out. */
    private static List<TableMember> members(List<String> keys, int... weights) {
        return IntStream.range(0, keys.size())
                .mapToObj(i -> TableMember.full(i + 1, MemberKey.parse(keys.get(i)), weights[i]))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "1,1,0,0, 2f0ca39d5f33efa6, 512 512",
        "1,1,1,1, 0a16713c5a9eb94d, 256 256 256 256",
        "0,1,1,1, 6c5bb0a164d76e61, 341 342 341",
        "1,0,1,1, 482eb2d115fcc6b5, 342 341 341",
        "1,1,0,1, 2a42333ebd7fb562, 342 341 341",
        "1,1,1,0, cb02a225f1c0e8d2, 342 341 341",
        "1,0,0,0, d4df50ce982e30f8, 1024",
        "0,1,0,0, 5131b6d905f8d959, 1024",
        "3,1,1,1, 10da32ec0424f2ae, 513 170 171 170",
        "3,0,1,1, 890c3e5d2ac83ee6, 615 205 204",
        "1,2,3,4, 749c3f651abc4f14, 103 204 308 409",
        "5,1,1,100, 1bc31368b590126b, 48 9 10 957",
        "10,10,10,1, 9348afe7c115b5dc, 331 330 330 33",
        "2,1,1,1, 97afe5f979b8d054, 410 205 205 204",
    })
    void weightsOfFour(int be1, int be2, int be3, int be4, String digest, String counts) {
        SlotTable table = four(1, be1, be2, be3, be4);
        assertEquals(digest, table.digest().shortHex());
        assertEquals(
                counts,
                String.join(
                        " ",
                        table.slotsByMember().values().stream()
                                .map(String::valueOf)
                                .toList()));
    }

    @Test
    void fullDigest() {
        assertEquals(
                "0a16713c5a9eb94d2a5c12ac04ac0195734a6cc3e19719a61e88333c56c03cc5",
                four(1, 1, 1, 1, 1).digest().hex());
    }

    @ParameterizedTest
    @CsvSource({"1,1,0,0, 1 1 2 2 1 1 2 2 2 1 2 2 2 1 2 2", "1,1,1,1, 3 3 4 3 3 3 4 2 2 4 2 4 2 4 4 3"})
    void firstSlots(int be1, int be2, int be3, int be4, String owners) {
        SlotTable table = four(1, be1, be2, be3, be4);
        assertEquals(
                owners,
                String.join(
                        " ",
                        IntStream.range(0, 16)
                                .mapToObj(slot -> String.valueOf(table.owner(slot)))
                                .toList()));
    }

    @ParameterizedTest
    @CsvSource({
        "2, 97437ba66539fb25",
        "3, e47ca65439de3ae2",
        "100, 91133668397ced1e",
        "65535, d22706c120423a4d",
    })
    void poolIdSaltsTheHash(int poolId, String digest) {
        assertEquals(digest, four(poolId, 1, 1, 1, 1).digest().shortHex());
    }

    @ParameterizedTest
    @CsvSource({"0,1,1,1, 8", "1,0,1,1, 6", "1,1,0,1, 5", "1,1,1,0, 6"})
    void collateralOfOneFailure(int be1, int be2, int be3, int be4, int collateral) {
        Movement movement = Movement.between(four(1, 1, 1, 1, 1), four(1, be1, be2, be3, be4));
        assertEquals(collateral, movement.collateral());
        assertEquals(256 + collateral, movement.moved());
    }

    @Test
    void weightTwoMovesTheMinimum() {
        assertEquals(
                154, Movement.between(four(1, 1, 1, 1, 1), four(1, 2, 1, 1, 1)).moved());
    }

    @Test
    void heavierRemovalMovesNineteenOthers() {
        assertEquals(
                19, Movement.between(four(1, 3, 1, 1, 1), four(1, 3, 0, 1, 1)).collateral());
    }

    @Test
    void portIsPartOfTheKey() {
        List<String> port80 =
                FOUR.stream().map(key -> key.replace(":8080", ":80")).toList();
        assertEquals("f1a9317dd4f80451", digest(1, SLOTS, members(port80, 1, 1, 1, 1)));
    }

    @Test
    void keysSortByBytesNotByNumber() {
        List<String> keys = List.of("10.20.0.9:8080", "10.20.0.10:8080", "10.20.0.11:8080");
        assertEquals("68ced7743c8beb6f", digest(1, SLOTS, members(keys, 1, 1, 1)));
    }

    @ParameterizedTest
    @CsvSource({"1024, 0, 8b04855636577419", "1024, 1042, 9178eb3869b03e55", "65536, 0, 1675855182398621"})
    void hundredMembers(int slots, int without, String digest) {
        assertEquals(digest, digest(7, slots, hundred(id -> id == without ? 0 : 1)));
    }

    @Test
    void hundredWeightedMembers() {
        assertEquals("99744ea2674d4926", digest(7, SLOTS, hundred(id -> 1 + id % 5)));
    }

    @Test
    void removalAmongHundredMovesFiftyThreeOthers() {
        SlotTable before = SlotTable.build(HashAlgoVersion.V1, 7, SLOTS, hundred(_ -> 1));
        SlotTable after = SlotTable.build(HashAlgoVersion.V1, 7, SLOTS, hundred(id -> id == 1042 ? 0 : 1));
        assertEquals(53, Movement.between(before, after).collateral());
    }

    @ParameterizedTest
    @CsvSource({
        "1, 79, 0, 98b4e419d4c61c9d, 0",
        "1, 79, 3, 1c5242d952f35dfe, 179",
        "19, 14, 0, 25a132fb5df9705c, 0",
        "19, 14, 4, 110b5b3142dafc68, 259",
    })
    void unluckyAddressesMoveManyOthers(int poolId, int host, int without, String digest, int collateral) {
        List<String> keys = List.of(
                "10.20.0.%d:8080".formatted(host),
                "10.30.0.%d:8080".formatted(host),
                "10.20.0.%d:8080".formatted(host + 1),
                "10.30.0.%d:8080".formatted(host + 1));
        int[] weights = {1, 1, 1, 1};
        SlotTable before = SlotTable.build(HashAlgoVersion.V1, poolId, SLOTS, members(keys, weights));
        if (without > 0) {
            weights[without - 1] = 0;
        }
        SlotTable after = SlotTable.build(HashAlgoVersion.V1, poolId, SLOTS, members(keys, weights));
        assertEquals(digest, after.digest().shortHex());
        assertEquals(collateral, Movement.between(before, after).collateral());
    }

    @Test
    void fillingStopsWhenAllSlotsAreTaken() {
        SlotTable heavy = SlotTable.build(HashAlgoVersion.V1, 1, SLOTS, many(1000, i -> i == 500 ? 1000 : 1));
        assertEquals("d40ce2334b5f014a", heavy.digest().shortHex());
        assertEquals(25, heavy.slotsByMember().get(501));
        SlotTable crowded = SlotTable.build(HashAlgoVersion.V1, 1, SLOTS, many(1100, _ -> 1));
        assertEquals("de0235d1851abc73", crowded.digest().shortHex());
        assertEquals(SLOTS, crowded.slotsByMember().size());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void orderOfTheArgumentsDoesNotMatter(long seed) {
        List<TableMember> shuffled = new ArrayList<>(hundred(id -> 1 + id % 5));
        Collections.shuffle(shuffled, new Random(seed));
        assertEquals("99744ea2674d4926", digest(7, SLOTS, shuffled));
    }

    static Stream<Long> seeds() {
        return LongStream.range(0, 20).boxed();
    }

    private static String digest(int poolId, int slots, List<TableMember> members) {
        return SlotTable.build(HashAlgoVersion.V1, poolId, slots, members)
                .digest()
                .shortHex();
    }

    private static List<TableMember> hundred(IntUnaryOperator weightById) {
        return IntStream.range(0, 100)
                .mapToObj(i -> TableMember.full(
                        1000 + i, MemberKey.parse("10.20.0.%d:8080".formatted(i + 2)), weightById.applyAsInt(1000 + i)))
                .toList();
    }

    private static List<TableMember> many(int count, IntUnaryOperator weightByIndex) {
        return IntStream.range(0, count)
                .mapToObj(i -> TableMember.full(
                        i + 1,
                        MemberKey.parse("10.20.%d.%d:8080".formatted(i / 250, i % 250 + 2)),
                        weightByIndex.applyAsInt(i)))
                .toList();
    }
}
