package io.quorumlb.node.core;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.FlapPenalty;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.Ruling;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import java.time.Duration;
import java.time.Instant;
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
    private final IdMap<MemberProbe> probes;
    private final ProbeAgenda agenda;
    private final Suspicions suspicions;
    private final Rechecks rechecks;
    private final GossipState gossip;
    private final SortedMap<Integer, Proposal> proposals;
    private final SwitchState datapath;
    private final NetworkState network;
    private final KnownNeighbours neighbours;
    private final AnnounceState announcement;
    private final LeadState lead;
    private final FingerprintState fingerprint;
    private final CounterState counters;
    private final ServiceState service;
    private final OfficeState office;
    private final GatewayState gateways;
    private final Optional<Instant> certificateEnd;

    NodeState(
            NodeSettings settings,
            MonotonicTime steppedAt,
            LogState log,
            IdMap<MemberProbe> probes,
            ProbeAgenda agenda,
            Suspicions suspicions,
            Rechecks rechecks,
            GossipState gossip,
            SortedMap<Integer, Proposal> proposals,
            SwitchState datapath,
            NetworkState network,
            KnownNeighbours neighbours,
            AnnounceState announcement,
            ServiceState service,
            OfficeState office,
            GatewayState gateways,
            LeadState lead,
            FingerprintState fingerprint,
            CounterState counters,
            Optional<Instant> certificateEnd) {
        this.settings = settings;
        this.steppedAt = steppedAt;
        this.log = log;
        this.probes = probes;
        this.agenda = agenda;
        this.suspicions = suspicions;
        this.rechecks = rechecks;
        this.gossip = gossip;
        this.proposals = Collections.unmodifiableSortedMap(proposals);
        this.datapath = datapath;
        this.network = network;
        this.neighbours = neighbours;
        this.announcement = announcement;
        this.lead = lead;
        this.fingerprint = fingerprint;
        this.counters = counters;
        this.service = service;
        this.office = office;
        this.gateways = gateways;
        this.certificateEnd = certificateEnd;
    }

    /** Returns the state of a node that has just started. */
    public static NodeState initial(NodeSettings settings, MonotonicTime now) {
        return new NodeState(
                settings,
                now,
                LogState.initial(now),
                IdMap.empty(),
                ProbeAgenda.NONE,
                Suspicions.NONE,
                new Rechecks(new Allowance(now), 0),
                GossipState.initial(settings.incarnation(), now),
                new TreeMap<>(),
                SwitchState.initial(now),
                new NetworkState(Optional.empty(), now),
                KnownNeighbours.none(now),
                AnnounceState.initial(now),
                ServiceState.initial(now),
                OfficeState.initial(now),
                GatewayState.initial(now),
                LeadState.initial(now),
                FingerprintState.initial(now),
                CounterState.none(),
                Optional.empty());
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
        boolean withdrawn = datapath.proven().isPresent()
                && cluster().inService(settings.self())
                && Announcing.allWithdrawn(cluster());
        return nothingToAnnounce || withdrawn || announcement.wish() == AnnounceState.Wish.ANNOUNCE;
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

    /** Returns when the certificate that clients see ends; empty without TLS. */
    Optional<Instant> certificateEnd() {
        return certificateEnd;
    }

    /** Returns what this node finds wrong with its switch, its announcer and what nodes see and hear. */
    public List<Symptom> symptoms(MonotonicTime now) {
        return Symptoms.of(this, now);
    }

    /** Returns where the node sends packets to, by interface and address. */
    public List<NeighbourView> neighbours(MonotonicTime now) {
        List<NeighbourView> views = new ArrayList<>();
        neighbours.byKey().forEach((key, known) -> views.add(NeighbourView.of(key, known, now)));
        return Collections.unmodifiableList(views);
    }

    /** Returns what the switch has counted; empty before it was read for the first time. */
    public Optional<TrafficView> traffic(MonotonicTime now) {
        return Counting.view(this, now);
    }

    /** Returns how often an address that the node sends to was found at another MAC address, since the start. */
    public long neighbourChanges() {
        return neighbours.changes();
    }

    /** Returns what this node and the others have found of members, with ages as of now, fresh or not. */
    public List<Observation> observations(MonotonicTime now) {
        List<Observation> all = new ArrayList<>(ownObservations(now));
        gossip.held().values().forEach(held -> all.addAll(held.observations(now)));
        return Collections.unmodifiableList(all);
    }

    /** Returns what this node and the others have found of one member, with ages as of now, fresh or not. */
    public List<Observation> observations(int memberId, MonotonicTime now) {
        return new Observations(this, now).of(memberId);
    }

    /** Returns how much the member has come and gone lately, as far as this node has followed it. */
    public FlapPenalty penalty(Member member, MonotonicTime now) {
        return Optional.ofNullable(cluster().model().pools().get(member.poolId()))
                .map(pool ->
                        lead.member(member.id(), now).penalty(now, pool.guards().flapping()))
                .orElse(FlapPenalty.NONE);
    }

    /** Returns the log's time as this node reckons it, milliseconds since 1970; 0 before the first write. */
    public long logTime(MonotonicTime now) {
        return log.clock().reckoned(cluster(), now);
    }

    /** Returns what this node's own probes have found of a member; empty if it does not probe it. */
    public Optional<ProbeView> probeView(int memberId, MonotonicTime now) {
        return Optional.ofNullable(probes.get(memberId)).map(probe -> ProbeView.of(probe, now));
    }

    /** Returns what decides about a member, as this node would decide if it led. */
    public Ruling ruling(Pool pool, Member member, MonotonicTime now) {
        return Ruling.of(cluster(), pool, member, Remembering.view(this, pool, new Observations(this, now), now));
    }

    /** Returns how long ago this node applied a generation; empty if that was before its start. */
    public Optional<Duration> appliedAgo(int poolId, long generation, MonotonicTime now) {
        return Optional.ofNullable(lead.pool(poolId).appliedAt().get(generation))
                .map(now::since);
    }

    /** Returns what this node would do about the pool if it led. */
    public Plan plan(Pool pool, MonotonicTime now) {
        return Leading.plan(this, pool, now);
    }

    /** Returns what this node would do about the pool if it led and nothing were guarded. */
    public Plan planWithoutGuards(Pool pool, MonotonicTime now) {
        return Leading.unguarded(this, pool, now);
    }

    /** Returns what would follow for pools from another configuration, if it were committed now. */
    public Foresight foresight(ClusterState next, MonotonicTime now) {
        return new Foresight(this, next, now);
    }

    /** Returns why the cluster must not go over to a slot function now; empty if every voter has proven the same. */
    public Optional<String> obstacle(SlotFunction function, MonotonicTime now) {
        return Fingerprinting.obstacle(this, function, now);
    }

    /** Returns what this node has found, by member. */
    List<Observation> ownObservations(MonotonicTime now) {
        List<Observation> own = new ArrayList<>();
        probes.forEach((memberId, probe) -> observation(memberId, probe, now).ifPresent(own::add));
        return own;
    }

    /** Returns what this node has found of one member. */
    Optional<Observation> ownObservation(int memberId, MonotonicTime now) {
        return Optional.ofNullable(probes.get(memberId)).flatMap(probe -> observation(memberId, probe, now));
    }

    private Optional<Observation> observation(int memberId, MemberProbe probe, MonotonicTime now) {
        return probe.riseFall()
                .health()
                .map(health -> new Observation(
                        settings.self(),
                        memberId,
                        health,
                        probe.suspicion(),
                        now.since(probe.lastResult().orElse(now)),
                        probe.detail()));
    }

    /** Returns how the member is probed; empty if it does not exist. */
    Optional<HealthMonitor> monitor(int memberId) {
        return Optional.ofNullable(cluster().model().members().get(memberId))
                .flatMap(member -> Optional.ofNullable(cluster().model().pools().get(member.poolId())))
                .map(Pool::monitor);
    }

    MonotonicTime steppedAt() {
        return steppedAt;
    }

    LogState log() {
        return log;
    }

    IdMap<MemberProbe> probes() {
        return probes;
    }

    ProbeAgenda agenda() {
        return agenda;
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

    /** Returns what the switch was last compared with; empty until it is read. */
    public Optional<SwitchIntent> intent() {
        return datapath.compared().or(datapath::proven);
    }

    /** Returns true if the address is one of this node's own, or of a router that it sends to. */
    public boolean uses(IpAddress address) {
        return settings.nextHops().containsValue(address)
                || network.view().stream()
                        .flatMap(view -> view.interfaces().values().stream())
                        .anyMatch(link -> link.addresses().contains(address));
    }

    NetworkState network() {
        return network;
    }

    KnownNeighbours neighbours() {
        return neighbours;
    }

    AnnounceState announcement() {
        return announcement;
    }

    LeadState lead() {
        return lead;
    }

    FingerprintState fingerprint() {
        return fingerprint;
    }

    CounterState counters() {
        return counters;
    }

    ServiceState service() {
        return service;
    }

    OfficeState office() {
        return office;
    }

    GatewayState gateways() {
        return gateways;
    }
}
