package io.quorumlb.ovs.neighbour;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.linux.Channel;
import io.quorumlb.ovs.linux.Channels;
import io.quorumlb.ovs.linux.KernelNeighbour;
import io.quorumlb.ovs.linux.LinuxException;
import io.quorumlb.ovs.linux.NeighbourChanges;
import io.quorumlb.ovs.linux.NeighbourTable;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import io.quorumlb.ovs.packet.NeighbourSighting;
import io.quorumlb.ovs.packet.NeighbourSighting.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Asks from the node's own interfaces where addresses are, and hears the answers, announcements, and what the kernel
 * learns. Only addresses that were asked for lately are spoken of: whatever strangers send costs a bounded number of
 * frames read and no memory. Safe from any thread.
 */
public final class NeighbourWatch implements AutoCloseable {
    private static final Duration WAIT = Duration.ofMillis(200);
    /** Between two rounds: with the bound on frames per round it bounds what a flood costs. */
    private static final Duration PAUSE = Duration.ofMillis(5);

    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int CHANGES_PER_ROUND_MAX = 256;
    private static final long CLOSE_SECONDS_MAX = 5;

    private final AskedAddresses asked = new AskedAddresses();
    private final AtomicLong unasked = new AtomicLong();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final SortedMap<String, InterfaceEar> ears = new TreeMap<>();
    private final Consumer<List<NeighbourSighting>> heard;
    private final Consumer<String> problems;
    private volatile boolean closed;

    private NeighbourWatch(
            Collection<String> interfaces, Consumer<List<NeighbourSighting>> heard, Consumer<String> problems) {
        this.heard = heard;
        this.problems = problems;
        interfaces.forEach(name -> ears.put(name, new InterfaceEar(name)));
    }

    /**
     * Begins to listen, on a thread of its own.
     *
     * @param interfaces names of the node's own interfaces; they need not exist yet
     * @param heard takes what was heard, without doubles, a few hundred at most at once
     * @param problems is told once what keeps an interface from being heard, and once with the empty text that nothing does
     */
    public static NeighbourWatch start(
            Collection<String> interfaces, Consumer<List<NeighbourSighting>> heard, Consumer<String> problems) {
        var watch = new NeighbourWatch(interfaces, heard, problems);
        Thread.ofPlatform().name("neighbours").daemon().start(watch::run);
        return watch;
    }

    /** Asks; a question that cannot be sent is lost. */
    public void ask(List<NeighbourQuestion> questions) {
        asked.add(questions);
        for (NeighbourQuestion question : questions) {
            Optional.ofNullable(ears.get(question.interfaceName())).ifPresent(ear -> ear.send(question));
        }
    }

    /** Returns how many frames and changes spoke of addresses that were not asked for, since the start. */
    public long unasked() {
        return unasked.get();
    }

    private void run() {
        Optional<NeighbourChanges> changes = Optional.empty();
        String lastProblem = "";
        long nextOpen = System.nanoTime();
        try {
            while (!closed) {
                if (System.nanoTime() - nextOpen >= 0) {
                    changes = changes.or(this::subscribed);
                    String problem = openAll(changes);
                    if (!problem.equals(lastProblem)) {
                        problems.accept(problem);
                        lastProblem = problem;
                    }
                    nextOpen = System.nanoTime() + RETRY.toNanos();
                }
                changes = round(changes);
            }
        } finally {
            ears.values().forEach(InterfaceEar::close);
            changes.ifPresent(NeighbourWatch::quietly);
            ended.countDown();
        }
    }

    /** Returns what keeps something from being heard, or empty. */
    private String openAll(Optional<NeighbourChanges> changes) {
        List<String> failures = new ArrayList<>();
        for (InterfaceEar ear : ears.values()) {
            ear.open().ifPresent(failures::add);
        }
        if (changes.isEmpty()) {
            failures.add("changes of the kernel's neighbours cannot be heard");
        }
        return String.join("; ", failures);
    }

    private Optional<NeighbourChanges> subscribed() {
        try {
            return Optional.of(NeighbourChanges.open());
        } catch (LinuxException _) {
            // Named as a problem by the caller; tried again with the interfaces.
            return Optional.empty();
        }
    }

    private Optional<NeighbourChanges> round(Optional<NeighbourChanges> changes) {
        var channels = new ArrayList<Channel>(changes.stream().toList());
        ears.values().forEach(ear -> channels.addAll(ear.channels()));
        Set<NeighbourSighting> sightings = new LinkedHashSet<>();
        Optional<NeighbourChanges> still = changes;
        try {
            Channels.await(channels, WAIT);
            if (changes.isPresent()) {
                read(changes.get(), sightings);
            }
        } catch (LinuxException _) {
            // Opened again with the next look at what is missing.
            changes.ifPresent(NeighbourWatch::quietly);
            still = Optional.empty();
        }
        for (InterfaceEar ear : ears.values()) {
            ear.read(sighting -> note(sighting, sightings));
        }
        if (!sightings.isEmpty()) {
            heard.accept(List.copyOf(sightings));
        }
        pause();
        return still;
    }

    private static void pause() {
        try {
            Channels.await(List.of(), PAUSE);
        } catch (LinuxException e) {
            throw new IllegalStateException("waiting for nothing failed", e);
        }
    }

    private void read(NeighbourChanges changes, Set<NeighbourSighting> sightings) throws LinuxException {
        for (int i = 0; i < CHANGES_PER_ROUND_MAX; i++) {
            Optional<NeighbourChanges.Changes> next = changes.read();
            if (next.isEmpty()) {
                return;
            }
            next.get().neighbours().forEach(neighbour -> note(neighbour, sightings));
            if (next.get().lost()) {
                NeighbourTable.read().forEach(neighbour -> note(neighbour, sightings));
            }
        }
    }

    private void note(KernelNeighbour neighbour, Set<NeighbourSighting> sightings) {
        for (InterfaceEar ear : ears.values()) {
            IpAddress address = neighbour.address();
            var mac = new MacAddress(neighbour.mac());
            if (ear.index() == neighbour.interfaceIndex() && neighbour.state().isUsable() && mac.isStation()) {
                note(new NeighbourSighting(ear.name(), address, mac, Origin.KERNEL), sightings);
            }
        }
    }

    private void note(NeighbourSighting sighting, Set<NeighbourSighting> sightings) {
        if (asked.contains(sighting.interfaceName(), sighting.address())) {
            sightings.add(sighting);
        } else {
            unasked.incrementAndGet();
        }
    }

    private static void quietly(NeighbourChanges changes) {
        try {
            changes.close();
        } catch (LinuxException _) {
            // Nothing more can be done about a socket that does not close.
        }
    }

    /** Stops listening and returns when the thread has ended. */
    @Override
    public void close() {
        closed = true;
        try {
            var _ = ended.await(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
