package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/** Draws faults. */
final class Faults {
    private final World world;
    private final Dice dice;
    private final List<Supplier<Fault>> kinds;

    Faults(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
        this.kinds = some();
    }

    /** Returns any fault of the kinds that this world has. */
    Fault any() {
        return dice.pick(kinds).get();
    }

    /** Each world has only some kinds: what happens often together finds what a little of everything does not. */
    private List<Supplier<Fault>> some() {
        List<Supplier<Fault>> all = new ArrayList<>(List.of(
                this::partition,
                this::oneWay,
                () -> cutOff("log", true, false),
                () -> cutOff("gossip", false, true),
                () -> cutOff("log and gossip", true, true),
                this::slowLinks,
                this::lossyLinks,
                this::freeze,
                this::freeze,
                this::freezeMachine,
                this::kill,
                this::kill,
                this::wipe,
                this::deadHost,
                this::deadHost,
                this::frozenHost,
                this::flappingHost,
                this::slowHost,
                this::onlyFor,
                () -> unreachableFrom(host(), node().id),
                () -> unreachableFrom(host(), node().id),
                this::blindObserver,
                this::macChange,
                this::switchRestarts,
                this::switchGone,
                this::slowSwitch,
                this::switchFails,
                this::foreignFlows,
                this::alteredFlows));
        if (dice.percent(20)) {
            return all;
        }
        int count = (int) dice.between(2, 8);
        List<Supplier<Fault>> some = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            some.add(dice.pick(all));
        }
        return some;
    }

    private SimNode node() {
        return dice.pick(world.nodes());
    }

    private int host() {
        return (int) dice.between(1, dice.percent(80) ? world.settings.members() : Settings.HOSTS_MAX);
    }

    private Fault links(String name, boolean log, boolean gossip, Network.Trouble trouble) {
        return new Fault(
                name,
                () -> {
                    if (log) {
                        world.logLinks.add(trouble);
                    }
                    if (gossip) {
                        world.gossip.add(trouble);
                    }
                },
                () -> {
                    world.logLinks.remove(trouble);
                    world.gossip.remove(trouble);
                });
    }

    private static Network.Trouble cut(BiPredicate<NodeId, NodeId> hits) {
        return new Network.Trouble(hits, 100, Duration.ZERO, 0);
    }

    private Fault partition() {
        SortedSet<NodeId> side = new TreeSet<>();
        world.nodes().forEach(node -> {
            if (dice.percent(50)) {
                side.add(node.id);
            }
        });
        return links(
                "partition: %s from the others".formatted(side),
                true,
                dice.percent(70),
                cut((from, to) -> side.contains(from) != side.contains(to)));
    }

    private Fault cutOff(String what, boolean log, boolean gossip) {
        NodeId cut = node().id;
        return links(what + " of " + cut + " cut", log, gossip, cut((from, to) -> from.equals(cut) || to.equals(cut)));
    }

    private Fault oneWay() {
        NodeId source = node().id;
        NodeId target = node().id;
        boolean all = dice.percent(50);
        return links(
                "one way: nothing passes from %s to %s".formatted(source, all ? "anybody" : target),
                dice.percent(70),
                dice.percent(70),
                cut((from, to) -> from.equals(source) && (all || to.equals(target))));
    }

    private Fault slowLinks() {
        NodeId slow = node().id;
        Duration most = dice.millis(20, 400);
        return links(
                "links of %s slow, up to %d ms".formatted(slow, most.toMillis()),
                dice.percent(70),
                dice.percent(80),
                new Network.Trouble((from, to) -> from.equals(slow) || to.equals(slow), 0, most, 0));
    }

    private Fault lossyLinks() {
        int loss = (int) dice.between(5, 70);
        return links(
                "links lose %d %%, double and reorder".formatted(loss),
                dice.percent(50),
                true,
                new Network.Trouble((_, _) -> true, loss, dice.millis(0, 200), 20));
    }

    private Fault freeze() {
        SimNode node = node();
        return new Fault("freezes " + node.id, node::freeze, node::thaw);
    }

    /** Controller, switch and all. */
    private Fault freezeMachine() {
        SimNode node = node();
        return new Fault(
                "freezes " + node.id + " and its switch",
                () -> {
                    node.ovs.freeze();
                    node.freeze();
                },
                () -> {
                    node.ovs.thaw();
                    node.thaw();
                });
    }

    /** Nothing of what others say comes to the node; the log is not touched. */
    Fault deaf(NodeId node) {
        return links(node + " hears nobody", false, true, cut((_, to) -> to.equals(node)));
    }

    Fault unreachableFrom(int unreachable, NodeId node) {
        return host(
                "host %d cannot be reached from %s".formatted(unreachable, node),
                (from, host, monitor) -> from.equals(node) && host == unreachable
                        ? Optional.of(Hosts.timeout(monitor))
                        : Optional.empty());
    }

    Fault kills(SimNode node) {
        return new Fault("kills " + node.id, node::stop, node::start);
    }

    private Fault kill() {
        SimNode node = node();
        boolean step = dice.percent(20);
        Duration by = dice.between(Duration.ofHours(-2), Duration.ofHours(2));
        return new Fault("kills " + node.id, node::stop, () -> {
            if (step) {
                node.stepWallClock(by);
            }
            node.start();
        });
    }

    /** Not while others lack their disks: more than a minority of lost disks loses what was committed. */
    private Fault wipe() {
        SimNode node = node();
        return new Fault(
                "kills " + node.id + " and takes its disk",
                () -> {
                    node.stop();
                    if (world.log.allVote()) {
                        world.log.wipe(node);
                    }
                },
                node::start);
    }

    private Fault host(String name, Hosts.Trouble trouble) {
        return new Fault(name, () -> world.hosts.add(trouble), () -> world.hosts.remove(trouble));
    }

    private Fault deadHost() {
        return dead(host());
    }

    /** A node is killed, frozen, or cut off from the others. */
    Fault loses(SimNode node) {
        return switch (dice.below(3)) {
            case 0 -> kills(node);
            case 1 -> new Fault("freezes " + node.id, node::freeze, node::thaw);
            default ->
                links(
                        node.id + " is cut off",
                        true,
                        true,
                        cut((from, to) -> from.equals(node.id) || to.equals(node.id)));
        };
    }

    Fault dead(int dead) {
        boolean refuses = dice.percent(60);
        return host(
                "host %d is dead, %s".formatted(dead, refuses ? "refuses" : "silent"),
                (_, host, monitor) -> host == dead
                        ? Optional.of(refuses ? Hosts.refused() : Hosts.timeout(monitor))
                        : Optional.empty());
    }

    private Fault frozenHost() {
        SortedSet<Integer> frozen = new TreeSet<>(List.of(host(), host()));
        return host(
                "hosts %s are frozen".formatted(frozen),
                (_, host, monitor) -> frozen.contains(host) ? Optional.of(Hosts.timeout(monitor)) : Optional.empty());
    }

    private Fault flappingHost() {
        int flapping = host();
        long period = dice.millis(300, 4_000).toNanos();
        return host(
                "host %d flaps every %d ms".formatted(flapping, period / 1_000_000),
                (_, host, _) -> host == flapping && world.now() / period % 2 == 0
                        ? Optional.of(Hosts.refused())
                        : Optional.empty());
    }

    /** Latency around the timeout. */
    private Fault slowHost() {
        int slow = host();
        long most = dice.between(103, 130);
        return host("host %d is about as slow as its timeout".formatted(slow), (_, host, monitor) -> {
            if (host != slow) {
                return Optional.empty();
            }
            Duration latency =
                    monitor.timeout().multipliedBy(dice.between(80, most)).dividedBy(100);
            return Optional.of(
                    latency.compareTo(monitor.timeout()) >= 0
                            ? Hosts.timeout(monitor)
                            : new Hosts.Answer(latency, true, "200, slow"));
        });
    }

    private Fault onlyFor() {
        int shy = host();
        NodeId friend = node().id;
        return host(
                "host %d answers %s only".formatted(shy, friend),
                (from, host, monitor) ->
                        host == shy && !from.equals(friend) ? Optional.of(Hosts.timeout(monitor)) : Optional.empty());
    }

    Fault blindObserver() {
        List<NodeId> blind = new ArrayList<>(List.of(node().id));
        if (world.settings.kind() == Settings.Kind.ANYTHING && dice.percent(30)) {
            blind.add(node().id);
        }
        return blind(blind);
    }

    Fault blind(List<NodeId> blind) {
        return host(
                "%s cannot reach any host".formatted(blind),
                (from, _, monitor) -> blind.contains(from) ? Optional.of(Hosts.timeout(monitor)) : Optional.empty());
    }

    private Fault macChange() {
        int host = host();
        return Fault.once("another MAC address of host " + host, () -> world.hosts.changeMac(host));
    }

    private Fault switchRestarts() {
        SimNode node = node();
        return new Fault("switch of " + node.id + " restarts", node.ovs::stop, node.ovs::start);
    }

    private Fault switchGone() {
        SimNode node = node();
        return new Fault("switch of " + node.id + " cannot be reached", node.ovs::cut, node.ovs::mend);
    }

    private Fault slowSwitch() {
        SimNode node = node();
        Duration most = dice.millis(50, 1_500);
        return new Fault(
                "switch of %s answers up to %d ms late".formatted(node.id, most.toMillis()),
                () -> node.ovs.slow(most),
                () -> node.ovs.slow(Duration.ZERO));
    }

    private Fault switchFails() {
        SimNode node = node();
        int times = (int) dice.between(1, 5);
        return Fault.once(
                "the next %d changes of the switch of %s fail".formatted(times, node.id),
                () -> node.ovs.failNext(times));
    }

    private Fault foreignFlows() {
        SimNode node = node();
        return new Fault(
                "somebody puts flows into the switch of " + node.id, node.ovs::addForeign, node.ovs::removeForeign);
    }

    private Fault alteredFlows() {
        SimNode node = node();
        int count = (int) dice.between(1, 40);
        return Fault.once(
                "somebody alters %d of our flows in the switch of %s".formatted(count, node.id),
                () -> node.ovs.alter(count));
    }
}
