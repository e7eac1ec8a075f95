package io.quorumlb.node.doctor;

import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.Examination;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Examines one node and its surroundings whenever it is asked, and watches its clock meanwhile. Safe from any thread. */
public final class Doctor implements AutoCloseable {
    private static final int EXAMINATIONS_MAX = 4;

    private final Supplier<NodeState> state;
    private final Places places;
    private final SurroundingsReader reader;
    private final InstantSource wall;
    private final LongSupplier nanoTime;
    private final ClockWatch clock;
    private final Semaphore free = new Semaphore(EXAMINATIONS_MAX);

    /**
     * Where to look.
     *
     * @param interfaces the node's own interfaces
     * @param ports the switch's ports towards networks
     * @param data directory of the replicated log
     * @param birdSocket BIRD's control socket
     * @param sysctl the kernel's settings, {@code /proc/sys}
     * @param differences asks the switch how the bridge is made otherwise than configured; throws if it does not answer
     * @param certificateEnds says when the certificate that clients see ends; empty without TLS
     * @param programVersion of this program, empty if it is not known
     */
    public record Places(
            SortedSet<String> interfaces,
            SortedSet<String> ports,
            Path data,
            Path birdSocket,
            Path sysctl,
            Callable<List<String>> differences,
            Supplier<Optional<Instant>> certificateEnds,
            String programVersion) {
        /** Copies the sets. */
        public Places {
            interfaces = Collections.unmodifiableSortedSet(new TreeSet<>(interfaces));
            ports = Collections.unmodifiableSortedSet(new TreeSet<>(ports));
        }
    }

    private Doctor(Supplier<NodeState> state, Places places, InstantSource wall, LongSupplier nanoTime) {
        this.state = state;
        this.places = places;
        this.reader = new SurroundingsReader(places);
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.clock = ClockWatch.start(wall, nanoTime);
    }

    /**
     * Begins to watch the clock.
     *
     * @param state the node's present state
     * @param places where to look
     * @param wall the wall clock
     * @param nanoTime the clock that the state's times come from, in nanoseconds
     */
    public static Doctor start(Supplier<NodeState> state, Places places, InstantSource wall, LongSupplier nanoTime) {
        return new Doctor(state, places, wall, nanoTime);
    }

    /** Looks at everything now; takes some milliseconds, and as long as a second and a half if the switch or BIRD are silent. */
    public Examination examine() {
        NodeState now = state.get();
        String self = now.settings().self().value();
        if (!free.tryAcquire()) {
            return Examination.newBuilder()
                    .setNode(self)
                    .setReason("%d examinations are under way, the most this node makes at once"
                            .formatted(EXAMINATIONS_MAX))
                    .build();
        }
        try {
            List<Judgement> found =
                    new ArrayList<>(LocalJudge.of(now.symptoms(new MonotonicTime(nanoTime.getAsLong()))));
            found.addAll(LocalJudge.of(self, reader.read(clock.step(), wall.instant())));
            var examination =
                    Examination.newBuilder().setNode(self).setAnswered(true).setProgramVersion(places.programVersion());
            found.forEach(judgement -> examination.addFindings(FindingCodec.toWire(judgement)));
            return examination.setWallMillis(wall.millis()).build();
        } finally {
            free.release();
        }
    }

    @Override
    public void close() {
        clock.close();
    }
}
