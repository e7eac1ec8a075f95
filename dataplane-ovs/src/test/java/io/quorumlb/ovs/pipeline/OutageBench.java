package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.openflow.SwitchWatcher;
import io.quorumlb.ovs.testbed.VethSwitch;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Prints how long packets at 1,000 per second are not answered when ovs-vswitchd is killed and started again at once, with the
 * datapath of a node that reads and reinstalls as soon as the connection has ended, every 50 ms until it succeeds.
 */
public final class OutageBench {
    private static final int PER_SECOND = 1000;
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final SwitchIntent INTENT = SiteIntent.allUp(1);

    private OutageBench() {}

    /** Runs; the argument is the number of kills, 11 if there is none. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        int kills = arguments.length == 0 ? 11 : Integer.parseInt(arguments[0]);
        var lost = new ArrayList<CountDownLatch>(List.of(new CountDownLatch(1)));
        List<Long> seenToProven = new ArrayList<>();
        try (VethSwitch ovs = Probes.site(Files.createTempDirectory("ovs-outage"));
                var datapath = new OvsDatapath(
                        new OvsBridge(ovs.directory(), VethSwitch.BRIDGE),
                        new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK),
                        new SwitchWatcher(() -> {}, _ -> lost.getLast().countDown()))) {
            await(datapath);
            Probes probes = Probes.start(ovs, PER_SECOND);
            List<Long> killed = new ArrayList<>();
            for (int kill = 0; kill < kills; kill++) {
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                lost.add(new CountDownLatch(1));
                killed.add(System.nanoTime());
                Thread restarting = Thread.ofVirtual().start(ovs::restart);
                if (!lost.getLast().await(10, TimeUnit.SECONDS)) {
                    throw new IOException("the end of the connection was not noticed");
                }
                long seen = System.nanoTime();
                await(datapath);
                seenToProven.add(System.nanoTime() - seen);
                restarting.join();
            }
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
            print(probes.stop(), killed, seenToProven);
        }
    }

    private static void install(OvsDatapath datapath) throws DatapathException {
        datapath.install(FlowDelta.between(datapath.readBack().ownFlows(), Pipeline.flows(INTENT)));
    }

    private static void await(OvsDatapath datapath) {
        while (!installed(datapath)) {
            LockSupport.parkNanos(RETRY_NANOS);
        }
    }

    private static boolean installed(OvsDatapath datapath) {
        try {
            install(datapath);
            return true;
        } catch (DatapathException _) {
            // It is not back yet.
            return false;
        }
    }

    private static void print(Probes.Result result, List<Long> killed, List<Long> seenToProven) {
        List<Long> outages = new ArrayList<>();
        for (long at : killed) {
            long before = result.answers().stream()
                    .mapToLong(Probes.Answer::sentNanos)
                    .filter(sent -> sent <= at)
                    .max()
                    .orElse(at);
            long after = result.answers().stream()
                    .mapToLong(Probes.Answer::sentNanos)
                    .filter(sent -> sent > at + TimeUnit.MILLISECONDS.toNanos(20))
                    .min()
                    .orElse(Long.MAX_VALUE);
            outages.add(after - before);
        }
        System.out.printf(
                "ovs-vswitchd killed %d times, %d slots, %d probes/s: no answer for median %.0f ms, worst %.0f ms; seen gone to"
                        + " proven median %.0f ms, worst %.0f ms%n",
                killed.size(),
                SiteIntent.SLOTS,
                PER_SECOND,
                median(outages),
                Collections.max(outages) / 1e6,
                median(seenToProven),
                Collections.max(seenToProven) / 1e6);
    }

    private static double median(List<Long> nanos) {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2) / 1e6;
    }
}
