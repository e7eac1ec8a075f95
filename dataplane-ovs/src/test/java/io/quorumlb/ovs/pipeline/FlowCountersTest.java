package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.testbed.DualStackSite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlowCountersTest {
    private static final int LISTENERS = 4;
    private static final Counted.Received FIRST = new Counted.Received(1);

    private static Flow listener(int id, int port) {
        return new Flow(
                new FlowKey(
                        PipelineTable.LISTENER.id(),
                        8000,
                        Match.of()
                                .with(Field.ETH_TYPE, 0x0800)
                                .with(Field.IP_PROTO, 6)
                                .with(Field.TCP_DST, port)),
                Cookie.of(Cookie.Kind.LISTENER, 1, id),
                List.of());
    }

    private static Flow ofMember(Cookie.Kind kind) {
        return new Flow(
                new FlowKey(PipelineTable.EGRESS.id(), 100, Match.of().with(Field.REG2, 5)),
                Cookie.of(kind, 1, 5),
                List.of());
    }

    private static InstalledFlow counted(Flow flow, long packets, int ageSeconds) {
        return new InstalledFlow(flow, packets, packets * 100, Duration.ofSeconds(ageSeconds));
    }

    private static FlowMap<InstalledFlow> rows(InstalledFlow... installed) {
        return FlowMap.of(List.of(installed), row -> row.flow().key());
    }

    private static FlowCounters after(List<FlowMap<InstalledFlow>> readings) {
        FlowCounters counters = FlowCounters.none();
        for (FlowMap<InstalledFlow> rows : readings) {
            counters = counters.read(rows, _ -> true);
        }
        return counters;
    }

    private static Count packets(long packets) {
        return new Count(packets, packets * 100);
    }

    @Test
    void aTotalBeginsWithWhatTheSwitchSaysAndGoesOnThroughEveryReset() {
        Flow row = listener(1, 80);
        var readings = List.of(
                rows(counted(row, 1000, 60)),
                rows(counted(row, 1010, 62)),
                rows(counted(row, 4, 1)), // deleted and added
                rows(), // deleted
                rows(counted(row, 5, 1)),
                rows(counted(row, 5000, 0))); // added again, and already ahead of what was counted before
        assertEquals(packets(1010 + 4 + 5 + 5000), after(readings).totals().get(FIRST));
    }

    /** It may be the same row or another one: too little is counted rather than too much. */
    @Test
    void aRowThatIsBothOlderAndAheadIsTakenForTheSame() {
        Flow row = listener(1, 80);
        var counters = after(List.of(rows(counted(row, 5, 1)), rows(counted(row, 5000, 2))));
        assertEquals(packets(5000), counters.totals().get(FIRST));
    }

    @Test
    void rowsOfOneListenerAreAddedUp() {
        var counters = after(List.of(rows(counted(listener(1, 80), 3, 9), counted(listener(1, 81), 4, 9))));
        assertEquals(packets(7), counters.totals().get(FIRST));
    }

    /** A switch that replaces a row lets the new one inherit the count. */
    @Test
    void whatARowInheritsIsNotCountedAsADrop() {
        var noMac = new Counted.Dropped(DropCause.NO_MAC, PipelineTable.EGRESS.id(), 1, 5);
        var counters = after(List.of(
                rows(counted(ofMember(Cookie.Kind.EGRESS), 700, 60)),
                rows(counted(ofMember(Cookie.Kind.NO_MAC), 702, 62))));
        assertEquals(packets(2), counters.totals().get(noMac));
    }

    @Test
    void aTotalIsForgottenWhenItsObjectAndItsRowsAreGone() {
        var counters = after(List.of(rows(counted(listener(1, 80), 3, 9))));
        assertEquals(packets(3), counters.read(rows(), _ -> true).totals().get(FIRST));
        assertEquals(
                packets(3),
                counters.read(rows(counted(listener(1, 80), 3, 11)), _ -> false)
                        .totals()
                        .get(FIRST));
        assertEquals(new TreeMap<>(), counters.read(rows(), _ -> false).totals());
    }

    @Test
    void slotsAreNotCountedAndFailCloseIs() {
        Flow slot = new Flow(
                new FlowKey(
                        PipelineTable.SLOTS.id(),
                        100,
                        Match.of().with(Field.REG0, 1).with(Field.REG1, 0)),
                Cookie.of(Cookie.Kind.SLOT, 1, 0),
                List.of());
        Flow closed = new Flow(
                new FlowKey(PipelineTable.SLOTS.id(), 50, Match.of().with(Field.REG0, 1)),
                Cookie.of(Cookie.Kind.FAIL_CLOSE, 1, 0),
                List.of());
        SortedMap<Counted, Count> expected = new TreeMap<>();
        expected.put(new Counted.Dropped(DropCause.NO_MEMBER, PipelineTable.SLOTS.id(), 1, 0), packets(2));
        assertEquals(
                expected,
                after(List.of(rows(counted(slot, 9, 9), counted(closed, 2, 9)))).totals());
    }

    /** Every row of the pipeline that drops has a cause, and each row that does anything else has none. */
    @Test
    void everyDropHasACause() {
        for (Flow flow : Pipeline.flows(DualStackSite.intent())) {
            boolean drops = flow.instructions().isEmpty();
            boolean silent = Cookie.isKind(flow.cookie(), Cookie.Kind.INGRESS);
            boolean cause = Counted.of(flow).stream().anyMatch(Counted.Dropped.class::isInstance);
            assertEquals(drops && !silent, cause, flow::toString);
        }
    }

    /** The words of a site: what is counted for each listener, member and reply. */
    @Test
    void requestsAndRepliesAreCountedForListenerAndMember() {
        var counted = new TreeSet<Counted>();
        Pipeline.flows(DualStackSite.intent()).forEach(flow -> counted.addAll(Counted.of(flow)));
        assertTrue(counted.contains(new Counted.Received(111)), counted::toString);
        assertTrue(counted.contains(new Counted.Forwarded(111, 1)), counted::toString);
        IpAddress vip = DualStackSite.vip(IpFamily.IPV4, 1);
        for (Counted.Reply reply : List.of(
                new Counted.Reply(11, vip, 17, 53),
                new Counted.Reply(11, vip, 6, 80),
                new Counted.Reply(22, DualStackSite.vip(IpFamily.IPV6, 2), 6, 0))) {
            assertTrue(counted.contains(new Counted.Answered(reply)), counted::toString);
            int member = reply.poolId() == 11 ? 2 : 7;
            assertTrue(counted.contains(new Counted.Returned(member, reply)), counted::toString);
        }
        assertTrue(counted.contains(new Counted.Echoed()), counted::toString);
    }

    private static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    /**
     * Random lives of rows against a reference that knows each row's identity: the totals never go back, are never more
     * than what was counted, and exactly what the readings could show.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void totalsAreWhatTheReadingsCouldShow(long seed) {
        var life = new Life(new Random(seed));
        for (int step = 0; step < 300; step++) {
            life.step();
        }
    }

    /** A switch, the reference, and the counters beside them. */
    private static final class Life {
        private final Random random;
        private final Map<Integer, Row> rows = new TreeMap<>();
        private final Map<Integer, Row> lastRead = new HashMap<>();
        private final Map<Integer, Long> lastPackets = new HashMap<>();
        private final Map<Integer, Long> expected = new TreeMap<>();
        private final Map<Integer, Long> hits = new TreeMap<>();
        private FlowCounters counters = FlowCounters.none();
        private int now;

        private static final class Row {
            private final int added;
            private long packets;

            Row(int added) {
                this.added = added;
            }
        }

        Life(Random random) {
            this.random = random;
        }

        void step() {
            int id = 1 + random.nextInt(LISTENERS);
            now++;
            switch (random.nextInt(12)) {
                case 0 -> rows.put(id, new Row(now));
                case 1 -> rows.remove(id);
                case 2 -> {
                    // The switch restarts and is filled again.
                    var before = new ArrayList<>(rows.keySet());
                    before.forEach(row -> rows.put(row, new Row(now)));
                }
                case 3 -> restartController();
                case 4, 5, 6 -> read();
                default -> hit(id);
            }
        }

        private void hit(int id) {
            Row row = rows.get(id);
            if (row != null) {
                int packets = random.nextInt(20);
                row.packets += packets;
                hits.merge(id, (long) packets, Long::sum);
            }
        }

        /** The next life of the controller knows only what the switch says. */
        private void restartController() {
            counters = FlowCounters.none();
            lastRead.clear();
            lastPackets.clear();
            expected.clear();
            hits.clear();
            rows.forEach((id, row) -> hits.put(id, row.packets));
        }

        private void read() {
            List<InstalledFlow> reading = new ArrayList<>();
            rows.forEach((id, row) -> reading.add(counted(listener(id, id), row.packets, now - row.added)));
            SortedMap<Counted, Count> before = counters.totals();
            counters = counters.read(FlowMap.of(reading, row -> row.flow().key()), _ -> true);
            before.forEach((key, count) -> assertTrue(
                    counters.totals().getOrDefault(key, Count.ZERO).packets() >= count.packets(), key::toString));
            expect();
            IntStream.rangeClosed(1, LISTENERS).forEach(this::check);
        }

        private void expect() {
            rows.forEach((id, row) -> {
                long last = lastPackets.getOrDefault(id, 0L);
                Row known = lastRead.get(id);
                // A younger row that is both older and ahead by now cannot be told from the one before it.
                boolean same = known == row;
                boolean seemsSame = known != null && row.packets >= last && now - row.added >= lastAge(known);
                expected.merge(id, same || seemsSame ? row.packets - last : row.packets, Long::sum);
            });
            lastRead.clear();
            lastPackets.clear();
            lastAges.clear();
            rows.forEach((id, row) -> {
                lastRead.put(id, row);
                lastPackets.put(id, row.packets);
                lastAges.put(row, now - row.added);
            });
        }

        private final Map<Row, Integer> lastAges = new HashMap<>();

        private int lastAge(Row row) {
            return lastAges.getOrDefault(row, 0);
        }

        private void check(int id) {
            long total = counters.totals()
                    .getOrDefault(new Counted.Received(id), Count.ZERO)
                    .packets();
            assertEquals(expected.getOrDefault(id, 0L), total);
            assertTrue(total <= hits.getOrDefault(id, 0L), () -> "counted more than came: " + total);
        }
    }
}
