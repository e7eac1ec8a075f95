package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The frozen vectors of version 2. A digest that changes here breaks every cluster that runs version 2. */
class Version2Test {
    private static final List<String> FOUR =
            List.of("10.20.0.2:8080", "10.30.0.2:8080", "10.20.0.3:8080", "10.30.0.3:8080");

    private static List<TableMember> members(List<String> keys, String weights, String effective) {
        int[] w = numbers(weights);
        int[] e = numbers(effective);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> new TableMember(i + 1, MemberKey.parse(keys.get(i)), w[i], e[i]))
                .toList();
    }

    private static int[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
    }

    /** Counts by rank, members without slots left out. */
    private static String counts(SlotTable table) {
        var slots = table.slotsByMember();
        return table.definition().members().stream()
                .filter(member -> slots.containsKey(member.id()))
                .map(member -> String.valueOf(slots.get(member.id())))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @CsvSource({
        "1,  1024, 1 1 1 1, 1 1 1 1, 226e56c1f4d374e1, 256 256 256 256",
        "1,  1024, 1 1 1 1, 0 1 1 1, 338c4cd3dc98464d, 342 341 341",
        "1,  1024, 1 1 1 1, 0 0 1 1, 6012d627aba9354e, 512 512",
        "1,  1024, 1 1 1 1, 0 0 0 1, dad48ccdb434636f, 1024",
        "1,  1024, 1 1 1 1, 0 0 0 0, e8ea16c51b887704, ''",
        "1,  1024, 3 1 1 1, 3 1 1 1, 4991a82edede0f6f, 512 171 171 170",
        "1,  1024, 1 2 3 4, 1 2 3 4, 4fdc5a4c50950534, 102 307 205 410",
        "1,  1024, 1 1 1 0, 1 1 1 0, 2ee9d20bfc970214, 342 341 341",
        "1,   256, 1 1 1 1, 1 1 1 1, fd91391b69d096b1, 64 64 64 64",
        "1, 65536, 1 1 1 1, 1 1 1 1, 604677e05051648a, 16384 16384 16384 16384",
        "2,  1024, 1 1 1 1, 1 1 1 1, 58fe8ef5ac35a029, 256 256 256 256",
        "1,  1024, 100 100 100 100, 25 100 100 100, e714dad387a9418d, 79 315 314 316",
    })
    void four(int poolId, int slots, String weights, String effective, String digest, String counts) {
        SlotTable table = SlotTable.build(HashAlgoVersion.V2, poolId, slots, members(FOUR, weights, effective));
        assertEquals(digest, table.digest().shortHex());
        assertEquals(counts, counts(table));
    }

    @Test
    void keysOfIpv6() {
        List<String> keys = IntStream.rangeClosed(1, 4)
                .mapToObj("[2001:db8::%d]:8080"::formatted)
                .toList();
        SlotTable table = SlotTable.build(HashAlgoVersion.V2, 1, 1024, members(keys, "1 1 1 1", "1 1 1 1"));
        assertEquals("37714cfa237a241f", table.digest().shortHex());
    }

    @ParameterizedTest
    @CsvSource({"'', 5e904533412e30d8", "7 8 9, 15827dd7c6ad1f53"})
    void hundred(String out, String digest) {
        List<String> hosts = Arrays.asList(out.split(" "));
        List<TableMember> members = new ArrayList<>();
        for (int host = 2; host < 102; host++) {
            MemberKey key = MemberKey.parse("10.20.0.%d:8080".formatted(host));
            members.add(new TableMember(host, key, 1, hosts.contains(String.valueOf(host)) ? 0 : 1));
        }
        assertEquals(
                digest,
                SlotTable.build(HashAlgoVersion.V2, 7, 1024, members).digest().shortHex());
    }

    /** Frozen later; computed by the second implementation before this one was asked. */
    @ParameterizedTest
    @CsvSource({
        "1,      1024, 1 1 1 1,         1 1 1 0,         9f1576962f7bc38e, b98f085df004095d",
        "1,      1024, 3 1 1 1,         0 1 1 1,         0cc3eaea4ca8228e, fc829d0eb0c3649e",
        "1,      1024, 1 2 3 4,         1 2 0 4,         a1383ba31ce8f499, a2bc2e9d109236dd",
        "1,      1024, 1000 1 10 100,   1000 1 10 100,   16e2e8f95bf54a0d, 8e7cf4bff2a56910",
        "1,      1024, 1000 10 10 100,  500 10 10 0,     0441b599322774a9, 742fea13e8f91ed8",
        "65535,  4096, 7 5 3 2,         7 5 3 2,         47ca9ad0c0d25ae5, 5593eb4512e662a2",
        "1,       512, 1 1 1 1,         1 1 1 1,         978e1438e0f5b479, c2002f0a34f7eb3f",
        "3,      2048, 10 10 10 10,     1 10 10 10,      adc9d32c451b4d3b, 0c66ce0c9f211286",
    })
    void moreOfFour(int poolId, int slots, String weights, String effective, String table, String definition) {
        assertDigests(table, definition, poolId, slots, members(FOUR, weights, effective));
    }

    @ParameterizedTest
    @CsvSource({
        "1 1 1 1, 1 1 1 1, c2891ecad554fe6f, 26d89c1d2d72cbb4",
        "5 4 3 2, 5 0 3 2, 0524fb099c8e35fe, 6cd6294d348cd584",
    })
    void bothAddressVersions(String weights, String effective, String table, String definition) {
        List<String> keys = List.of("10.20.0.2:8080", "[2001:db8::1]:8080", "192.0.2.7:80", "[::1]:65535");
        assertDigests(table, definition, 9, 1024, members(keys, weights, effective));
    }

    @Test
    void manyHosts() {
        assertDigests("25613be3f7a4d08f", "8fb3c8760cb93022", 1, 256, hosts(1, _ -> 17, _ -> 3));
        assertDigests("a05bcf3281f39c2b", "f71be716dc13556a", 4, 256, hosts(256, _ -> 1, _ -> 1));
        assertDigests("5e8e9de7cb3482dc", "0f7be386b75f3dbf", 5, 4096, hosts(100, _ -> 1, i -> i % 3 == 0 ? 0 : 1));
        assertDigests(
                "6de467967a01d041", "2bd5376a6ad0730a", 6, 4096, hosts(50, _ -> 20, i -> Math.min(20, i * 7 % 25)));
        assertDigests(
                "9f00e0282c3bdf08",
                "8054bf1dd6c72355",
                8,
                8192,
                hosts(30, i -> 1 + i * i % 37, i -> i == 4 || i == 11 || i == 12 ? 0 : 1 + i * i % 37));
    }

    @Test
    void versionIsPartOfTheGenerationDigest() {
        List<TableMember> four = members(FOUR, "1 1 1 1", "1 1 1 1");
        assertEquals(
                "aa0f1031b81d7752a54fb2f0609f755e4120b9a24b3f7ddeb00606c11cf0e2f7",
                PoolDefinition.of(HashAlgoVersion.V1, 1, 1024, four).digest().hex());
        assertEquals(
                "551dd87dfbbc466f7ce054eb863322fb5256e880d521793d011fa6ca5013097c",
                PoolDefinition.of(HashAlgoVersion.V2, 1, 1024, four).digest().hex());
    }

    private static List<TableMember> hosts(int count, IntUnaryOperator weight, IntUnaryOperator effective) {
        return IntStream.range(0, count)
                .mapToObj(i -> new TableMember(
                        i + 1,
                        MemberKey.parse("10.20.%d.%d:8080".formatted(i / 250, i % 250 + 2)),
                        weight.applyAsInt(i),
                        effective.applyAsInt(i)))
                .toList();
    }

    private static void assertDigests(
            String table, String definition, int poolId, int slots, List<TableMember> members) {
        PoolDefinition pool = PoolDefinition.of(HashAlgoVersion.V2, poolId, slots, members);
        assertEquals(table, SlotTable.build(pool).digest().shortHex());
        assertEquals(definition, pool.digest().shortHex());
    }
}
