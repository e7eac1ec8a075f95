package io.quorumlb.ovs.install;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Corpus;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.openflow.CookieMatch;
import io.quorumlb.ovs.openflow.FlowDescription;
import io.quorumlb.ovs.openflow.OpenFlowClient;
import io.quorumlb.ovs.openflow.OpenFlowConnection;
import io.quorumlb.ovs.openflow.OpenFlowException;
import io.quorumlb.ovs.openflow.PortDescription;
import io.quorumlb.ovs.openflow.SwitchDescription;
import io.quorumlb.ovs.openflow.SwitchWatcher;
import io.quorumlb.ovs.packet.Rejection;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.SlotSets;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bridge of Open vSwitch on this machine. Connects when the first call needs it, and again after a failure or a
 * restart of the switch.
 */
public final class OvsDatapath implements Datapath {
    private static final Logger LOG = LoggerFactory.getLogger(OvsDatapath.class);

    /** The last table that a user of Open vSwitch may fill; no flow of ours goes to it. */
    private static final int SCRATCH_TABLE = 253;

    private final OvsBridge bridge;
    private final CookieOwner owner;
    private final OpenFlowClient client;
    private final SwitchWatcher watcher;
    private final AtomicBoolean touched = new AtomicBoolean();
    private final LongAdder rejections = new LongAdder();
    private final ReentrantLock oneCaller = new ReentrantLock(true);
    private volatile @Nullable OpenFlowConnection connection;
    private volatile @Nullable UnixControl control;
    /** The connection on which the switch was read whole; guarded by {@link #oneCaller}. */
    private @Nullable OpenFlowConnection readWhole;
    /** What it held when all of it was read last. */
    private FlowMap<InstalledFlow> lastOwn = FlowMap.empty();

    private volatile boolean closed;

    /**
     * Prepares the datapath; connects later.
     *
     * @param bridge which bridge, and how long to wait for it
     * @param owner cookies of our flows; a flow of another owner is never deleted
     * @param watcher hears at once when somebody else has changed flows, at most once between two readings, and when a
     *     connection has ended
     */
    public OvsDatapath(OvsBridge bridge, CookieOwner owner, SwitchWatcher watcher) {
        this.bridge = bridge;
        this.owner = owner;
        this.watcher = watcher;
        this.client = new OpenFlowClient(
                bridge.limit(), bridge.silenceMax(), new SwitchWatcher(this::touched, watcher.lost()));
    }

    /** Prepares a datapath that nobody watches. */
    public OvsDatapath(OvsBridge bridge, CookieOwner owner) {
        this(bridge, owner, SwitchWatcher.none());
    }

    /** However much others change: one notice, until somebody has looked. */
    private void touched() {
        if (touched.compareAndSet(false, true)) {
            watcher.touched().run();
        }
    }

    @Override
    public SwitchSnapshot readBack() throws DatapathException {
        lock();
        try {
            OpenFlowConnection open = connect();
            // Before the question: what changes after the answer is a notice of its own.
            touched.set(false);
            SwitchSnapshot whole = snapshot(open.read(List.of(CookieMatch.ANY)), lastOwn);
            readWhole = open;
            lastOwn = whole.own();
            return whole;
        } catch (OpenFlowException failed) {
            throw failure("read", failed);
        } finally {
            oneCaller.unlock();
        }
    }

    @Override
    public SwitchSnapshot readBack(SortedSet<Integer> pools) throws DatapathException {
        lock();
        try {
            OpenFlowConnection open = connect();
            if (open != readWhole) {
                throw new DatapathException(
                        DatapathException.Outcome.UNREACHABLE,
                        "bridge " + bridge.name() + ": the connection is new, all of the switch must be read first");
            }
            return snapshot(open.read(choices(pools)), FlowMap.empty());
        } catch (OpenFlowException failed) {
            throw failure("read", failed);
        } finally {
            oneCaller.unlock();
        }
    }

