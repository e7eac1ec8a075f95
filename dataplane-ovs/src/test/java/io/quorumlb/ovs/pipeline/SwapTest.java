package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.SlotTable;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.testbed.VethSwitch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slot tables are exchanged under real packets: nothing misses, and whoever answers was the owner before or after. */
class SwapTest {
    private static final int PER_SECOND = 2000;
    private static final List<int[]> WEIGHTS = List.of(
            new int[] {1, 1, 1, 1},
            new int[] {0, 1, 1, 1},
            new int[] {1, 1, 1, 1},
            new int[] {1, 0, 1, 0},
            new int[] {0, 1, 0, 1},
            new int[] {1, 1, 1, 0});

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    /**
     * A table and the time in which it may have been in use.
     *
     * @param fromNanos when its install began
     * @param untilNanos when the install of the next one had ended
     */
    private record Period(SlotTable table, long fromNanos, long untilNanos) {
        boolean explains(Probes.Answer answer) {
            int owner = table.owner(answer.slot());
            return answer.sentNanos() <= untilNanos
                    && answer.answeredNanos() >= fromNanos
                    && owner != SlotTable.NOBODY
                    && SiteIntent.key(owner).ipv4().orElseThrow().equals(answer.member());
        }
    }

    private static void install(OvsDatapath datapath, int[] weights) throws DatapathException {
        datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), Pipeline.flows(SiteIntent.of(1, weights))));
    }

    @Test
    @Timeout(600)
    void everyAnswerComesFromTheOwnerByTheOldOrTheNewTableAndNothingMisses() throws DatapathException, IOException {
        int swaps = Integer.getInteger("quorumlb.swaps", 100);
        List<Period> periods = new ArrayList<>();
        try (VethSwitch ovs = Probes.site(directory);
                var datapath = new OvsDatapath(
                        new OvsBridge(directory, VethSwitch.BRIDGE),
                        new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK))) {
            long from = System.nanoTime();
            int[] last = WEIGHTS.getFirst();
            install(datapath, last);
            Probes probes = Probes.start(ovs, PER_SECOND);
            for (int swap = 1; swap <= swaps; swap++) {
                int[] next = WEIGHTS.get(swap % WEIGHTS.size());
                long begins = System.nanoTime();
                install(datapath, next);
                periods.add(new Period(SiteIntent.table(last), from, System.nanoTime()));
                from = begins;
                last = next;
            }
            periods.add(new Period(SiteIntent.table(last), from, Long.MAX_VALUE));
            Probes.Result result = probes.stop();
            List<Probes.Answer> wrong = result.answers().stream()
                    .filter(answer -> periods.stream().noneMatch(period -> period.explains(answer)))
                    .toList();
            long lost = result.sent()
                    - result.answers().stream()
                            .filter(answer -> answer.number() < result.sent())
                            .count();
            System.out.printf(
                    "%d swaps under %d probes: %d answered by nobody, %d by a wrong member, %d packets missed a table%n",
                    swaps, result.sent(), lost, wrong.size(), missed(datapath));
            assertEquals(List.of(), wrong);
            assertEquals(0, missed(datapath), "packets that no flow but a table's miss took");
            assertEquals(0, result.damaged(), "answers with a wrong checksum");
            // What a busy machine's sockets drop is no fault of the tables; they have counters for theirs.
            assertTrue(lost < result.sent() / 10, "lost " + lost + " of " + result.sent());
        }
    }

    private static long missed(OvsDatapath datapath) throws DatapathException {
        return datapath.readBack().own().values().stream()
                .filter(flow -> flow.flow().key().table() >= PipelineTable.LISTENER.id())
                .filter(flow -> Cookie.isKind(flow.flow().cookie(), Cookie.Kind.MISS)
                        || Cookie.isKind(flow.flow().cookie(), Cookie.Kind.FAIL_CLOSE))
                .mapToLong(InstalledFlow::packets)
                .sum();
    }
}
