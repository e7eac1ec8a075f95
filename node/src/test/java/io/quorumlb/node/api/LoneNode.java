package io.quorumlb.node.api;

import io.grpc.InsecureServerCredentials;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.InterfaceAddress;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NetworkView;
import io.quorumlb.node.core.NodeEffect;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.ProbeResult;
import io.quorumlb.node.gossip.HandLog;
import io.quorumlb.node.gossip.PeerEndpoint;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.gossip.PeerTally;
import io.quorumlb.node.shell.Inbox;
import io.quorumlb.node.shell.NodeLoop;
import io.quorumlb.node.shell.PacketTracing;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.node.wire.TraceCodec;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.PacketPath;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TracedPacket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A node with the real loop, core, servers and state machine, without real neighbours: its log commits at once, its
 * switch is a map, its members answer as told.
 */
final class LoneNode implements AutoCloseable {
    static final NodeId N1 = new NodeId("n1");
    static final NodeId N2 = new NodeId("n2");
    static final NodeId N3 = new NodeId("n3");
    private static final MacAddress MAC = MacAddress.parse("02:00:00:00:00:01");
    private static final Ipv4Address NEXT_HOP = Ipv4Address.parse("10.10.0.1");

    final HandLog log = new HandLog();
    final StateWatch watch;
    final ChangeJournal journal = new ChangeJournal();
    final ApiServer server;
    final ManagedChannel channel;
    volatile boolean membersAnswer = true;

    /** What its switch does with a packet. */
    volatile PacketTracing.Question question = PacketPath::predicted;

    /** What it finds around itself. */
    volatile Examination examination = Examination.newBuilder()
            .setNode("n1")
            .setAnswered(true)
            .setWallMillis(System.currentTimeMillis())
            .build();

    final PeerLinks links;
    final ControlEndpoint control;
    private final PacketTracing tracing;
    private final Inbox inbox = new Inbox();
    private final Thread loop;
    private final SortedMap<FlowKey, InstalledFlow> flows = new TreeMap<>();
    private final SortedMap<Integer, Group> groups = new TreeMap<>();
    private ClusterState cluster = ClusterState.empty();
    private long index;

    private LoneNode(List<NodeId> voters, SortedMap<NodeId, InetSocketAddress> peers) throws IOException {
        NodeSettings settings = settings(voters);
        watch = new StateWatch(NodeState.initial(settings, new MonotonicTime(System.nanoTime())));
        tracing = new PacketTracing(watch, (intent, tuple) -> question.ask(intent, tuple));
        log.answer(this::commit);
        PeerTally tally = new PeerTally();
        links = new PeerLinks(settings, peers, tally);
        control = new ControlEndpoint(
                watch, log, links, journal, this::traced, List::of, () -> examination, System::nanoTime);
        server = ApiServer.start(
                new ApiServer.Addresses(InetAddress.ofLiteral("127.0.0.3"), 0, 0),
                open(control),
                new PeerEndpoint(
                        settings,
                        (_, _) -> {},
                        log,
                        _ -> NodeCounters.getDefaultInstance(),
                        _ -> NodeTrace.getDefaultInstance(),
                        _ -> NodeProbes.getDefaultInstance(),
                        List::of,
                        () -> examination,
                        tally),
                watch,
                NodeState::ready);
        loop = Thread.ofVirtual().start(this::run);
        channel = NettyChannelBuilder.forAddress(
                        new InetSocketAddress(InetAddress.ofLiteral("127.0.0.3"), server.apiPort()))
                .usePlaintext()
                .build();
    }

    /** Clients without TLS, who may do everything. */
    static ApiServer.Clients open(ControlEndpoint control) {
        return new ApiServer.Clients(
                control.bindService(), InsecureServerCredentials.create(), ApiServer.Reach.CONTROL_AND_LOOPBACK);
    }

    /** A cluster of one: it is its own majority. */
    static LoneNode leading() throws IOException {
        LoneNode node = new LoneNode(List.of(N1), new TreeMap<>());
        node.inbox.deliver(new NodeEvent.LeadershipChanged(new Leadership.Leading(1)));
        return node;
    }

    /** One of three, of which it can reach those whose addresses are given. */
    static LoneNode ofThree(Leadership leadership, SortedMap<NodeId, InetSocketAddress> peers) throws IOException {
        LoneNode node = new LoneNode(List.of(N1, N2, N3), peers);
        node.inbox.deliver(new NodeEvent.LeadershipChanged(leadership));
        return node;
    }

