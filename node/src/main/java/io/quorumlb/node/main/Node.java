package io.quorumlb.node.main;

import io.grpc.ServerServiceDefinition;
import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.raft.RaftSettings;
import io.quorumlb.consensus.raft.RaftStartException;
import io.quorumlb.consensus.raft.RatisLog;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.access.Access;
import io.quorumlb.node.announce.BirdAnnouncer;
import io.quorumlb.node.api.ApiServer;
import io.quorumlb.node.api.ControlEndpoint;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.doctor.Doctor;
import io.quorumlb.node.gossip.PeerEndpoint;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.gossip.PeerTally;
import io.quorumlb.node.http.HttpEndpoint;
import io.quorumlb.node.http.Pages;
import io.quorumlb.node.json.JsonGateway;
import io.quorumlb.node.probe.PathLook;
import io.quorumlb.node.probe.Prober;
import io.quorumlb.node.shell.EffectPerformer;
import io.quorumlb.node.shell.Inbox;
import io.quorumlb.node.shell.NodeLoop;
import io.quorumlb.node.shell.PacketTracing;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.node.telemetry.NodeCounters;
import io.quorumlb.node.telemetry.NodeMeters;
import io.quorumlb.node.wire.CountersCodec;
import io.quorumlb.node.wire.ProbesCodec;
import io.quorumlb.node.wire.TraceCodec;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.DatapathForm;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.install.PacketTracer;
import io.quorumlb.ovs.neighbour.NeighbourWatch;
import io.quorumlb.ovs.openflow.SwitchWatcher;
import io.quorumlb.ovs.ovsdb.DatabaseClient;
import io.quorumlb.ovs.ovsdb.DatabaseWatcher;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TracedPacket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One node: puts the parts together and runs the loop on the calling thread. */
final class Node {
    private static final Logger LOG = LoggerFactory.getLogger("node");
    private static final Duration DATABASE_SILENCE_MAX = Duration.ofSeconds(10);
    private static final Ipv4Address LOOPBACK = Ipv4Address.parse("127.0.0.1");

    private final NodeConfiguration configuration;
    private final NodeSettings settings;
    private final Inbox inbox = new Inbox();
    private final PeerTally tally = new PeerTally();
    private final AtomicReference<String> logFailure = new AtomicReference<>("");
    private final Thread loopThread = Thread.currentThread();
    private final StateWatch watch;
    private final ChangeJournal journal = new ChangeJournal();

    private Node(NodeConfiguration configuration, long incarnation) {
        this.configuration = configuration;
        this.settings = configuration.settings(incarnation);
        this.watch = new StateWatch(NodeState.initial(settings, now()));
    }

    /**
     * Runs a node until its log fails.
     *
     * @param configuration checked
     * @param incarnation higher than at any earlier start of this node
     * @throws IOException saying in one sentence what keeps it from starting, or what ended it
     */
    static void run(NodeConfiguration configuration, long incarnation) throws IOException, InterruptedException {
        new Node(configuration, incarnation).run();
    }

