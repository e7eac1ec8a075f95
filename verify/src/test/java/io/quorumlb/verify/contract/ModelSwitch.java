package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.install.DatapathException.Outcome;
import io.quorumlb.ovs.pipeline.Cookie;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * A model of a switch and of the connection to it, for one thread. Calls take no time; a test that wants them slow makes
 * them later. {@link #forward} sends a packet through the flows.
 *
 * <p>Flows keep OpenFlow's rules: a change is made whole or not at all, deletes first; adding replaces the flow of the
 * same key whoever owns it: its age begins anew, its counters go on; a delete by us spares flows with a foreign cookie; a flow that
 * matches or writes what its packets need not have, or goes backwards, is refused, and so is one too many.
 *
 * <p>What differs from Open vSwitch: counters are up to date at once; of flows with one priority the one with the lower key
 * wins, where OpenFlow leaves it open; timeouts of flows do not pass; actions and matches that this program never
 * writes are not known.
 */
public final class ModelSwitch implements Datapath {
    /** How the next change fails. */
    public enum Failure {
        /** The switch refuses it: nothing has changed. */
        REFUSED,
        /** The connection breaks before it is sent: nothing has changed. */
        UNREACHABLE,
        /** The connection breaks, the change is made. */
        UNKNOWN_MADE,
        /** The connection breaks, the change is not made. */
        UNKNOWN_NOT_MADE
    }

    private static final class Held {
        private final Flow flow;
        private final long sinceNanos;
        private long packets;
        private long bytes;

        private Held(Flow flow, long sinceNanos, Optional<Held> before) {
            this.flow = flow;
            this.sinceNanos = sinceNanos;
            packets = before.map(held -> held.packets).orElse(0L);
            bytes = before.map(held -> held.bytes).orElse(0L);
        }
    }

    private static final int PACKET_BYTES = 60;

    private final CookieOwner owner;
    private final LongSupplier nowNanos;
    private final Map<String, SwitchPort> ports = new TreeMap<>();
    private final NavigableMap<FlowKey, Held> flows = new TreeMap<>();
    private final SortedMap<Integer, Group> groups = new TreeMap<>();
    private final Map<Integer, Integer> limits = new TreeMap<>();
    private final Map<Integer, Long> packetsOut = new TreeMap<>();
    private final Deque<Failure> failures = new ArrayDeque<>();
    private final Connection first = new Connection();
    private Optional<Classifier> classifier = Optional.empty();
    private boolean runs = true;
    private boolean reachable = true;
    /** Grows with every break of all connections. */
    private long life;

    private long version;

    /**
     * Makes a running switch without flows.
     *
     * @param owner which cookies are ours
     * @param nowNanos the clock that flows age by
     * @param ports all ports of the switch
     */
    public ModelSwitch(CookieOwner owner, LongSupplier nowNanos, Collection<SwitchPort> ports) {
        this.owner = owner;
        this.nowNanos = nowNanos;
        ports.forEach(port -> this.ports.put(port.name(), port));
    }

    /** What the model's hashes give: they are the formulas'. */
    private Fingerprint fingerprint = Fingerprint.predicted();

    // ---- the port: one connection of its own, and more on demand ----

    /** A connection of one controller. */
    private final class Connection implements Datapath {
        private long contact = -1;
        private long whole = -1;
        private long sent;
        private boolean closed;

        @Override
        public SwitchSnapshot readBack() throws DatapathException {
            connect("read");
            whole = contact;
            return snapshot();
        }

        @Override
        public SwitchSnapshot readBack(SortedSet<Integer> pools) throws DatapathException {
            connect("read");
            if (whole != contact) {
                throw new DatapathException(
                        Outcome.UNREACHABLE, "the connection is new, all of the switch must be read first");
            }
            SwitchSnapshot snapshot = snapshot();
            FlowMap<InstalledFlow> own = snapshot.own()
                    .filtered(held -> pools.contains(Cookie.pool(held.flow().cookie())));
            return new SwitchSnapshot(own, List.of(), snapshot.ports(), snapshot.groups());
        }

        @Override
        public void install(FlowDelta delta) throws DatapathException {
            if (delta.isEmpty()) {
                return;
            }
            connect("change");
            Optional<Failure> failure = Optional.ofNullable(failures.poll());
            if (failure.equals(Optional.of(Failure.UNREACHABLE))) {
                contact = -1;
                whole = -1;
                throw new DatapathException(Outcome.UNREACHABLE, "the connection broke");
            }
            sent += delta.size();
            if (failure.equals(Optional.of(Failure.REFUSED))) {
                throw new DatapathException(Outcome.REFUSED, "the switch refused the change");
            }
            if (!failure.equals(Optional.of(Failure.UNKNOWN_NOT_MADE))) {
                change(delta);
            }
            if (failure.isPresent()) {
                contact = -1;
                whole = -1;
                throw new DatapathException(Outcome.UNKNOWN, "the switch did not answer the commit");
            }
        }

        @Override
        public Fingerprint fingerprint(MacAddress source, MacAddress destination) throws DatapathException {
            connect("ask");
            return fingerprint;
        }

        @Override
        public void packetOut(int port, byte[] frame) throws DatapathException {
            connect("send a frame through");
            packetsOut.merge(port, 1L, Long::sum);
        }

        private void connect(String verb) throws DatapathException {
            if (closed || !runs || !reachable) {
                contact = -1;
                whole = -1;
                throw new DatapathException(
                        Outcome.UNREACHABLE,
                        closed ? "this datapath was closed" : "cannot %s the switch: no answer".formatted(verb));
            }
            contact = life;
        }

        @Override
        public boolean connected() {
            return contact == life && runs && reachable && !closed;
        }

        @Override
        public long flowModsSent() {
            return sent;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Returns a new connection, as a restarted controller opens it; the others stay. */
    public Datapath another() {
        return new Connection();
    }

    @Override
    public SwitchSnapshot readBack() throws DatapathException {
        return first.readBack();
    }

    @Override
    public SwitchSnapshot readBack(SortedSet<Integer> pools) throws DatapathException {
        return first.readBack(pools);
    }

    @Override
    public void install(FlowDelta delta) throws DatapathException {
        first.install(delta);
    }

    @Override
    public Fingerprint fingerprint(MacAddress source, MacAddress destination) throws DatapathException {
        return first.fingerprint(source, destination);
    }

    @Override
    public void packetOut(int port, byte[] frame) throws DatapathException {
        first.packetOut(port, frame);
    }

    /** Returns how many frames controllers have sent out of the port. */
    public long packetsOut(int port) {
        return packetsOut.getOrDefault(port, 0L);
    }

    @Override
    public boolean connected() {
        return first.connected();
    }

    @Override
    public long flowModsSent() {
        return first.flowModsSent();
    }

    @Override
    public void close() {
        first.close();
    }

    private SwitchSnapshot snapshot() {
        var own = new TreeMap<FlowKey, InstalledFlow>();
        var foreign = new ArrayList<InstalledFlow>();
        flows.forEach((key, held) -> {
            if (owner.owns(held.flow.cookie())) {
                own.put(key, installed(held));
            } else {
                foreign.add(installed(held));
            }
        });
        return new SwitchSnapshot(FlowMap.of(own), foreign, new TreeMap<>(ports), groups);
    }

    private InstalledFlow installed(Held held) {
        return new InstalledFlow(
                held.flow, held.packets, held.bytes, Duration.ofNanos(nowNanos.getAsLong() - held.sinceNanos));
    }

    private void change(FlowDelta delta) throws DatapathException {
        for (Flow flow : delta.add()) {
            Optional<String> refusal = FlowRules.refusal(flow);
            if (refusal.isPresent()) {
                throw refused(refusal.get(), flow);
            }
        }
        var after = new TreeMap<>(flows);
        for (FlowKey key : delta.delete()) {
            Held held = after.get(key);
            if (held != null && owner.owns(held.flow.cookie())) {
                after.remove(key);
            }
        }
        for (Flow flow : delta.add()) {
            after.put(flow.key(), added(flow, after));
            if (tooMany(after.keySet(), flow.key().table())) {
                throw refused("FLOW_MOD_FAILED/OFPFMFC_TABLE_FULL", flow);
            }
        }
        delta.putGroups().forEach(group -> groups.put(group.id(), group));
        delta.deleteGroups().forEach(groups::remove);
        flows.clear();
        flows.putAll(after);
        changed();
    }

    private boolean tooMany(Collection<FlowKey> keys, int table) {
        Integer most = limits.get(table);
        return most != null && keys.stream().filter(key -> key.table() == table).count() > most;
    }

    private static DatapathException refused(String error, Flow flow) {
        return new DatapathException(Outcome.REFUSED, "the switch refused flow %s: %s".formatted(flow, error));
    }

    // ---- what befalls it ----

    /** Lets the next changes fail so; empty changes do not count. */
    public void failNext(int times, Failure failure) {
        for (int i = 0; i < times; i++) {
            failures.add(failure);
        }
    }

    /** Cuts all connections to the switch, which goes on forwarding. */
    public void cut() {
        reachable = false;
        life++;
    }

    /** Undoes {@link #cut}; the next call connects. */
    public void mend() {
        reachable = true;
    }

    /** Ends the switch: flows are gone and nothing is forwarded. */
    public void stop() {
        runs = false;
        life++;
        flows.clear();
        groups.clear();
        changed();
    }

    /** Starts the switch again, empty. */
    public void start() {
        runs = true;
    }

    /** Ends the switch and starts it again, empty. */
    public void restart() {
        stop();
        start();
    }

    /** Refuses more flows than this in a table; what is there stays. */
    public void limit(int table, int mostFlows) {
        limits.put(table, mostFlows);
    }

    /** Undoes every {@link #limit}. */
    public void unlimited() {
        limits.clear();
    }

    /** Adds a flow, or replaces the one of the same key, as somebody else with any cookie. */
    public void put(Flow flow) {
        FlowRules.refusal(flow).ifPresent(error -> {
            throw new IllegalArgumentException("%s: %s".formatted(flow, error));
        });
        flows.put(flow.key(), added(flow, flows));
        changed();
    }

    private Held added(Flow flow, Map<FlowKey, Held> among) {
        return new Held(flow, nowNanos.getAsLong(), Optional.ofNullable(among.get(flow.key())));
    }

    /** Removes a flow, as somebody else; returns whether it was there. */
    public boolean remove(FlowKey key) {
        boolean there = flows.remove(key) != null;
        changed();
        return there;
    }

    /** Changes what a flow does, as somebody else; key and counters stay. Returns whether it was there. */
    public boolean alter(FlowKey key, UnaryOperator<Flow> change) {
        Held held = flows.get(key);
        if (held == null) {
            return false;
        }
        Flow altered = change.apply(held.flow);
        if (!altered.key().equals(key)) {
            throw new IllegalArgumentException("the key of %s must stay, is %s".formatted(key, altered.key()));
        }
        flows.put(key, new Held(altered, held.sinceNanos, Optional.of(held)));
        changed();
        return true;
    }

    /** Makes its hashes give something else, as another build of the switch would; what it forwards stays. */
    public void hashesGive(Fingerprint other) {
        fingerprint = other;
    }

    /** Deletes a group, as somebody else; flows that use it go as well. Returns whether it was there. */
    public boolean removeGroup(int id) {
        boolean there = groups.remove(id) != null;
        flows.values()
                .removeIf(held -> held.flow.instructions().stream()
                        .anyMatch(instruction -> instruction instanceof Instruction.ApplyActions(var actions)
                                && actions.contains(new Action.ToGroup(id))));
        changed();
        return there;
    }

    /** Adds a port or gives it another number or address. */
    public void port(SwitchPort port) {
        ports.put(port.name(), port);
    }

    // ---- what it does ----

    /** Returns all flows of everybody, in the order of their keys. */
    public List<Flow> flows() {
        return flows.values().stream().map(held -> held.flow).toList();
    }

    /** Returns a number that grows with every change of the flows. */
    public long version() {
        return version;
    }

    /** Sends a packet through the flows and counts it. */
    public Verdict forward(Packet packet) {
        return forward(packet, key -> {
            Held held = flows.get(key);
            if (held != null) {
                held.packets++;
                held.bytes += PACKET_BYTES;
            }
        });
    }

    /** Returns what would become of a packet; counts nothing. */
    public Verdict trace(Packet packet) {
        return forward(packet, _ -> {});
    }

    private Verdict forward(Packet packet, Consumer<FlowKey> met) {
        return runs ? classifier().forward(packet, met) : new Verdict.Dropped(0, Verdict.Cause.NO_SWITCH, List.of());
    }

    private Classifier classifier() {
        Classifier ready = classifier.orElseGet(() -> new Classifier(flows(), groups, this::portExists));
        classifier = Optional.of(ready);
        return ready;
    }

    private boolean portExists(int number) {
        return ports.values().stream().anyMatch(port -> port.number() == number);
    }

    private void changed() {
        version++;
        classifier = Optional.empty();
    }
}