    ControlServiceGrpc.ControlServiceBlockingStub api() {
        return ControlServiceGrpc.newBlockingStub(channel).withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    /** Tells the node who leads now. */
    void hear(Leadership leadership) {
        inbox.deliver(new NodeEvent.LeadershipChanged(leadership));
    }

    /** Applies the command as the cluster's log would. */
    synchronized ProposeOutcome commit(Command command) {
        Applied applied = StateMachine.apply(cluster, command);
        cluster = applied.state();
        index++;
        inbox.deliver(new NodeEvent.LogAdvanced(index, cluster));
        journal.advanced(index, cluster);
        return new ProposeOutcome.Committed(applied.outcome());
    }

    private NodeTrace traced(TracedPacket packet) {
        return TraceCodec.toWire(
                tracing.trace(TraceCodec.fromWire(packet)),
                watch.current().cluster().model());
    }

    private void run() {
        try {
            new NodeLoop(inbox, watch, this::perform, _ -> {}).run();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void perform(NodeEffect effect) {
        switch (effect) {
            case NodeEffect.Probe(var target) ->
                inbox.deliver(new NodeEvent.ProbeFinished(
                        target.memberId(),
                        target.number(),
                        new ProbeResult(membersAnswer, membersAnswer ? "200 in 1 ms" : "silent")));
            case NodeEffect.Propose(var command) -> {
                ProposeOutcome outcome = commit(command);
                inbox.deliver(new NodeEvent.ProposalFinished(command, outcome));
            }
            case NodeEffect.HandOver _ -> {
                // There is nobody else.
            }
            case NodeEffect.ReadBarrier _ -> inbox.deliver(new NodeEvent.BarrierFinished(true));
            case NodeEffect.ReadSwitch _ -> inbox.deliver(new NodeEvent.SwitchRead(snapshot(), 0));
            case NodeEffect.ReadPools(var pools) -> {
                FlowMap<InstalledFlow> own = snapshot()
                        .own()
                        .filtered(held -> pools.contains(Cookie.pool(held.flow().cookie())));
                inbox.deliver(new NodeEvent.PoolsRead(
                        pools,
                        new SwitchSnapshot(
                                own, List.of(), snapshot().ports(), snapshot().groups()),
                        0));
            }
            case NodeEffect.ChangeSwitch(FlowDelta delta) -> {
                delta.add().forEach(flow -> flows.put(flow.key(), new InstalledFlow(flow, 0, 0, Duration.ZERO)));
                delta.delete().forEach(flows::remove);
                delta.putGroups().forEach(group -> groups.put(group.id(), group));
                delta.deleteGroups().forEach(groups::remove);
                inbox.deliver(new NodeEvent.SwitchChanged());
            }
            case NodeEffect.TakeFingerprint(long number, var _, var _) ->
                inbox.deliver(new NodeEvent.FingerprintTaken(number, Fingerprint.predicted()));
            case NodeEffect.ReadNetwork _ -> inbox.deliver(new NodeEvent.NetworkRead(network()));
            case NodeEffect.Announce _ -> inbox.deliver(new NodeEvent.AnnouncementRead(true, ""));
            case NodeEffect.KeepAnnounced _, NodeEffect.RestoreAnnounced _ ->
                inbox.deliver(new NodeEvent.AnnouncementRead(false, ""));
            case NodeEffect.Withdraw _ -> inbox.deliver(new NodeEvent.AnnouncementRead(false, ""));
            case NodeEffect.Gossip _,
                    NodeEffect.Say _,
                    NodeEffect.SendFrames _,
                    NodeEffect.LookAtPath _,
                    NodeEffect.AskNeighbours _,
                    NodeEffect.CorrectNeighbour _ -> {
                // Nobody listens.
            }
        }
    }

    private SwitchSnapshot snapshot() {
        SortedMap<String, SwitchPort> ports = new TreeMap<>();
        for (String name : List.of("x-uplink", "uplink", "x-p2", "p2")) {
            ports.put(name, new SwitchPort(ports.size() + 1, name, MAC));
        }
        return new SwitchSnapshot(FlowMap.of(flows), List.of(), ports, groups);
    }

    private static NetworkView network() {
        SortedMap<String, InterfaceAddress> interfaces = new TreeMap<>();
        interfaces.put("uplink", new InterfaceAddress(Ipv4Address.parse("10.10.0.11"), MAC));
        interfaces.put("p2", new InterfaceAddress(Ipv4Address.parse("10.20.0.251"), MAC));
        SortedMap<String, SortedMap<IpAddress, MacAddress>> neighbours = new TreeMap<>();
        SortedMap<IpAddress, MacAddress> members = new TreeMap<>();
        members.put(Ipv4Address.parse("10.20.0.2"), MacAddress.parse("02:00:00:00:02:02"));
        members.put(Ipv4Address.parse("10.20.0.3"), MacAddress.parse("02:00:00:00:02:03"));
        neighbours.put("p2", members);
        SortedMap<IpAddress, MacAddress> routers = new TreeMap<>();
        routers.put(NEXT_HOP, MAC);
        neighbours.put("uplink", routers);
        return new NetworkView(interfaces, neighbours);
    }

    private static NodeSettings settings(List<NodeId> voters) {
        SortedMap<String, Attachment> segments = new TreeMap<>();
        segments.put("p2", new Attachment("x-p2", "p2"));
        return new NodeSettings(
                "site", N1, new TreeSet<>(voters), 1, new Attachment("x-uplink", "uplink"), NEXT_HOP, segments);
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.close();
        links.close();
        loop.interrupt();
    }
}
