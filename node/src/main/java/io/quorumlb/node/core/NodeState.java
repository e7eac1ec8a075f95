package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.pool.Observation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Everything a node knows; immutable, so that any thread may look at it. */
public final class NodeState {
    private final NodeSettings settings;
    private final MonotonicTime steppedAt;
    private final LogState log;
    private final SortedMap<Integer, MemberProbe> probes;
    private final Suspicions suspicions;
    private final Rechecks rechecks;
    private final GossipState gossip;
    private final SortedMap<Integer, Proposal> proposals;
    private final SwitchState datapath;
    private final NetworkState network;
    private final AnnounceState announcement;
    private final ServiceState service;
    private final OfficeState office;

    NodeState(
            NodeSettings settings,
            MonotonicTime steppedAt,
            LogState log,
            SortedMap<Integer, MemberProbe> probes,
            Suspicions suspicions,
            Rechecks rechecks,
            GossipState gossip,
            SortedMap<Integer, Proposal> proposals,
            SwitchState datapath,
            NetworkState network,
            AnnounceState announcement,
            ServiceState service,
            OfficeState office) {
        this.settings = settings;
        this.steppedAt = steppedAt;
        this.log = log;
        this.probes = Collections.unmodifiableSortedMap(probes);
        this.suspicions = suspicions;
        this.rechecks = rechecks;
        this.gossip = gossip;
        this.proposals = Collections.unmodifiableSortedMap(proposals);
        this.datapath = datapath;
        this.network = network;
        this.announcement = announcement;
        this.service = service;
        this.office = office;
    }

    /** Returns the state of a node that has just started. */
    public static NodeState initial(NodeSettings settings, MonotonicTime now) {
        return new NodeState(
                settings,
                now,
                LogState.initial(now),
                new TreeMap<>(),
                Suspicions.NONE,
                new Rechecks(new Allowance(now), 0),
                new GossipState(settings.incarnation(), 0, now, Optional.empty(), new TreeMap<>()),
                new TreeMap<>(),
                SwitchState.initial(now),
                new NetworkState(Optional.empty(), now),
                AnnounceState.initial(now),
                ServiceState.initial(now),
                OfficeState.initial(now));
    }

    /** Returns what the node knew before it heard anything. */
    public NodeSettings settings() {
        return settings;
    }

    /** Returns what the cluster has committed, as far as this node has applied it. */
    public ClusterState cluster() {
        return log.cluster();
    }

    /** Returns the index of the last log entry applied. */
    public long appliedIndex() {
        return log.appliedIndex();
    }

    /** Returns who leads. */
    public Leadership leadership() {
        return log.leadership();
    }

    /** Returns true if the node wants to be announced, or has nothing to announce: traffic may come. */
    public boolean ready() {
        boolean nothingToAnnounce =
                datapath.proven().filter(intent -> intent.listeners().isEmpty()).isPresent();
        return nothingToAnnounce || announcement.wish() == AnnounceState.Wish.ANNOUNCE;
    }

    /** Returns why the node is not {@link #ready()}, or empty. */
    public String notReadyReason() {
        return ready()
                ? ""
                : datapath.reading().failure().isEmpty()
                        ? announcement.reason()
                        : datapath.reading().failure();
    }

    /** Returns how many probes beyond the normal rhythm were not made because there were too many, since the start. */
    public long rechecksRefused() {
        return rechecks.refusals();
    }

    /** Returns what the node says of itself now. */
    public NodeReport report(MonotonicTime now) {
        return Reporting.report(this, now);
    }

    /** Returns what this node and the others have found of members, with ages as of now, fresh or not. */
    public List<Observation> observations(MonotonicTime now) {
        List<Observation> all = new ArrayList<>(ownObservations(now));
        gossip.held().values().forEach(held -> {
            NodeRecord record = held.asOf(now);
            record.observations()
                    .forEach(seen -> all.add(new Observation(
                            record.owner(),
                            seen.memberId(),
                            seen.health(),
                            seen.suspicion(),
                            seen.age().plus(record.age()),
                            seen.detail())));
        });
        return Collections.unmodifiableList(all);
    }

    /** Returns what this node has found, by member. */
    List<Observation> ownObservations(MonotonicTime now) {
        List<Observation> own = new ArrayList<>();
        probes.forEach((memberId, probe) -> probe.riseFall()
                .health()
                .ifPresent(health -> own.add(new Observation(
                        settings.self(),
                        memberId,
                        health,
                        probe.suspicion(),
                        now.since(probe.lastResult().orElse(now)),
                        probe.detail()))));
        return own;
    }

    MonotonicTime steppedAt() {
        return steppedAt;
    }

    LogState log() {
        return log;
    }

    SortedMap<Integer, MemberProbe> probes() {
        return probes;
    }

    Suspicions suspicions() {
        return suspicions;
    }

    Rechecks rechecks() {
        return rechecks;
    }

    GossipState gossip() {
        return gossip;
    }

    SortedMap<Integer, Proposal> proposals() {
        return proposals;
    }

    SwitchState datapath() {
        return datapath;
    }

    NetworkState network() {
        return network;
    }

    AnnounceState announcement() {
        return announcement;
    }

    ServiceState service() {
        return service;
    }

    OfficeState office() {
        return office;
    }
}
