package io.quorumlb.verify.sim;

import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.DatapathException;
import io.quorumlb.ovs.packet.AddressFrame;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.SlotSets;
import io.quorumlb.verify.contract.ModelSwitch;
import io.quorumlb.verify.contract.Packet;
import io.quorumlb.verify.contract.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A node's switch: the model, reached with delays, with all that befalls it. */
final class SimSwitch {
    /** Longest time of one call. */
    static final Duration CALL_MAX = Duration.ofMillis(3_200);

    private static final Duration NOTICE = Duration.ofMillis(1);

    private static final int FOREIGN_TABLE = 60;
    private static final long FOREIGN_COOKIE = 0xf00dL;

    /** Packets to send through it. */
    final Corpus corpus;

    private final World world;
    private final SimNode node;
    private final Dice dice;
    private final ModelSwitch model;
    private final List<Flow> foreign = new ArrayList<>();
    private Duration slowness = Duration.ZERO;
    private int cuts;
    private int stops;
    private int freezes;
    private boolean touched = true;
    private long ownTrafficVersion = -1;
    private final List<String> ownTraffic = new ArrayList<>();
    private long ownersVersion = -1;
    private SortedMap<Integer, List<Integer>> owners = new TreeMap<>();
    private SortedMap<Integer, List<Integer>> ownersRead = new TreeMap<>();
    private long troubleAt;

