package io.quorumlb.node.shell;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.announce.AnnounceResult;
import io.quorumlb.node.announce.Announcer;
import io.quorumlb.node.core.NetworkView;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.packet.AddressFrame;
import io.quorumlb.ovs.packet.NeighbourEntry;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what the core wants, on virtual threads, and delivers the answers; decides nothing. */
public final class EffectPerformer implements Consumer<NodeEffect>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("node");
    private static final int PROBES_IN_FLIGHT_MAX = 2000;
    private static final int CORRECTIONS_IN_FLIGHT_MAX = 64;

    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("effect-", 0).factory());
    private final Semaphore probes = new Semaphore(PROBES_IN_FLIGHT_MAX);
    private final Semaphore corrections = new Semaphore(CORRECTIONS_IN_FLIGHT_MAX);
    private final AtomicLong probesRefused = new AtomicLong();
    private final AtomicLong framesFailed = new AtomicLong();
    private final ConcurrentMap<String, Long> events = new ConcurrentHashMap<>();
    private final AtomicBoolean readingNetwork = new AtomicBoolean();
    private final Ports ports;
    private final Consumer<NodeEvent> answers;
    private Optional<Supplier<AnnounceResult>> nextAnnouncement = Optional.empty();
    private boolean announcing;

    /**
     * The outside world.
     *
     * @param prober makes one probe, blocking
     * @param pathLook looks whether another node's data path answers, blocking
     * @param gossip sends a message to a peer, never blocking
     * @param log the replicated log
     * @param datapath the switch
     * @param network reads interfaces and neighbours, blocking; empty if they could not be read
     * @param questions asks the network where addresses are, never blocking for long
     * @param corrections makes the kernel have a neighbour, blocking
     * @param announcer switches the routes, blocking
     */
    public record Ports(
            Function<ProbeTarget, ProbeResult> prober,
            Predicate<NodeEffect.LookAtPath> pathLook,
            Consumer<NodeEffect.Gossip> gossip,
            GenerationLog log,
            Datapath datapath,
            Supplier<Optional<NetworkView>> network,
            Consumer<List<NeighbourQuestion>> questions,
            Consumer<NeighbourEntry> corrections,
            Announcer announcer) {}

    /**
     * Makes a performer.
     *
     * @param ports the outside world
     * @param answers takes the events that answer effects
     */
    public EffectPerformer(Ports ports, Consumer<NodeEvent> answers) {
        this.ports = ports;
        this.answers = answers;
    }

    /** Returns how many probes were not made because too many were under way. */
    public long probesRefused() {
        return probesRefused.get();
    }

    /** Returns how many announcements of gateways the switch did not take. */
    public long framesFailed() {
        return framesFailed.get();
    }

    /** Returns how often each kind of event was said, by code. */
    public SortedMap<String, Long> events() {
        return new TreeMap<>(events);
    }

    @Override
    public void accept(NodeEffect effect) {
        switch (effect) {
            case NodeEffect.Probe(ProbeTarget target) -> probe(target);
            case NodeEffect.Gossip gossip -> ports.gossip().accept(gossip);
            case NodeEffect.Propose(var command) -> propose(command);
            case NodeEffect.ReadBarrier _ -> readBarrier();
            case NodeEffect.HandOver(var to, String _) -> {
                // Who leads afterwards comes from the log; without a change the core asks again.
                var _ = ports.log().handOver(to);
            }
            case NodeEffect.ReadSwitch _ -> threads.execute(this::readSwitch);
            case NodeEffect.ReadPools(var pools) -> threads.execute(() -> readPools(pools));
            case NodeEffect.ChangeSwitch(FlowDelta delta) -> threads.execute(() -> changeSwitch(delta));
            case NodeEffect.TakeFingerprint take -> threads.execute(() -> takeFingerprint(take));
            case NodeEffect.SendFrames send -> threads.execute(() -> sendFrames(send));
            case NodeEffect.LookAtPath look -> lookAtPath(look);
            case NodeEffect.ReadNetwork _ -> readNetwork();
            case NodeEffect.AskNeighbours(var questions) -> ports.questions().accept(questions);
            case NodeEffect.CorrectNeighbour(NeighbourEntry entry) -> correct(entry);
            case NodeEffect.Announce(SortedSet<IpAddress> vips) ->
                announce(() -> ports.announcer().announce(vips));
            case NodeEffect.KeepAnnounced _ -> announce(() -> ports.announcer().keep());
            case NodeEffect.RestoreAnnounced _ ->
                announce(() -> ports.announcer().restore());
            case NodeEffect.Withdraw _ -> announce(() -> ports.announcer().withdraw());
            case NodeEffect.Say say -> say(say);
        }
    }

    private void say(NodeEffect.Say say) {
        events.merge(say.code(), 1L, Long::sum);
        switch (say.severity()) {
            case INFO -> LOG.info("event={} {}", say.code(), say.message());
            case WARNING -> LOG.warn("event={} {}", say.code(), say.message());
        }
    }

    private void propose(Command command) {
        var _ = ports.log()
                .propose(timed(command))
                .thenAccept(outcome -> answers.accept(new NodeEvent.ProposalFinished(command, outcome)));
    }

    /** After a restart the core reckons from the last entry that carried a time: this machine's clock knows better. */
    private static Command timed(Command command) {
        return command instanceof Command.PassTime pass ? pass.atLeast(System.currentTimeMillis()) : command;
    }

    private void readBarrier() {
        var _ = ports.log()
                .readBarrier()
                .thenAccept(caughtUp -> answers.accept(new NodeEvent.BarrierFinished(caughtUp)));
    }

    private void probe(ProbeTarget target) {
        if (!probes.tryAcquire()) {
            // The core gives the probe up after a while and makes the next one.
            probesRefused.incrementAndGet();
            return;
        }
        threads.execute(() -> {
            try {
                answers.accept(new NodeEvent.ProbeFinished(
                        target.memberId(), target.number(), ports.prober().apply(target)));
            } finally {
                probes.release();
            }
        });
    }

    /** One call of the switch. */
    @FunctionalInterface
    private interface SwitchCall {
        NodeEvent make(Datapath datapath) throws DatapathException;
    }

    private void callSwitch(SwitchCall call) {
        try {
            answers.accept(call.make(ports.datapath()));
        } catch (DatapathException e) {
            answers.accept(new NodeEvent.SwitchFailed(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            // A defect of the adapter: without an answer the core would wait for ever.
            LOG.error("switch adapter failed", e);
            answers.accept(new NodeEvent.SwitchFailed("defect of the switch adapter: " + e));
        }
    }

    private void readSwitch() {
        callSwitch(datapath -> new NodeEvent.SwitchRead(datapath.readBack(), datapath.flowModsSent()));
    }

    private void readPools(SortedSet<Integer> pools) {
        callSwitch(datapath -> new NodeEvent.PoolsRead(pools, datapath.readBack(pools), datapath.flowModsSent()));
    }

    private void takeFingerprint(NodeEffect.TakeFingerprint take) {
        try {
            Fingerprint fingerprint = ports.datapath().fingerprint(take.source(), take.destination());
            answers.accept(new NodeEvent.FingerprintTaken(take.number(), fingerprint));
        } catch (DatapathException e) {
            answers.accept(new NodeEvent.FingerprintFailed(take.number(), e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("switch adapter failed", e);
            answers.accept(new NodeEvent.FingerprintFailed(take.number(), "defect of the switch adapter: " + e));
        }
    }

    private void changeSwitch(FlowDelta delta) {
        callSwitch(datapath -> {
            datapath.install(delta);
            return new NodeEvent.SwitchChanged();
        });
    }

    /** The core sends again several times: a frame that is lost here is one of them. */
    private void sendFrames(NodeEffect.SendFrames send) {
        try {
            for (AddressFrame frame : send.frames()) {
                ports.datapath().packetOut(send.port(), frame.bytes());
            }
        } catch (DatapathException e) {
            framesFailed.incrementAndGet();
            LOG.debug("frames out of port {} not sent: {}", send.port(), e.getMessage());
        }
    }

    private void lookAtPath(NodeEffect.LookAtPath look) {
        if (!probes.tryAcquire()) {
            probesRefused.incrementAndGet();
            return;
        }
        threads.execute(() -> {
            try {
                answers.accept(
                        new NodeEvent.PathLooked(look.node(), ports.pathLook().test(look)));
            } finally {
                probes.release();
            }
        });
    }

    /** The core asks again: while one reading is under way another would only pile up. */
    private void readNetwork() {
        if (readingNetwork.compareAndSet(false, true)) {
            threads.execute(() -> {
                try {
                    ports.network().get().ifPresent(view -> answers.accept(new NodeEvent.NetworkRead(view)));
                } finally {
                    readingNetwork.set(false);
                }
            });
        }
    }

    /** A correction that is not made now is asked for again. */
    private void correct(NeighbourEntry entry) {
        if (corrections.tryAcquire()) {
            threads.execute(() -> {
                try {
                    ports.corrections().accept(entry);
                } finally {
                    corrections.release();
                }
            });
        }
    }

    /** One call to the announcer at a time; of those that come meanwhile only the latest is made. */
    private synchronized void announce(Supplier<AnnounceResult> call) {
        nextAnnouncement = Optional.of(call);
        if (!announcing) {
            announcing = true;
            threads.execute(this::announceWhatWaits);
        }
    }

    private void announceWhatWaits() {
        Optional<Supplier<AnnounceResult>> call = takeAnnouncement();
        while (call.isPresent()) {
            AnnounceResult result = announced(call.get());
            answers.accept(new NodeEvent.AnnouncementRead(result.announced(), result.problem()));
            call = takeAnnouncement();
        }
    }

    private static AnnounceResult announced(Supplier<AnnounceResult> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            LOG.error("announcer failed", e);
            return new AnnounceResult(false, "defect of the announcer: " + e);
        }
    }

    private synchronized Optional<Supplier<AnnounceResult>> takeAnnouncement() {
        Optional<Supplier<AnnounceResult>> call = nextAnnouncement;
        nextAnnouncement = Optional.empty();
        announcing = call.isPresent();
        return call;
    }

    /** Interrupts what is under way. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
