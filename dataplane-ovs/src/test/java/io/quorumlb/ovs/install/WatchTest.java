package io.quorumlb.ovs.install;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.openflow.SwitchWatcher;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a real Open vSwitch says unasked of what others do to its flows. */
class WatchTest {
    private static final CookieOwner OURS = new CookieOwner(0x5155_0000_0000_0000L, 0xffff_0000_0000_0000L);
    private static final int FLOOD = 20_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path directory;

    private final LinkedBlockingQueue<String> lost = new LinkedBlockingQueue<>();
    private final AtomicInteger touched = new AtomicInteger();
    private final LinkedBlockingQueue<Integer> notices = new LinkedBlockingQueue<>();

    private OvsDatapath open() {
        return new OvsDatapath(
                new OvsBridge(directory, PrivateSwitch.BRIDGE),
                OURS,
                new SwitchWatcher(() -> notices.add(touched.incrementAndGet()), lost::add));
    }

    private void awaitNotice() throws InterruptedException {
        assertTrue(notices.poll(5, TimeUnit.SECONDS) != null, "no notice within 5 s");
    }

    @Test
    void ownChangesAreNoNewsAndWhatOthersDoIsSaidOnceUntilSomebodyLooks()
            throws DatapathException, InterruptedException, IOException {
        try (var ovs = new PrivateSwitch(directory);
                var datapath = open()) {
            var _ = datapath.readBack();
            datapath.install(new FlowDelta(OvsDatapathTest.slots(1024, 1), List.of()));
            var _ = datapath.readBack();
            assertEquals(0, touched.get(), "own changes");

            ovs.ofctl("del-flows", "--strict", "table=11,priority=100,reg0=1,reg1=17");
            awaitNotice();
            ovs.ofctl("add-flow", "table=99,priority=7,actions=drop");
            Path flows = directory.resolve("flood.flows");
            Files.writeString(
                    flows,
                    IntStream.range(0, FLOOD)
                            .mapToObj(i -> "table=98,priority=7,reg0=" + i + ",actions=drop")
                            .collect(Collectors.joining("\n")));
            ovs.ofctl("add-flows", flows.toString());
            assertEquals(FLOOD + 1, datapath.readBack().foreign().size());
            // The second may come while the flows are being read.
            assertTrue(touched.get() <= 2, () -> "notices of a flood: " + touched.get());
            assertTrue(datapath.foreignChanges() >= 2, () -> "changes told " + datapath.foreignChanges());

            notices.clear();
            ovs.ofctl("mod-flows", "--strict", "table=11,priority=100,reg0=1,reg1=18,actions=drop");
            awaitNotice();

            ovs.kill();
            assertTrue(lost.poll(5, TimeUnit.SECONDS) != null, "the end of the connection was not said");
            ovs.restart();
            assertEquals(0, datapath.readBack().own().size());
            ovs.ofctl("add-flow", "table=99,priority=7,actions=drop");
            awaitNotice();
        }
    }
}
