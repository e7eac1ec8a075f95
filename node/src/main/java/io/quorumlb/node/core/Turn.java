package io.quorumlb.node.core;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** One step in the making: the parts of the state that it changes, and the effects so far. Lives within one call. */
final class Turn {
    final NodeSettings settings;
    final MonotonicTime now;
    final MonotonicTime before;
    IdMap<MemberProbe> probes;
    ProbeAgenda agenda;
    final SortedMap<Integer, Proposal> proposals;
    Suspicions suspicions;
    Rechecks rechecks;
    LogState log;
    GossipState gossip;
    SwitchState datapath;
    NetworkState network;
    KnownNeighbours neighbours;
    AnnounceState announcement;
    LeadState lead;
    FingerprintState fingerprint;
    CounterState counters;
    Optional<Instant> certificateEnd;

    /** True if something was heard that may make the leader act. */
    boolean heard;

    ServiceState service;
    OfficeState office;
    GatewayState gateways;

    /** True if something changed that other nodes should hear at once. */
    boolean news;

    /** What peers lack, by peer and owner of the record: from where on they want it. */
    final SortedMap<NodeId, SortedMap<NodeId, Stamp>> answers = new TreeMap<>();

    /** Owners of records of which something new was heard. */
    final SortedSet<NodeId> heardOf = new TreeSet<>();

    /** Records that are behind here, and who has more of them. */
    final SortedMap<NodeId, NodeId> lacks = new TreeMap<>();

    /** Whom a probe is for: members of one segment and family are probed from the same address. */
    record Way(int segmentId, IpFamily family) implements Comparable<Way> {
        private static final Comparator<Way> ORDER =
                Comparator.comparingInt(Way::segmentId).thenComparing(Way::family);

        @Override
        public int compareTo(Way other) {
            return ORDER.compare(this, other);
        }
    }

    /** Addresses to probe from, as far as one was looked for. */
    final SortedMap<Way, Optional<IpAddress>> sources = new TreeMap<>();

    private final List<NodeEffect> effects = new ArrayList<>();

    Turn(NodeState state, MonotonicTime now) {
        this.settings = state.settings();
        this.now = now;
        this.before = state.steppedAt();
        this.log = state.log();
        this.probes = state.probes();
        this.agenda = state.agenda();
        this.suspicions = state.suspicions();
        this.rechecks = state.rechecks();
        this.gossip = state.gossip();
        this.proposals = new TreeMap<>(state.proposals());
        this.datapath = state.datapath();
        this.network = state.network();
        this.neighbours = state.neighbours();
        this.announcement = state.announcement();
        this.lead = state.lead();
        this.fingerprint = state.fingerprint();
        this.counters = state.counters();
        this.certificateEnd = state.certificateEnd();
        this.service = state.service();
        this.office = state.office();
        this.gateways = state.gateways();
    }

    /** Replaces what this node knows of its probes of a member. */
    void put(int memberId, MemberProbe probe) {
        probes = probes.with(memberId, probe);
    }

    /** A peer is to be sent what comes after the stamp. */
    void answer(NodeId peer, Stamp from) {
        answers.computeIfAbsent(peer, _ -> new TreeMap<>())
                .merge(from.owner(), from, (one, other) -> one.before(other) ? one : other);
    }

    /** Somebody has more of the owner's record. */
    void lack(NodeId owner, NodeId whoHas) {
        lacks.put(owner, whoHas);
    }

    void want(NodeEffect effect) {
        effects.add(effect);
    }

    void say(Severity severity, String code, String message, Object... values) {
        effects.add(new NodeEffect.Say(severity, code, message.formatted(values)));
    }

    /** Returns how the member is probed; empty if it does not exist. */
    Optional<HealthMonitor> monitor(int memberId) {
        Model model = log.cluster().model();
        return Optional.ofNullable(model.members().get(memberId))
                .flatMap(member -> Optional.ofNullable(model.pools().get(member.poolId())))
                .map(pool -> pool.monitor());
    }

    /** Returns the state as far as it has come. */
    NodeState state() {
        return new NodeState(
                settings,
                now,
                log,
                probes,
                agenda,
                suspicions,
                rechecks,
                gossip,
                proposals,
                datapath,
                network,
                neighbours,
                announcement,
                service,
                office,
                gateways,
                lead,
                fingerprint,
                counters,
                certificateEnd);
    }

    Step finish() {
        return new Step(state(), effects);
    }
}
