package io.quorumlb.node.main;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.node.announce.AnnounceResult;
import io.quorumlb.node.announce.Announcer;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.probe.Prober;
import io.quorumlb.node.shell.EffectPerformer;
import io.quorumlb.node.shell.Inbox;
import io.quorumlb.node.shell.NodeLoop;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.ovs.install.CookieOwner;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.neighbour.NeighbourWatch;
import io.quorumlb.ovs.pipeline.Cookie;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** A node that is a cluster of its own: real in all but its log, which is in memory, and its routes, which are none. */
final class LoneLoop implements AutoCloseable {
    static final IpAddress ROUTER = IpAddress.parse("198.18.10.1");
    static final IpAddress ROUTER6 = IpAddress.parse("fd51:10::1");

    final StateWatch watch;
    private final Inbox inbox = new Inbox();
    private final OvsDatapath datapath;
    private final NeighbourWatch neighbours;
    private final EffectPerformer performer;
    private final Thread loop;
    private ClusterState cluster = ClusterState.empty();
    private long index;

    LoneLoop(TwoNetworks networks) {
        var self = new NodeId("n1");
        SortedMap<String, Attachment> segments = new TreeMap<>();
        segments.put("p2", attachment(TwoNetworks.SEGMENT));
        SortedMap<IpFamily, IpAddress> nextHops = new TreeMap<>();
        nextHops.put(IpFamily.IPV4, ROUTER);
        nextHops.put(IpFamily.IPV6, ROUTER6);
        var settings = new NodeSettings(
                "lone", self, new TreeSet<>(List.of(self)), 1, attachment(TwoNetworks.UPLINK), nextHops, segments);
        watch = new StateWatch(NodeState.initial(settings, new MonotonicTime(System.nanoTime())));
        List<String> interfaces =
                List.of(TwoNetworks.internal(TwoNetworks.UPLINK), TwoNetworks.internal(TwoNetworks.SEGMENT));
        var kernel = new KernelNetwork(interfaces);
        neighbours = NeighbourWatch.start(
                interfaces, sightings -> inbox.deliver(new NodeEvent.NeighboursHeard(sightings)), kernel::noteWatch);
        datapath = new OvsDatapath(
                new OvsBridge(networks.rundir(), networks.bridge()), new CookieOwner(Cookie.OWNER, Cookie.OWNER_MASK));
        performer = new EffectPerformer(
                new EffectPerformer.Ports(
                        new Prober()::probe,
                        _ -> true,
                        _ -> {},
                        new MemoryLog(),
                        datapath,
                        kernel,
                        neighbours::ask,
                        kernel::correct,
                        new NoRoutes()),
                inbox::deliver);
        loop = Thread.ofPlatform().start(() -> {
            try {
                new NodeLoop(inbox, watch, performer, _ -> {}).run();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        inbox.deliver(new NodeEvent.LeadershipChanged(new Leadership.Leading(1)));
    }

    private static Attachment attachment(String network) {
        return new Attachment(TwoNetworks.port(network), TwoNetworks.internal(network));
    }

    /** Applies the command as the cluster's log would; it must not be refused. */
    void operator(Command command) {
        if (commit(command) instanceof ProposeOutcome.Committed(Outcome.Refused refused)) {
            throw new AssertionError(refused.toString());
        }
    }

    /** Returns how often the node has said something of this kind. */
    long said(String code) {
        return performer.events().getOrDefault(code, 0L);
    }

    private synchronized ProposeOutcome commit(Command command) {
        Applied applied = StateMachine.apply(cluster, command);
        cluster = applied.state();
        index++;
        inbox.deliver(new NodeEvent.LogAdvanced(index, cluster));
        return new ProposeOutcome.Committed(applied.outcome());
    }

    private final class MemoryLog implements GenerationLog {
        @Override
        public CompletableFuture<ProposeOutcome> propose(Command command) {
            return CompletableFuture.completedFuture(commit(command));
        }

        @Override
        public CompletableFuture<Boolean> readBarrier() {
            return CompletableFuture.completedFuture(true);
        }

        @Override
        public CompletableFuture<Boolean> handOver(Optional<NodeId> to) {
            return CompletableFuture.completedFuture(false);
        }

        @Override
        public void close() {}
    }

    private static final class NoRoutes implements Announcer {
        @Override
        public AnnounceResult announce(SortedSet<IpAddress> vips) {
            return new AnnounceResult(true, "");
        }

        @Override
        public AnnounceResult keep() {
            return new AnnounceResult(true, "");
        }

        @Override
        public AnnounceResult restore() {
            return new AnnounceResult(true, "");
        }

        @Override
        public AnnounceResult withdraw() {
            return new AnnounceResult(false, "");
        }
    }

    @Override
    public void close() {
        loop.interrupt();
        try {
            loop.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        performer.close();
        neighbours.close();
        datapath.close();
    }
}