    /** Returns cookies that only flows of these pools have; each is a walk over all flows, so whole blocks are one. */
    private static List<CookieMatch> choices(SortedSet<Integer> pools) {
        var choices = new ArrayList<CookieMatch>();
        for (int pool : pools) {
            int first = pool - pool % Cookie.POOL_BLOCK;
            boolean whole = pools.subSet(first, first + Cookie.POOL_BLOCK).size() == Cookie.POOL_BLOCK;
            if (!whole) {
                choices.add(new CookieMatch(Cookie.ofPool(pool), Cookie.POOL_MASK));
            } else if (pool == first) {
                choices.add(new CookieMatch(Cookie.ofPool(first), Cookie.BLOCK_MASK));
            }
        }
        return choices;
    }

    private SwitchSnapshot snapshot(SwitchDescription description, FlowMap<InstalledFlow> last) {
        var ours = new ArrayList<InstalledFlow>();
        var foreign = new ArrayList<InstalledFlow>();
        for (FlowDescription found : description.flows()) {
            var installed = new InstalledFlow(found.flow(), found.packets(), found.bytes(), found.age());
            if (owner.owns(found.flow().cookie())) {
                ours.add(installed);
            } else {
                foreign.add(installed);
            }
        }
        var ports = new TreeMap<String, SwitchPort>();
        for (PortDescription port : description.ports()) {
            ports.put(port.name(), new SwitchPort(port.number(), port.name(), port.mac()));
        }
        var groups = new TreeMap<Integer, Group>();
        for (Group group : description.groups()) {
            if (owner.ownsGroup(group.id())) {
                groups.put(group.id(), group);
            }
        }
        return new SwitchSnapshot(sorted(ours, last), foreign, ports, groups);
    }

    /** Sorts flows; those that were read the last time as well keep their order, sorting a hundred thousand anew is felt. */
    private static FlowMap<InstalledFlow> sorted(List<InstalledFlow> found, FlowMap<InstalledFlow> last) {
        var left = new IdentityHashMap<Flow, InstalledFlow>(found.size());
        found.forEach(installed -> left.put(installed.flow(), installed));
        FlowMap<InstalledFlow> again = last.filtered(known -> left.containsKey(known.flow()))
                .mapped(known -> left.getOrDefault(known.flow(), known));
        again.values().forEach(known -> left.remove(known.flow()));
        return again.with(
                FlowMap.of(left.values(), installed -> installed.flow().key()));
    }

    @Override
    public void install(FlowDelta delta) throws DatapathException {
        if (delta.isEmpty()) {
            return;
        }
        lock();
        try {
            OpenFlowConnection open = connect();
            if (delta.add().stream().anyMatch(OvsDatapath::isMetered)) {
                // No bundle takes a meter, and a flow is refused without it. Nobody need look for it later: when a
                // meter
                // goes, the switch deletes the flows that name it, and those are missed.
                open.putMeter(SlotSets.rejectMeter());
            }
            open.commit(delta, owner.value(), owner.mask());
            awaitRevalidation(open);
        } catch (OpenFlowException failed) {
            throw failure("change", failed);
        } finally {
            oneCaller.unlock();
        }
    }

    private static boolean isMetered(Flow flow) {
        return flow.instructions().stream()
                .anyMatch(instruction -> instruction instanceof Instruction.ApplyActions(var actions)
                        && actions.contains(
                                new Action.ToMeter(SlotSets.rejectMeter().id())));
    }

    private Optional<byte[]> answer(long cookie, byte[] frame) {
        if (!owner.owns(cookie) || !Cookie.isKind(cookie, Cookie.Kind.REJECT)) {
            return Optional.empty();
        }
        Optional<byte[]> rejection = Rejection.of(frame);
        rejection.ifPresent(_ -> rejections.increment());
        return rejection;
    }

    @Override
    public void packetOut(int port, byte[] frame) throws DatapathException {
        lock();
        try {
            connect().packetOut(port, frame);
        } catch (OpenFlowException failed) {
            throw failure("send a frame through", failed);
        } finally {
            oneCaller.unlock();
        }
    }

    /**
     * Waits until no decision is cached that was made by the flows before the commit. {@code revalidator/wait}
     * returns at the end of the next round of revalidation. The round that ends first may have begun before the
     * commit, so only the one after it proves anything; and a round that nobody asks for comes as late as half a
     * second, so each is asked for by a touch of the flow tables.
     */
    private void awaitRevalidation(OpenFlowConnection open) throws DatapathException {
        try {
            for (int round = 0; round < 2; round++) {
                UnixControl.PendingCall wait = control().begin("revalidator/wait");
                open.touch(scratch());
                var _ = wait.result();
            }
        } catch (UnixControlException | OpenFlowException failed) {
            closeControl();
            throw notProven(failed);
        }
    }

