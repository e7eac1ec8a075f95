package io.quorumlb.ovs.install;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.openflow.OpenFlowClient;
import io.quorumlb.ovs.openflow.OpenFlowConnection;
import io.quorumlb.ovs.openflow.OpenFlowException;
import io.quorumlb.ovs.openflow.SwitchWatcher;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints how long installs, differences and read-backs of slot tables take against a private Open vSwitch, beside
 * {@code ovs-ofctl --bundle} with the same flows on the same switch. Ours ends when the switch forwards by the change;
 * {@code ovs-ofctl} ends earlier, when the bundle is committed, and starts a process each time.
 */
public final class OvsInstallBench {
    private static final CookieOwner OURS = new CookieOwner(0x5155_0000_0000_0000L, 0xffff_0000_0000_0000L);
    private static final int MOVED = 256;

    private final PrivateSwitch ovs;
    private final OvsDatapath datapath;
    private final OpenFlowConnection bare;
    private final int slots;
    private final SortedMap<String, List<Long>> nanos = new TreeMap<>();

    private OvsInstallBench(PrivateSwitch ovs, OvsDatapath datapath, OpenFlowConnection bare, int slots) {
        this.ovs = ovs;
        this.datapath = datapath;
        this.bare = bare;
        this.slots = slots;
    }

    /** Runs all sizes; the argument is the number of rounds of the largest, 10 if there is none. */
    public static void main(String[] arguments) throws IOException, DatapathException, OpenFlowException {
        int rounds = arguments.length == 0 ? 10 : Integer.parseInt(arguments[0]);
        Path directory = Files.createTempDirectory("ovs-bench");
        System.out.println("median in ms; x: ovs-ofctl / ours");
        System.out.printf("%6s  %-34s %9s %10s %6s%n", "slots", "", "ours", "ovs-ofctl", "x");
        var bridge = new OvsBridge(directory, PrivateSwitch.BRIDGE);
        try (var ovs = new PrivateSwitch(directory);
                var datapath = new OvsDatapath(bridge, OURS);
                var client = new OpenFlowClient(bridge.limit(), bridge.silenceMax(), SwitchWatcher.none())) {
            connect(datapath);
            var bare = client.connect(bridge.managementSocket());
            for (int slots : List.of(1024, 4096, 65536)) {
                new OvsInstallBench(ovs, datapath, bare, slots).run(slots == 65536 ? rounds : rounds * 4);
            }
        }
    }

    /** The switch gives a greeting one second; the first one of a busy machine's JVM may take longer. */
    private static void connect(OvsDatapath datapath) throws DatapathException {
        try {
            var _ = datapath.readBack();
        } catch (DatapathException _) {
            var _ = datapath.readBack();
        }
    }

    private void run(int rounds) throws IOException, DatapathException, OpenFlowException {
        for (int round = 0; round < rounds; round++) {
            List<Flow> before = OvsDatapathTest.slots(slots, 1);
            List<Flow> other = OvsDatapathTest.slots(slots, 2);
            List<Flow> after = new ArrayList<>(before);
            List<Flow> changed = new ArrayList<>();
            for (int slot = 0; slot < slots; slot += slots / MOVED) {
                after.set(slot, other.get(slot));
                changed.add(other.get(slot));
            }
            Path full = file("full.flows", before);
            Path moved = file("moved.flows", changed);
            Path whole = file("whole.flows", after);

            ovs.ofctl("del-flows");
            ours("install all into an empty switch", () -> datapath.install(new FlowDelta(before, List.of())));
            var read = new ArrayList<SwitchSnapshot>();
            ours("read all back", () -> read.add(datapath.readBack()));
            var delta = new ArrayList<FlowDelta>();
            ours(
                    "compute a difference of 256",
                    () -> delta.add(FlowDelta.between(read.getFirst().ownFlows(), after)));
            ours("install a difference of 256", () -> datapath.install(delta.getFirst()));
            ovs.ofctl("del-flows");
            ours("install all, until committed", () -> commit(new FlowDelta(before, List.of())));
            ours("install 256, until committed", () -> commit(delta.getFirst()));
            ovs.ofctl("del-flows");
            theirs("install all into an empty switch", () -> ovs.ofctl("add-flows", "--bundle", full.toString()));
            theirs("read all back", () -> ovs.ofctl("dump-flows"));
            theirs("install a difference of 256", () -> ovs.ofctl("add-flows", "--bundle", moved.toString()));
            theirs("read, compute and install 256", () -> ovs.ofctl("replace-flows", "--bundle", whole.toString()));
            ovs.ofctl("del-flows");
            datapath.install(new FlowDelta(before, List.of()));
            ours(
                    "read, compute and install 256",
                    () -> datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), after)));
            ovs.ofctl("del-flows");
        }
        nanos.keySet().stream()
                .filter(key -> key.startsWith("ours "))
                .map(key -> key.substring(5))
                .forEach(this::print);
    }

    /** What {@code ovs-ofctl} does: packets may still follow cached decisions when it returns. */
    private void commit(FlowDelta delta) throws OpenFlowException {
        bare.commit(delta, OURS.value(), OURS.mask());
    }

    private void print(String what) {
        double ours = median("ours " + what);
        if (nanos.containsKey("ofctl " + beside(what))) {
            double theirs = median("ofctl " + beside(what));
            System.out.printf("%6d  %-34s %9.2f %10.2f %6.2f%n", slots, what, ours, theirs, theirs / ours);
        } else {
            System.out.printf("%6d  %-34s %9.2f%n", slots, what, ours);
        }
    }

    /** Returns what of theirs is compared: both ends of an install with the only one that theirs has. */
    private static String beside(String what) {
        return switch (what) {
            case "install all, until committed" -> "install all into an empty switch";
            case "install 256, until committed" -> "install a difference of 256";
            default -> what;
        };
    }

    /** Of the second half: the first warms the JVM up. */
    private double median(String key) {
        List<Long> all = nanos.getOrDefault(key, List.of());
        long[] warm = all.subList(all.size() / 2, all.size()).stream()
                .mapToLong(Long::longValue)
                .toArray();
        Arrays.sort(warm);
        return warm[warm.length / 2] / 1e6;
    }

    private Path file(String name, List<Flow> flows) throws IOException {
        String text = flows.stream().map(Flow::toString).collect(Collectors.joining("\n"));
        return Files.writeString(ovs.directory().resolve(name), text);
    }

    private interface Call {
        void run() throws DatapathException, OpenFlowException;
    }

    private void ours(String what, Call call) throws DatapathException, OpenFlowException {
        measure("ours " + what, call);
    }

    private void theirs(String what, Call call) throws DatapathException, OpenFlowException {
        measure("ofctl " + what, call);
    }

    private void measure(String key, Call call) throws DatapathException, OpenFlowException {
        long start = System.nanoTime();
        call.run();
        nanos.computeIfAbsent(key, _ -> new ArrayList<>()).add(System.nanoTime() - start);
    }
}
