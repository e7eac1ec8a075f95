package io.quorumlb.node.gossip;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.GossipMessage;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.proto.v1.Caller;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.TracedPacket;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The ways to all other nodes. A lost one is tried again about every second for ever; each change is logged once. Safe
 * for any number of threads.
 */
public final class PeerLinks implements AutoCloseable {
    private final ExecutorService callbacks = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("peer-callback-", 0).factory());
    private final SortedMap<NodeId, PeerLink> links = new TreeMap<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * Opens a link to each node of the list but this one.
     *
     * @param settings who this node is
     * @param addresses where the nodes' peer ports are; this node's own is not used
     * @param tally counts what is sent
     */
    public PeerLinks(NodeSettings settings, SortedMap<NodeId, InetSocketAddress> addresses, PeerTally tally) {
        this(settings, addresses, tally, LinkTimes.PRODUCT);
    }

    PeerLinks(NodeSettings settings, SortedMap<NodeId, InetSocketAddress> addresses, PeerTally tally, LinkTimes times) {
        Caller caller = Doorkeeper.caller(settings);
        addresses.forEach((peer, address) -> {
            if (!peer.equals(settings.self())) {
                PeerLink link = new PeerLink(peer, address, caller, callbacks, times, tally);
                links.put(peer, link);
                threads.add(Thread.ofVirtual().name("peer-link-" + peer).start(link));
            }
        });
    }

    /**
     * Sends the message to a peer. Never blocks: per peer only the latest message that it does not take yet is kept, an
     * older one is dropped and counted. A node without a link is sent nothing.
     */
    public void send(NodeId peer, GossipMessage message) {
        PeerLink link = links.get(peer);
        if (link != null) {
            link.send(message);
        }
    }

    /**
     * Proposes a command at another node; never fails exceptionally. Ends within 4 s: without a connection to it, or
     * refused by it, as {@link ProposeOutcome.NotLeader}; without an answer as {@link ProposeOutcome.Unknown}.
     */
    public CompletableFuture<ProposeOutcome> propose(NodeId leader, Command command) {
        PeerLink link = links.get(leader);
        return link == null
                ? CompletableFuture.completedFuture(new ProposeOutcome.NotLeader(Optional.empty()))
                : link.propose(command);
    }

    /**
     * Asks another node what its switch has counted; never fails exceptionally: without an answer the message has the reason.
     *
     * @param wanted what is asked about
     * @param limit how long to wait for the answer
     */
    public CompletableFuture<NodeCounters> counters(NodeId peer, GetCountersRequest wanted, Duration limit) {
        PeerLink link = links.get(peer);
        return link == null ? PeerAnswer.counters(peer).without("there is no way to it") : link.counters(wanted, limit);
    }

    /**
     * Asks another node what it would do with a packet; never fails exceptionally: without an answer the message has the reason.
     *
     * @param packet what is asked about
     * @param limit how long to wait for the answer
     */
    public CompletableFuture<NodeTrace> trace(NodeId peer, TracedPacket packet, Duration limit) {
        PeerLink link = links.get(peer);
        return link == null ? PeerAnswer.trace(peer).without("there is no way to it") : link.trace(packet, limit);
    }

    /**
     * Asks another node what its own probes have found of a member; never fails exceptionally: without an answer the message has
     * the reason.
     *
     * @param memberId which member
     * @param limit how long to wait for the answer
     */
    public CompletableFuture<NodeProbes> probes(NodeId peer, int memberId, Duration limit) {
        PeerLink link = links.get(peer);
        return link == null ? PeerAnswer.probes(peer).without("there is no way to it") : link.probes(memberId, limit);
    }

    /**
     * Asks another node what calls of clients it has refused; never fails exceptionally.
     *
     * @param limit how long to wait for the answer
     */
    public CompletableFuture<PeerRefusals> refusals(NodeId peer, Duration limit) {
        PeerLink link = links.get(peer);
        return link == null ? PeerAnswer.refusals(peer).without("there is no way to it") : link.refusals(limit);
    }

    /**
     * Asks another node what it finds wrong around itself; never fails exceptionally: without an answer the message has the
     * reason.
     *
     * @param limit how long to wait for the answer
     */
    public CompletableFuture<Examination> examine(NodeId peer, Duration limit) {
        PeerLink link = links.get(peer);
        return link == null ? PeerAnswer.examination(peer).without("there is no way to it") : link.examine(limit);
    }

    /** Returns the peers that take our records now. */
    public SortedSet<NodeId> connected() {
        SortedSet<NodeId> connected = new TreeSet<>();
        links.forEach((peer, link) -> {
            if (link.connected()) {
                connected.add(peer);
            }
        });
        return Collections.unmodifiableSortedSet(connected);
    }

    /** Closes all links and waits until they are closed. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        callbacks.close();
    }
}
