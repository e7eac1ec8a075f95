package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.InterfaceAddress;
import io.quorumlb.node.core.NetworkView;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.core.ProbeTarget;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import io.quorumlb.ovs.packet.NeighbourSighting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The one place that knows each event and effect of the core: performs effects in the simulated world. */
final class CoreEdge {
    private static final Duration LOOK_TIMEOUT = Duration.ofMillis(300);

    private final World world;
    private final SimNode node;
    private final Dice dice;

    CoreEdge(World world, SimNode node, Dice dice) {
        this.world = world;
        this.node = node;
        this.dice = dice;
    }

    static NodeSettings settings(Settings settings, NodeId self, long incarnation) {
        SortedMap<String, Attachment> segments = new TreeMap<>();
        SimSite.SEGMENTS.forEach(name -> segments.put(name, new Attachment("x-" + name, name)));
        return new NodeSettings(
                "sim",
                self,
                new TreeSet<>(SimSite.nodes(settings.nodes())),
                incarnation,
                new Attachment("x-" + SimSite.UPLINK, SimSite.UPLINK),
                SimSite.ROUTER,
                segments);
    }

    /** Returns the state with other generations. */
    static ClusterState withHistory(
            ClusterState state, BiFunction<Integer, List<PoolGeneration>, List<PoolGeneration>> change) {
        SortedMap<Integer, List<PoolGeneration>> history = new TreeMap<>();
        state.history().forEach((pool, generations) -> history.put(pool, change.apply(pool, generations)));
        return new ClusterState(
                state.revision(),
                state.model(),
                state.lastIds(),
                IdMap.of(history),
                state.outOfService(),
                state.movedGateways(),
                state.emptySince(),
                state.slotFunction(),
                state.requests(),
                state.timers());
    }

    /** Returns the state as if no gateway had ever gone to another node. */
    static ClusterState withGatewaysAtHome(ClusterState state) {
        return new ClusterState(
                state.revision(),
                state.model(),
                state.lastIds(),
                state.history(),
                state.outOfService(),
                new TreeMap<>(),
                state.emptySince(),
                state.slotFunction(),
                state.requests(),
                state.timers());
    }

    static PoolGeneration with(PoolGeneration old, long number) {
        return new PoolGeneration(
                old.poolId(),
                number,
                old.revision(),
                old.algorithm(),
                old.slots(),
                old.members(),
                old.expected(),
                old.reason(),
                old.cause(),
                old.evidence(),
                old.settings());
    }

    static PoolGeneration with(PoolGeneration old, List<TableMember> members) {
        return new PoolGeneration(
                old.poolId(),
                old.number(),
                old.revision(),
                old.algorithm(),
                old.slots(),
                members,
                old.expected(),
                old.reason(),
                old.cause(),
                old.evidence(),
                old.settings());
    }

    static NodeEvent event(LogEvent event) {
        return switch (event) {
            case LogEvent.Advanced(long index, var state) -> new NodeEvent.LogAdvanced(index, state);
            case LogEvent.LeadershipChanged(var leadership) -> new NodeEvent.LeadershipChanged(leadership);
            case LogEvent.Failed(String reason) -> throw new IllegalStateException("the model's log failed: " + reason);
        };
    }

    void perform(NodeEffect effect) {
        switch (effect) {
            case NodeEffect.Probe(ProbeTarget target) -> probe(target);
            case NodeEffect.Gossip(NodeId to, var message) -> gossip(world.node(to), message);
            case NodeEffect.Propose(var command) -> propose(command);
            case NodeEffect.ReadBarrier _ -> barrier();
            case NodeEffect.HandOver(var to, String _) -> {
                var _ = node.log().handOver(to);
            }
            case NodeEffect.ReadSwitch _ -> node.ovs.read(answer());
            case NodeEffect.ReadPools(var pools) -> node.ovs.read(pools, answer());
            case NodeEffect.ChangeSwitch(var delta) -> node.ovs.change(delta, answer());
            case NodeEffect.TakeFingerprint take -> node.ovs.fingerprint(take, answer());
            case NodeEffect.SendFrames send -> node.ovs.send(send);
            case NodeEffect.LookAtPath look -> lookAtPath(look);
            case NodeEffect.ReadNetwork _ -> later(dice.millis(1, 5), new NodeEvent.NetworkRead(network()));
            case NodeEffect.AskNeighbours(var questions) -> ask(questions);
            case NodeEffect.CorrectNeighbour _ -> {
                // The model's kernel knows everybody at once.
            }
            case NodeEffect.Announce(var vips) -> announce(!vips.isEmpty());
            case NodeEffect.KeepAnnounced _, NodeEffect.RestoreAnnounced _ -> announce(node.announced());
            case NodeEffect.Withdraw _ -> announce(false);
            case NodeEffect.Say _ -> {
                // In the transcript.
            }
        }
    }