    SimSwitch(World world, SimNode node, Dice dice) {
        this.world = world;
        this.node = node;
        this.dice = dice;
        this.corpus = new Corpus(node.id, this);
        this.model = new ModelSwitch(
                new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK),
                world.scheduler::nowNanos,
                SimSite.ports(node.id).values());
    }

    /** Reads the switch after a while; the answer comes after another. */
    void read(Consumer<NodeEvent> answer) {
        call(answer, () -> {
            try {
                SwitchSnapshot snapshot = model.readBack();
                touched = false;
                SortedMap<Integer, List<Integer>> held = owners();
                return () -> {
                    ownersRead = held;
                    return new NodeEvent.SwitchRead(snapshot, model.flowModsSent());
                };
            } catch (DatapathException e) {
                return () -> new NodeEvent.SwitchFailed(e.getMessage());
            }
        });
    }

    /** Reads some pools after a while; the answer comes after another. */
    void read(SortedSet<Integer> pools, Consumer<NodeEvent> answer) {
        call(answer, () -> {
            try {
                SwitchSnapshot part = model.readBack(pools);
                SortedMap<Integer, List<Integer>> held = new TreeMap<>(owners());
                return () -> {
                    SortedMap<Integer, List<Integer>> known = new TreeMap<>(ownersRead);
                    known.keySet().removeIf(set -> pools.contains(SlotSets.poolOf(set)));
                    held.forEach((set, owners) -> {
                        if (pools.contains(SlotSets.poolOf(set))) {
                            known.put(set, owners);
                        }
                    });
                    ownersRead = known;
                    return new NodeEvent.PoolsRead(pools, part, model.flowModsSent());
                };
            } catch (DatapathException e) {
                return () -> new NodeEvent.SwitchFailed(e.getMessage());
            }
        });
    }

    /** Changes the switch after a while; the answer comes after another. */
    void change(FlowDelta delta, Consumer<NodeEvent> answer) {
        call(answer, () -> {
            try {
                var before = new SwitchChecks.Change(owners(), world.checks.switches.sample(node));
                long version = model.version();
                try {
                    model.install(world.mischief.bundle(delta));
                } finally {
                    if (model.version() != version) {
                        world.checks.switches.changed(node, before, touched);
                    }
                }
                return NodeEvent.SwitchChanged::new;
            } catch (DatapathException e) {
                return () -> new NodeEvent.SwitchFailed(e.getMessage());
            }
        });
    }

    /** Asks for the fingerprint after a while; the answer comes after another. */
    void fingerprint(NodeEffect.TakeFingerprint take, Consumer<NodeEvent> answer) {
        call(answer, () -> {
            try {
                Fingerprint found = model.fingerprint(take.source(), take.destination());
                return () -> new NodeEvent.FingerprintTaken(take.number(), found);
            } catch (DatapathException e) {
                return () -> new NodeEvent.FingerprintFailed(take.number(), e.getMessage());
            }
        });
    }

    /** Sends frames after a while; nothing answers. */
    void send(NodeEffect.SendFrames send) {
        call(_ -> {}, () -> {
            for (AddressFrame frame : send.frames()) {
                try {
                    model.packetOut(send.port(), frame.bytes());
                } catch (DatapathException _) {
                    // Sent again later.
                }
            }
            return NodeEvent.Tick::new;
        });
    }

    private void call(Consumer<NodeEvent> answer, Supplier<Supplier<NodeEvent>> work) {
        int life = node.life();
        world.scheduler.after(delay(), () -> {
            if (freezes > 0) {
                // The request waits in the socket until the switch runs again.
                call(answer, work);
                return;
            }
            // What a controller that has died meanwhile had not yet committed goes with its connection.
            if (node.life() == life && node.running()) {
                Supplier<NodeEvent> result = work.get();
                world.scheduler.after(delay(), () -> answer.accept(result.get()));
            }
        });
    }

    private Duration delay() {
        return dice.between(Duration.ofNanos(200_000), Duration.ofMillis(4))
                .plus(dice.between(Duration.ZERO, slowness));
    }

    /** Returns the owners of the slots by pool, as the switch holds them now. */
    SortedMap<Integer, List<Integer>> owners() {
        if (ownersVersion != model.version()) {
            ownersVersion = model.version();
            owners = SlotOwners.of(model.flows(), world.settings.slots());
        }
        return owners;
    }

    /** Returns the owners of the slots as the controller has read them last. */
    SortedMap<Integer, List<Integer>> ownersRead() {
        return ownersRead;
    }

    List<Flow> flows() {
        return model.flows();
    }

    Verdict trace(Packet packet) {
        return model.trace(packet);
    }

    /** Returns true if the node's probes to the segment leave and come back. */
    boolean carriesOwnTraffic(String segment) {
        if (stops > 0 || freezes > 0) {
            return false;
        }
        if (ownTrafficVersion != model.version()) {
            ownTrafficVersion = model.version();
            ownTraffic.clear();
            SimSite.SEGMENTS.stream().filter(this::passes).forEach(ownTraffic::add);
        }
        return ownTraffic.contains(segment);
    }

    private boolean passes(String segment) {
        int port = SimSite.port(segment);
        int internal = SimSite.internal(segment);
        var mac = SimSite.ownMac(node.id, segment);
        var own = SimSite.own(node.id, segment);
        var there = SimSite.key(SimSite.hostIn(segment)).ipv4().orElseThrow();
        Packet out = Packet.tcp(internal, mac, world.hosts.mac(SimSite.hostIn(segment)), own, 40_000, there, 8080);
        Packet back = Packet.tcp(port, world.hosts.mac(SimSite.hostIn(segment)), mac, there, 8080, own, 40_000);
        return leavesBy(out, port) && leavesBy(back, internal);
    }

    private boolean leavesBy(Packet packet, int port) {
        return model.trace(packet) instanceof Verdict.Sent sent && sent.first().port() == port;
    }

    // ---- what befalls it ----

    private void trouble() {
        troubleAt = world.now();
    }

    /** Returns how long nothing has been wrong with it. */
    Duration soundFor() {
        return cuts > 0 || stops > 0 || freezes > 0 || slowness.isPositive()
                ? Duration.ZERO
                : Duration.ofNanos(world.now() - troubleAt);
    }

    void cut() {
        tell(new NodeEvent.SwitchLost("the connection was cut"));
        cuts++;
        model.cut();
    }

    /** Says something unasked, if there is a connection to say it on. */
    private void tell(NodeEvent event) {
        int life = node.life();
        if (cuts == 0 && stops == 0) {
            world.scheduler.after(NOTICE, () -> node.deliver(life, event));
        }
    }

    void mend() {
        trouble();
        cuts--;
        if (cuts == 0) {
            model.mend();
        }
    }

    void stop() {
        tell(new NodeEvent.SwitchLost("the switch closed the connection"));
        stops++;
        touched = true;
        foreign.clear();
        model.stop();
    }

    void start() {
        trouble();
        stops--;
        touched = true;
        if (stops == 0) {
            model.start();
        }
    }

    void freeze() {
        freezes++;
    }

    void thaw() {
        trouble();
        freezes--;
    }

    void slow(Duration most) {
        trouble();
        slowness = most;
    }

    void failNext(int times) {
        trouble();
        model.failNext(times, dice.pick(List.of(ModelSwitch.Failure.values())));
    }

    void addForeign() {
        if (stops > 0) {
            return;
        }
        for (int i = 0; i < 3; i++) {
            var flow =
                    new Flow(new FlowKey(FOREIGN_TABLE, 100 + dice.below(1000), Match.of()), FOREIGN_COOKIE, List.of());
            foreign.removeIf(other -> other.key().equals(flow.key()));
            foreign.add(flow);
            model.put(flow);
        }
        tell(new NodeEvent.SwitchTouched());
    }

    void removeForeign() {
        foreign.forEach(flow -> model.remove(flow.key()));
        foreign.clear();
        tell(new NodeEvent.SwitchTouched());
    }

    List<Flow> foreign() {
        return foreign;
    }

    /** Somebody deletes or bends some of our flows, under our cookie. */
    void alter(int count) {
        trouble();
        touched = true;
        List<Flow> own = model.flows().stream()
                .filter(flow -> (flow.cookie() & Cookie.OWNER_MASK) == Cookie.OWNER)
                .toList();
        for (int i = 0; i < count && !own.isEmpty(); i++) {
            Flow flow = dice.pick(own);
            if (dice.percent(50)) {
                model.remove(flow.key());
            } else {
                model.alter(flow.key(), this::bent);
            }
        }
        tell(new NodeEvent.SwitchTouched());
    }

    private Flow bent(Flow flow) {
        List<Instruction> bent = new ArrayList<>();
        for (Instruction instruction : flow.instructions()) {
            bent.add(
                    instruction instanceof Instruction.ApplyActions(List<Action> actions)
                            ? bent(actions)
                            : instruction);
        }
        return new Flow(flow.key(), flow.cookie(), bent);
    }

    private Instruction bent(List<Action> actions) {
        return new Instruction.ApplyActions(actions.stream()
                .<Action>map(action -> action instanceof Action.SetField set && set.field() == Field.REG2
                        ? new Action.SetField(Field.REG2, 1 + dice.below(5))
                        : action)
                .toList());
    }

    Optional<String> lostForeign() {
        List<Flow> held = model.flows();
        return foreign.stream()
                .filter(flow -> !held.contains(flow))
                .map(Flow::toString)
                .findFirst();
    }
}
