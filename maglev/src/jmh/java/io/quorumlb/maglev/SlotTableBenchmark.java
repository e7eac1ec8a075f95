package io.quorumlb.maglev;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long one table takes to build, from a definition or from members in any order, and its digests. */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 4, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
@State(Scope.Benchmark)
public class SlotTableBenchmark {
    /** Recipe. */
    @Param({"V1", "V2"})
    public HashAlgoVersion version = HashAlgoVersion.V2;

    /** Number of slots M, and of members N. */
    @Param({"1024x4", "1024x10", "1024x100", "1024x1000", "4096x10", "4096x100", "4096x1000", "65536x4", "65536x10",
            "65536x100", "65536x1000", "65536x10000"})
    public String size = "";

    /** Configured weights: all 1, or 1 and 1000 in turn. */
    @Param({"equal", "mixed"})
    public String weights = "";

    /** Who is out. */
    @Param({"nobody", "one", "half"})
    public String out = "";

    private List<TableMember> members = List.of();
    private PoolDefinition definition = PoolDefinition.of(version, 1, SlotTable.SLOTS_MIN, members);
    private final TableBuilder builder = new TableBuilder();
    private SlotTable table = SlotTable.build(definition);

    /** Makes the pool. */
    @Setup
    public void pool() {
        int slots = Integer.parseInt(size.substring(0, size.indexOf('x')));
        int count = Integer.parseInt(size.substring(size.indexOf('x') + 1));
        members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int weight = weights.equals("mixed") && i % 2 == 1 ? TableMember.WEIGHT_MAX : 1;
            boolean gone = switch (out) {
                case "one" -> i == count / 3;
                case "half" -> i % 4 < 2;
                default -> false;
            };
            MemberKey key = MemberKey.parse("10.%d.%d.%d:8080".formatted(20 + i / 62_500, i / 250 % 250, i % 250 + 2));
            members.add(new TableMember(i + 1, key, weight, gone ? 0 : weight));
        }
        definition = PoolDefinition.of(version, 1, slots, members);
        table = builder.build(definition);
    }

    /** A table from its definition, the hash words of the keys at hand. */
    @Benchmark
    public SlotTable cached() {
        return builder.build(definition);
    }

    /** A table from members in the order of their ids, every key hashed anew. */
    @Benchmark
    public SlotTable cold() {
        return SlotTable.build(version, 1, table.slots(), members);
    }

    /** Both digests of a table that is there. */
    @Benchmark
    public int digests() {
        return table.digest().hashCode() ^ definition.digest().hashCode();
    }
}
