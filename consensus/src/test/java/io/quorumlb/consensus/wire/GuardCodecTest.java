package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.CommitGeneration.Footing;
import io.quorumlb.consensus.machine.RandomCommands;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.pool.GenerationCause;
import io.quorumlb.proto.v1.ClusterSnapshot;
import io.quorumlb.proto.v1.CommitGeneration;
import io.quorumlb.proto.v1.LogEntry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardCodecTest {
    private static io.quorumlb.proto.v1.PoolGuards.Builder nothing() {
        return io.quorumlb.proto.v1.PoolGuards.newBuilder();
    }

    @Test
    void aSnapshotFromBeforeThereWereGuardsHasTheUsualOnes() {
        ClusterSnapshot.Builder old = SnapshotCodec.toWire(RandomCommands.state(3, 400)).toBuilder();
        old.getPoolsBuilderList().forEach(pool -> pool.clearGuards().clearOverride());
        old.getGenerationsBuilderList()
                .forEach(generation -> generation.clearCause().clearEvidence());
        var state = SnapshotCodec.fromWire(old.build());
        assertTrue(!state.model().pools().isEmpty() && !state.history().isEmpty(), "a seed with something in it");
        state.model().pools().values().forEach(pool -> {
            assertEquals(PoolGuards.DEFAULT, pool.guards());
            assertTrue(pool.override().isEmpty());
        });
        state.history().values().stream().flatMap(List::stream).forEach(generation -> {
            assertEquals(GenerationCause.UNKNOWN, generation.cause());
            assertEquals(List.of(), generation.evidence());
        });
    }

    @Test
    void anEntryFromBeforeThereWereGuardsSaysNoCause() {
        var entry = LogEntry.newBuilder()
                .setCommitGeneration(
                        CommitGeneration.newBuilder().setPoolId(1).setNumber(1).setExpectedDigest("ab".repeat(32)))
                .build();
        Command.CommitGeneration commit = (Command.CommitGeneration) EntryCodec.fromWire(entry);
        assertEquals(GenerationCause.UNKNOWN, commit.cause());
        assertEquals(Footing.CONFIGURED, commit.footing());
    }

    @Test
    void whatIsAbsentStaysAsItWas() {
        var before = new PoolGuards(
                70, 30, 20, new PoolGuards.Flapping(9000, 100, Duration.ofSeconds(5)), Duration.ZERO, Duration.ZERO);
        assertEquals(before, GuardCodec.fromWire(nothing().build(), before));
        PoolGuards after = GuardCodec.fromWire(
                nothing().setMovedMaxPercent(40).setFlapReuse(0).build(), before);
        assertEquals(40, after.movedMax());
        assertEquals(0, after.flapping().reuse());
        assertEquals(20, after.panic());
        assertEquals(9000, after.flapping().limit());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mass_failure_percent|0|guards mass_failure 0 % is outside 1..100 %",
                "moved_max_percent|101|guards moved_max 101 % is outside 1..100 %",
                "panic_percent|101|guards panic 101 % is outside 0..100 %",
                "flap_limit|100001|guards flap_limit 100001 is outside 0..100000",
                "flap_reuse|4000|guards flap_reuse 4000 is outside 0..3999 (below flap_limit)",
                "flap_half_life_millis|999|guards flap_half_life 999 ms is outside 1000..3600000 ms",
                "generation_interval_millis|60001|guards generation_interval 60001 ms is outside 0..60000 ms",
                "settle_max_millis|60001|guards settle_max 60001 ms is outside 0..60000 ms",
            })
    void aSettingOutOfRangeIsRefusedWithItsLimit(String field, int value, String message) {
        var descriptor = io.quorumlb.proto.v1.PoolGuards.getDescriptor().findFieldByName(field);
        var guards = nothing().setField(descriptor, value).build();
        var refused =
                assertThrows(IllegalArgumentException.class, () -> GuardCodec.fromWire(guards, PoolGuards.DEFAULT));
        assertEquals(message, refused.getMessage());
    }
}
