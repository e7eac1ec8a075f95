package io.quorumlb.maglev;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
}