    private UnixControl control() throws UnixControlException {
        UnixControl open = control;
        if (open == null || !open.isOpen()) {
            open = UnixControl.open(bridge.controlSocket(), bridge.limit());
            control = open;
        }
        return open;
    }

    private Flow scratch() {
        return new Flow(new FlowKey(SCRATCH_TABLE, 0, Match.of()), owner.value(), List.of());
    }

    private DatapathException notProven(Exception cause) {
        return new DatapathException(
                DatapathException.Outcome.UNKNOWN,
                "bridge " + bridge.name() + ": the change is committed, but not proven active: " + cause.getMessage(),
                cause);
    }

    private OpenFlowConnection connect() throws OpenFlowException {
        OpenFlowConnection open = connection;
        if (open != null && open.isOpen()) {
            return open;
        }
        if (open != null) {
            LOG.warn("bridge {}: connection lost", bridge.name());
            open.close();
        }
        connection = null;
        closeControl();
        open = client.connect(bridge.managementSocket());
        open.answerPackets(this::answer);
        connection = open;
        LOG.info("bridge {}: connected to {} with OpenFlow 1.5", bridge.name(), bridge.managementSocket());
        if (closed) {
            open.close();
        }
        return open;
    }

    private void closeControl() {
        UnixControl open = control;
        if (open != null) {
            open.close();
        }
        control = null;
    }

    private DatapathException failure(String verb, OpenFlowException failed) {
        DatapathException.Outcome outcome = switch (failed.kind()) {
            case REFUSED -> DatapathException.Outcome.REFUSED;
            case UNREACHABLE, TIMEOUT, PROTOCOL ->
                failed.maybeApplied() ? DatapathException.Outcome.UNKNOWN : DatapathException.Outcome.UNREACHABLE;
        };
        String message = "cannot " + verb + " bridge " + bridge.name() + " ("
                + outcome.name().toLowerCase(Locale.ROOT) + "): " + failed.getMessage();
        return new DatapathException(outcome, message, failed);
    }

    private void lock() throws DatapathException {
        try {
            if (!oneCaller.tryLock(bridge.limit().toNanos(), TimeUnit.NANOSECONDS)) {
                throw new DatapathException(
                        DatapathException.Outcome.UNREACHABLE,
                        "bridge " + bridge.name() + " was busy with another call for "
                                + bridge.limit().toMillis() + " ms");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new DatapathException(
                    DatapathException.Outcome.UNREACHABLE, "the call was interrupted while it waited", interrupted);
        }
        if (closed) {
            oneCaller.unlock();
            throw new DatapathException(
                    DatapathException.Outcome.UNREACHABLE, "bridge " + bridge.name() + ": this datapath was closed");
        }
    }

    @Override
    public Fingerprint fingerprint(MacAddress source, MacAddress destination) throws DatapathException {
        return fingerprint(source, destination, Corpus.FINGERPRINT_TUPLES);
    }

    /**
     * Returns what the switch's hashes give for some more or some less of the corpus.
     *
     * @param count number of tuples
     * @throws DatapathException if the switch could not be asked
     */
    public Fingerprint fingerprint(MacAddress source, MacAddress destination, int count) throws DatapathException {
        return new SlotProbe(bridge, source, destination).fingerprint(count);
    }

    @Override
    public boolean connected() {
        OpenFlowConnection open = connection;
        return open != null && open.isAlive();
    }

    @Override
    public long flowModsSent() {
        return client.flowModsSent();
    }

    /** Returns the number of changes by others that the switch spoke of. */
    public long foreignChanges() {
        return client.foreignChanges();
    }

    /** Returns the number of packets that were answered with a refusal, because no member is left. */
    public long rejections() {
        return rejections.sum();
    }

    /** Returns the number of connections given up because of bytes that were no OpenFlow 1.5. */
    public long protocolErrors() {
        return client.protocolErrors();
    }

    @Override
    public void close() {
        closed = true;
        OpenFlowConnection open = connection;
        if (open != null) {
            open.close();
        }
        closeControl();
        client.close();
    }
}