    private void run() throws IOException, InterruptedException {
        var bridge =
                new OvsBridge(configuration.ovs().rundir(), configuration.ovs().bridge());
        try (var log = RatisLog.open(raftSettings(), this::fromLog);
                var links = new PeerLinks(settings, peerAddresses(), tally);
                var datapath = new OvsDatapath(
                        bridge,
                        new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK),
                        new SwitchWatcher(
                                () -> inbox.deliver(new NodeEvent.SwitchTouched()),
                                reason -> inbox.deliver(new NodeEvent.SwitchLost(reason))));
                var _ = DatabaseClient.open(
                        configuration.ovs().rundir().resolve("db.sock"),
                        configuration.ovs().bridge(),
                        DATABASE_SILENCE_MAX,
                        new DatabaseWatcher(
                                database -> inbox.deliver(new NodeEvent.DatabaseRead(database)),
                                reason -> inbox.deliver(new NodeEvent.DatabaseFailed(reason))));
                var access = Access.open(
                        configuration.access(),
                        settings.self(),
                        end -> inbox.deliver(new NodeEvent.CertificateSeen(end)));
                var doctor = Doctor.start(watch::current, places(access), InstantSource.system(), System::nanoTime);
                var _ = DataplaneCheck.start(configuration, bridge)) {
            run(log, links, datapath, access, new PacketTracing(watch, new PacketTracer(bridge)::trace), doctor);
        } catch (RaftStartException e) {
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            if (logFailure.get().isEmpty()) {
                throw e;
            }
            throw new IOException(logFailure.get(), e);
        }
    }

    private void run(
            GenerationLog log,
            PeerLinks links,
            OvsDatapath datapath,
            Access access,
            PacketTracing tracing,
            Doctor doctor)
            throws IOException, InterruptedException {
        var performing = new AtomicReference<Optional<EffectPerformer>>(Optional.empty());
        List<String> interfaces = Stream.concat(Stream.of(settings.uplink()), settings.segments().values().stream())
                .map(Attachment::interfaceName)
                .toList();
        var kernel = new KernelNetwork(interfaces);
        ServerServiceDefinition control = access.guarded(new ControlEndpoint(
                watch,
                log,
                links,
                journal,
                packet -> traced(tracing, packet),
                access::refused,
                doctor::examine,
                System::nanoTime));
        try (var meters = new NodeMeters(
                        () -> Optional.of(watch.current().report(now())),
                        new NodeCounters(
                                this::peersRefused,
                                () -> tally.counters().sent(),
                                () -> tally.counters().sentBytes(),
                                () -> tally.counters().dropped(),
                                inbox::refused,
                                () -> performing
                                        .get()
                                        .map(EffectPerformer::probesRefused)
                                        .orElse(0L),
                                () -> watch.current().rechecksRefused(),
                                () -> watch.current().neighbours(now()),
                                () -> watch.current().neighbourChanges(),
                                () -> watch.current().traffic(now()),
                                () -> performing
                                        .get()
                                        .map(EffectPerformer::framesFailed)
                                        .orElse(0L),
                                datapath::rejections,
                                () -> performing
                                        .get()
                                        .map(EffectPerformer::events)
                                        .orElseGet(TreeMap::new)));
                var neighbours = NeighbourWatch.start(
                        interfaces,
                        sightings -> inbox.deliver(new NodeEvent.NeighboursHeard(sightings)),
                        kernel::noteWatch);
                var performer =
                        new EffectPerformer(ports(log, links, datapath, meters, kernel, neighbours), inbox::deliver);
                var api = ApiServer.start(
                        new ApiServer.Addresses(
                                InetAddress.ofLiteral(configuration.address().toString()),
                                configuration.ports().api(),
                                configuration.ports().peer()),
                        clients(control, access),
                        new PeerEndpoint(
                                settings,
                                (from, message) -> inbox.deliver(new NodeEvent.GossipReceived(from, message)),
                                log,
                                wanted -> CountersCodec.toWire(watch.current(), wanted, now()),
                                packet -> traced(tracing, packet),
                                member -> ProbesCodec.toWire(watch.current(), member, now()),
                                access::refused,
                                doctor::examine,
                                tally),
                        watch,
                        NodeState::ready);
                var json = json(new JsonGateway(control), access);
                var http = HttpEndpoint.start(
                        ownAddresses(), configuration.ports().http(), new Pages(meters::scrape, this::notReady))) {
            performing.set(Optional.of(performer));
            access.certificateEnds()
                    .ifPresent(_ -> meters.showCertificate(
                            () -> access.certificateEnds().orElseThrow()));
            LOG.info(
                    "node runs api={}:{} json={} http={}",
                    configuration.address(),
                    api.apiPort(),
                    json.listening(),
                    http.listening());
            // Opening the log took its time; for the loop that must not look like a pause.
            watch.publish(NodeState.initial(settings, now()));
            new NodeLoop(inbox, watch, performer, meters::stepTook).run();
        }
    }

    private static ApiServer.Clients clients(ServerServiceDefinition control, Access access) {
        return new ApiServer.Clients(
                control,
                access.grpc(),
                access.loopbackOnly() ? ApiServer.Reach.LOOPBACK : ApiServer.Reach.CONTROL_AND_LOOPBACK);
    }

    private HttpEndpoint json(JsonGateway gateway, Access access) throws IOException {
        SortedSet<Ipv4Address> addresses = access.loopbackOnly() ? new TreeSet<>(List.of(LOOPBACK)) : ownAddresses();
        int port = configuration.ports().json();
        Optional<SSLContext> tls = access.tls();
        return tls.isPresent()
                ? HttpEndpoint.start(addresses, port, gateway, tls.get())
                : HttpEndpoint.start(addresses, port, gateway);
    }

    private Doctor.Places places(Access access) {
        List<Attachment> attachments = Stream.concat(
                        Stream.of(settings.uplink()), settings.segments().values().stream())
                .toList();
        // An operator waits: a switch that needs longer is as good as silent.
        var bridge = new OvsBridge(
                configuration.ovs().rundir(),
                configuration.ovs().bridge(),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
        return new Doctor.Places(
                new TreeSet<>(
                        attachments.stream().map(Attachment::interfaceName).toList()),
                new TreeSet<>(attachments.stream().map(Attachment::port).toList()),
                configuration.data(),
                configuration.announce().birdSocket(),
                Path.of("/proc/sys"),
                () -> DataplaneCheck.differences(configuration, DatapathForm.read(bridge)),
                access::certificateEnds,
                Optional.ofNullable(Node.class.getPackage().getImplementationVersion())
                        .orElse(""));
    }

    private NodeTrace traced(PacketTracing tracing, TracedPacket packet) {
        return TraceCodec.toWire(
                tracing.trace(TraceCodec.fromWire(packet)),
                watch.current().cluster().model());
    }

    private EffectPerformer.Ports ports(
            GenerationLog log,
            PeerLinks links,
            Datapath datapath,
            NodeMeters meters,
            KernelNetwork kernel,
            NeighbourWatch neighbours) {
        return new EffectPerformer.Ports(
                meters.timing(new Prober()::probe),
                PathLook::answers,
                gossip -> links.send(gossip.to(), gossip.message()),
                log,
                datapath,
                kernel,
                neighbours::ask,
                kernel::correct,
                new BirdAnnouncer(
                        configuration.announce().birdSocket(),
                        configuration.announce().vips(),
                        configuration.announce().lease()));
    }

    private void fromLog(LogEvent event) {
        switch (event) {
            case LogEvent.Advanced(long index, var state) -> {
                inbox.deliver(new NodeEvent.LogAdvanced(index, state));
                journal.advanced(index, state);
            }
            case LogEvent.LeadershipChanged(var leadership) ->
                inbox.deliver(new NodeEvent.LeadershipChanged(leadership));
            case LogEvent.Failed(String reason) -> {
                // A node whose log is closed only looks alive: it ends, and its supervisor starts it again.
                logFailure.set(reason);
                loopThread.interrupt();
            }
        }
    }

    private RaftSettings raftSettings() {
        SortedMap<NodeId, String> peers = new TreeMap<>();
        configuration
                .nodes()
                .forEach((node, address) ->
                        peers.put(node, address + ":" + configuration.ports().raft()));
        return new RaftSettings(
                settings.self(),
                peers,
                settings.clusterId(),
                configuration.data().resolve("raft"),
                configuration.election().min(),
                configuration.election().max());
    }

    private SortedMap<NodeId, InetSocketAddress> peerAddresses() {
        SortedMap<NodeId, InetSocketAddress> addresses = new TreeMap<>();
        configuration
                .nodes()
                .forEach((node, address) -> addresses.put(
                        node,
                        new InetSocketAddress(
                                InetAddress.ofLiteral(address.toString()),
                                configuration.ports().peer())));
        return addresses;
    }

    private SortedSet<Ipv4Address> ownAddresses() {
        return new TreeSet<>(List.of(configuration.address(), LOOPBACK));
    }

    private SortedMap<String, Long> peersRefused() {
        SortedMap<String, Long> byReason = new TreeMap<>();
        tally.counters()
                .refused()
                .forEach((reason, count) -> byReason.put(reason.name().toLowerCase(Locale.ROOT), count));
        return byReason;
    }

    private Optional<String> notReady() {
        NodeState state = watch.current();
        return state.ready() ? Optional.empty() : Optional.of(state.notReadyReason());
    }

    private static MonotonicTime now() {
        return new MonotonicTime(System.nanoTime());
    }
}
