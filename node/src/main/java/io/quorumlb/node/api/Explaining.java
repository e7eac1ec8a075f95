package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.plan.FlapPenalty;
import io.quorumlb.consensus.plan.Plan;
import io.quorumlb.consensus.plan.Verdicts;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.consensus.wire.GuardCodec;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.gossip.PeerLinks;
import io.quorumlb.node.wire.ProbesCodec;
import io.quorumlb.node.wire.RecordCodec;
import io.quorumlb.node.wire.ReportCodec;
import io.quorumlb.proto.v1.ExplainMemberRequest;
import io.quorumlb.proto.v1.ExplainMemberResponse;
import io.quorumlb.proto.v1.MemberTurn;
import io.quorumlb.proto.v1.NodeProbes;
import io.quorumlb.proto.v1.ObserverView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Says why a member takes the traffic that it takes. */
final class Explaining {
    /** An operator waits; a node that needs longer is as good as silent. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final NodeState state;
    private final Pool pool;
    private final Member member;
    private final MonotonicTime now;
    private final ExplainMemberResponse.Builder response = ExplainMemberResponse.newBuilder();

    private Explaining(NodeState state, Pool pool, Member member, MonotonicTime now) {
        this.state = state;
        this.pool = pool;
        this.member = member;
        this.now = now;
    }

    /**
     * Returns what all nodes have found of the member, those that do not answer within a second with the reason, and what the
     * answering node makes of it.
     *
     * @throws io.grpc.StatusRuntimeException with NOT_FOUND if there is no such pool or member
     */
    static ExplainMemberResponse of(NodeState state, PeerLinks links, ExplainMemberRequest request, MonotonicTime now) {
        Pool pool = Listings.pool(state, "pool", Commands.named("pool", request.getPool()));
        String name = Commands.named("member", request.getMember());
        Member member = state.cluster().model().presentMembersOf(pool.id()).stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusals.notFound(
                        "member", "member '%s' in pool '%s' does not exist".formatted(name, pool.name())));
        return new Explaining(state, pool, member, now).explain(links);
    }

    private ExplainMemberResponse explain(PeerLinks links) {
        NodeId self = state.settings().self();
        SortedMap<NodeId, CompletableFuture<NodeProbes>> asked = new TreeMap<>();
        for (NodeId node : state.settings().voters()) {
            asked.put(
                    node,
                    node.equals(self)
                            ? CompletableFuture.completedFuture(ProbesCodec.toWire(state, member.id(), now))
                            : links.probes(node, member.id(), LIMIT));
        }
        response.setAnsweredBy(self.value())
                .setMember(ModelCodec.toWire(member, state.cluster().model()));
        decision();
        history();
        // Each call ends by itself at the limit.
        votes(asked);
        return response.build();
    }

    private void votes(SortedMap<NodeId, CompletableFuture<NodeProbes>> asked) {
        List<Observation> heard = state.observations(member.id(), now);
        List<Observation> fresh = Verdicts.fresh(heard, state.settings().voters(), pool.monitor());
        int up = (int) fresh.stream().filter(vote -> vote.health() == Health.UP).count();
        response.setVotesUp(up)
                .setVotesDown(fresh.size() - up)
                .setVotesStale(state.settings().voters().size() - fresh.size())
                .setMajority(state.settings().majority())
                .setFreshForMillis(RecordCodec.millis(Verdicts.freshFor(pool.monitor())));
        asked.forEach((node, probes) -> {
            var view = ObserverView.newBuilder().setObserver(node.value()).setProbes(probes.join());
            heard.stream()
                    .filter(seen -> seen.observer().equals(node))
                    .findFirst()
                    .ifPresent(seen -> view.setHeard(RecordCodec.toWire(seen.health()))
                            .setHeardAgeMillis(Math.max(0, seen.age().toMillis())));
            response.addObservers(view.setCounts(
                    fresh.stream().anyMatch(vote -> vote.observer().equals(node))));
        });
    }

    private void decision() {
        FlapPenalty penalty = state.penalty(member, now);
        Plan plan = state.plan(pool, now);
        response.setRuling(RulingText.toWire(state.ruling(pool, member, now)))
                .setRulingDetail(RulingText.of(state.ruling(pool, member, now), pool))
                .addAllHolds(plan.holds().stream().map(ReportCodec::toWire).toList())
                .setPenalty(penalty.points())
                .setHeldDown(penalty.heldDown())
                .setFlapLimit(pool.guards().flapping().limit())
                .setFlapReuse(pool.guards().flapping().reuse())
                .setRise(pool.monitor().rise())
                .setFall(pool.monitor().fall())
                .setTimers(Timings.left(state, member.id(), now));
        if (plan instanceof Plan.Commit commit) {
            response.setNextEffectiveWeight(commit.command().effectiveWeights().getOrDefault(member.id(), 0));
        }
    }

    private void history() {
        List<PoolGeneration> kept = state.cluster().history().getOrDefault(pool.id(), List.of());
        if (kept.isEmpty()) {
            return;
        }
        response.setGeneration(kept.getLast().number()).setEffectiveWeight(effective(kept.getLast()));
        for (int i = kept.size() - 1; i >= 0; i--) {
            // Before the first of all there was nothing; what was before the first that is kept is not known.
            boolean known = i > 0 || kept.getFirst().number() == 1;
            int before = i > 0 ? effective(kept.get(i - 1)) : 0;
            if (known && before != effective(kept.get(i))) {
                response.setLastTurn(turn(kept.get(i), before));
                return;
            }
        }
    }

    private MemberTurn turn(PoolGeneration generation, int before) {
        var turn = MemberTurn.newBuilder()
                .setNumber(generation.number())
                .setRevision(generation.revision())
                .setEffectiveBefore(before)
                .setEffectiveAfter(effective(generation))
                .setCause(GuardCodec.toWire(generation.cause()))
                .setReason(generation.reason());
        generation.evidence().stream()
                .filter(evidence -> evidence.memberId() == member.id())
                .forEach(evidence -> turn.addEvidence(GuardCodec.toWire(evidence)));
        Optional<Duration> ago = state.appliedAgo(pool.id(), generation.number(), now);
        ago.ifPresent(time -> turn.setAppliedAgeMillis(Math.max(0, time.toMillis())));
        return turn.build();
    }

    private int effective(PoolGeneration generation) {
        return generation.member(member.id()).map(TableMember::effectiveWeight).orElse(0);
    }
}