    private void later(Duration delay, NodeEvent event) {
        int life = node.life();
        world.scheduler.after(delay, () -> node.deliver(life, event));
    }

    private Consumer<NodeEvent> answer() {
        int life = node.life();
        return event -> node.deliver(life, event);
    }

    private void probe(ProbeTarget target) {
        int host = SimSite.host(target.key().ipv4().orElseThrow());
        Hosts.Answer found = node.ovs.carriesOwnTraffic(SimSite.segmentOf(host))
                ? world.hosts.probe(node.id, host, target.monitor())
                : Hosts.timeout(target.monitor());
        later(
                found.after(),
                new NodeEvent.ProbeFinished(
                        target.memberId(), target.number(), new ProbeResult(found.success(), found.detail())));
    }

    /** Stations answer at once, if the switch lets the question and the answer through. */
    private void ask(List<NeighbourQuestion> questions) {
        List<NeighbourSighting> answers = new ArrayList<>();
        for (NeighbourQuestion question : questions) {
            Optional.ofNullable(network().neighbours().get(question.interfaceName()))
                    .filter(_ -> node.ovs.carriesOwnTraffic(question.interfaceName()))
                    .flatMap(macs -> Optional.ofNullable(macs.get(question.target())))
                    .ifPresent(mac -> answers.add(new NeighbourSighting(
                            question.interfaceName(), question.target(), mac, NeighbourSighting.Origin.NETWORK)));
        }
        if (!answers.isEmpty()) {
            later(dice.millis(1, 5), new NodeEvent.NeighboursHeard(answers));
        }
    }

    private void lookAtPath(NodeEffect.LookAtPath look) {
        SimNode other = world.node(look.node());
        boolean answers = SimSite.SEGMENTS.stream()
                .filter(segment -> SimSite.own(other.id, segment).equals(look.target()))
                .anyMatch(segment -> node.ovs.carriesOwnTraffic(segment) && other.ovs.carriesOwnTraffic(segment));
        later(answers ? dice.millis(1, 5) : LOOK_TIMEOUT, new NodeEvent.PathLooked(look.node(), answers));
    }

    private void gossip(SimNode peer, GossipMessage message) {
        world.gossip
                .delays(node.id, peer.id)
                .forEach(delay -> world.scheduler.after(
                        delay, () -> peer.deliver(peer.life(), new NodeEvent.GossipReceived(node.id, message))));
    }

    private void propose(Command command) {
        int life = node.life();
        // Virtual time is the same for all: the wall clock of the node's machine.
        Command timed = command instanceof Command.PassTime pass
                ? pass.atLeast(Duration.ofNanos(world.now()).toMillis())
                : command;
        var _ = node.log()
                .propose(timed)
                .thenAccept(outcome -> node.deliver(life, new NodeEvent.ProposalFinished(command, outcome)));
    }

    private void barrier() {
        int life = node.life();
        var _ = node.log()
                .readBarrier()
                .thenAccept(passed -> node.deliver(life, new NodeEvent.BarrierFinished(passed)));
    }

    private void announce(boolean on) {
        int life = node.life();
        world.scheduler.after(dice.millis(1, 10), () -> {
            if (node.life() == life && node.running()) {
                node.routes(on);
                node.deliver(life, new NodeEvent.AnnouncementRead(on, ""));
            }
        });
    }

    private NetworkView network() {
        SortedMap<String, InterfaceAddress> interfaces = new TreeMap<>();
        SortedMap<String, SortedMap<IpAddress, MacAddress>> neighbours = new TreeMap<>();
        for (String network : List.of(SimSite.UPLINK, "p2", "p3")) {
            interfaces.put(
                    network, new InterfaceAddress(SimSite.own(node.id, network), SimSite.ownMac(node.id, network)));
            neighbours.put(network, new TreeMap<>());
        }
        var router = new TreeMap<IpAddress, MacAddress>();
        router.put(SimSite.ROUTER, SimSite.ROUTER_MAC);
        neighbours.put(SimSite.UPLINK, router);
        for (String segment : SimSite.SEGMENTS) {
            var known = new TreeMap<IpAddress, MacAddress>();
            for (int host = 1; host <= Settings.HOSTS_MAX; host++) {
                if (SimSite.segmentOf(host).equals(segment)) {
                    known.put(SimSite.key(host).ipv4().orElseThrow(), world.hosts.mac(host));
                }
            }
            neighbours.put(segment, known);
        }
        return new NetworkView(interfaces, neighbours);
    }
}
