package io.quorumlb.ovs.install;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Prints how long installs and read-backs of slot tables take against a private Open vSwitch. */
public final class OvsInstallBench {
    private static final CookieOwner OURS = new CookieOwner(0x5155_0000_0000_0000L, 0xffff_0000_0000_0000L);

    private OvsInstallBench() {}

    /** Runs all sizes; no arguments. */
    public static void main(String[] arguments) throws IOException, DatapathException {
        Path directory = Files.createTempDirectory("ovs-bench");
        try (var ovs = new PrivateSwitch(directory);
                var datapath = new OvsDatapath(new OvsBridge(directory, PrivateSwitch.BRIDGE), OURS)) {
            System.out.println("median / worst in ms, " + OURS + " in " + ovs.directory());
            measure(datapath, 1024, 300);
            measure(datapath, 65536, 12);
        }
    }

    private static void measure(OvsDatapath datapath, int slots, int rounds) throws DatapathException {
        var full = new ArrayList<Long>();
        var quarter = new ArrayList<Long>();
        var read = new ArrayList<Long>();
        var differ = new ArrayList<Long>();
        for (int round = 0; round < rounds; round++) {
            List<Flow> desired = OvsDatapathTest.slots(slots, 1 + round % 2);
            full.add(time(() -> datapath.install(new FlowDelta(desired, List.of()))));
            var some = new ArrayList<>(desired);
            List<Flow> other = OvsDatapathTest.slots(slots, 3);
            for (int slot = 0; slot < slots; slot += 4) {
                some.set(slot, other.get(slot));
            }
            SwitchSnapshot before = datapath.readBack();
            var start = System.nanoTime();
            FlowDelta delta = FlowDelta.between(before.ownFlows(), some);
            differ.add(System.nanoTime() - start);
            quarter.add(time(() -> datapath.install(delta)));
            read.add(time(datapath::readBack));
        }
        print(slots + " slots: full install", full);
        print(slots + " slots: a quarter", quarter);
        print(slots + " slots: read back", read);
        print(slots + " slots: difference", differ);
        datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), List.of()));
    }

    private interface Call {
        void run() throws DatapathException;
    }

    private static long time(Call call) throws DatapathException {
        long start = System.nanoTime();
        call.run();
        return System.nanoTime() - start;
    }

    private static void print(String what, List<Long> nanos) {
        // The second half: the first warms the JVM up.
        long[] warm = nanos.subList(nanos.size() / 2, nanos.size()).stream()
                .mapToLong(Long::longValue)
                .toArray();
        Arrays.sort(warm);
        System.out.printf("%-28s %8.2f / %8.2f%n", what, warm[warm.length / 2] / 1e6, warm[warm.length - 1] / 1e6);
    }
}
