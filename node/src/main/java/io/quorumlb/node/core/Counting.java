package io.quorumlb.node.core;

import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.TrafficView.OfDrop;
import io.quorumlb.node.core.TrafficView.OfListener;
import io.quorumlb.node.core.TrafficView.OfMember;
import io.quorumlb.node.core.TrafficView.OfVip;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Adds up what the switch counts. Costs nothing of the switch: the audit reads all rows anyway. */
final class Counting {
    private static final int TCP = 6;
    private static final int UDP = 17;

    private Counting() {}

    static void read(Turn turn, SwitchSnapshot snapshot) {
        Model model = turn.log.cluster().model();
        // Before the log has told what there is nothing may be forgotten.
        boolean known = turn.log.caughtUp();
        turn.counters = turn.counters.read(
                turn.counters.counters().read(snapshot.own(), counted -> !known || exists(model, counted)), turn.now);
    }

    private static boolean exists(Model model, Counted counted) {
        return switch (counted) {
            case Counted.Received(int listener) -> model.listeners().containsKey(listener);
            case Counted.Forwarded(int listener, int member) ->
                model.listeners().containsKey(listener) && present(model, member);
            case Counted.Answered(var reply) -> listener(model, reply).isPresent();
            case Counted.Returned(int member, var reply) ->
                present(model, member) && listener(model, reply).isPresent();
            case Counted.Echoed _ -> true;
            case Counted.Dropped drop ->
                (drop.poolId() == 0 || model.pools().containsKey(drop.poolId()))
                        && (drop.memberId() == 0 || present(model, drop.memberId()));
        };
    }

    private static boolean present(Model model, int memberId) {
        return Optional.ofNullable(model.members().get(memberId))
                .filter(member -> !member.retired())
                .isPresent();
    }

    /** Returns the listener whose replies look so: of ranges within ranges the narrowest. */
    private static Optional<Listener> listener(Model model, Counted.Reply reply) {
        return model.listeners().values().stream()
                .filter(listener -> poolsOf(model, listener).contains(reply.poolId())
                        && listener.vip().equals(reply.vip())
                        && answers(listener.traffic(), reply))
                .min(Comparator.comparingInt(
                        listener -> listener.traffic().ports().last()
                                - listener.traffic().ports().first()));
    }

    private static boolean answers(Traffic traffic, Counted.Reply reply) {
        return switch (traffic) {
            case Traffic.Ports(Protocol protocol, var ports, var _) ->
                number(protocol) == reply.protocol() && ports.first() <= reply.port() && reply.port() <= ports.last();
            case Traffic.AllPorts(Protocol protocol) -> number(protocol) == reply.protocol() && reply.port() == 0;
            case Traffic.Everything() -> reply.protocol() == 0;
        };
    }

    private static int number(Protocol protocol) {
        return switch (protocol) {
            case TCP -> TCP;
            case UDP -> UDP;
        };
    }

    /** Which listener and member some replies are of. */
    private record Pair(int listenerId, int memberId) implements Comparable<Pair> {
        private static final Comparator<Pair> ORDER =
                Comparator.comparingInt(Pair::listenerId).thenComparingInt(Pair::memberId);

        @Override
        public int compareTo(Pair other) {
            return ORDER.compare(this, other);
        }
    }

    /** Returns what was counted, under what is configured; empty before the first reading. */
    static Optional<TrafficView> view(NodeState state, MonotonicTime now) {
        return state.counters().readAt().map(at -> view(state.cluster().model(), state.counters(), now, at));
    }

    private static TrafficView view(Model model, CounterState counters, MonotonicTime now, MonotonicTime readAt) {
        SortedMap<Integer, Rated> answered = new TreeMap<>();
        SortedMap<Pair, Rated> returned = new TreeMap<>();
        SortedMap<Counted.Reply, Optional<Listener>> listeners = new TreeMap<>();
        List<OfDrop> drops = new ArrayList<>();
        for (Counted counted : counters.counters().totals().keySet()) {
            switch (counted) {
                case Counted.Answered(var reply) ->
                    listeners
                            .computeIfAbsent(reply, missing -> listener(model, missing))
                            .ifPresent(listener -> answered.merge(listener.id(), counters.rated(counted), Rated::plus));
                case Counted.Returned(int member, var reply) ->
                    listeners
                            .computeIfAbsent(reply, missing -> listener(model, missing))
                            .ifPresent(listener -> returned.merge(
                                    new Pair(listener.id(), member), counters.rated(counted), Rated::plus));
                case Counted.Dropped drop ->
                    drops.add(new OfDrop(
                            drop, pool(model, drop.poolId()), member(model, drop.memberId()), counters.rated(drop)));
                case Counted.Received _, Counted.Forwarded _, Counted.Echoed _ -> {
                    // Asked for below by name.
                }
            }
        }
        List<OfListener> ofListeners = new ArrayList<>();
        List<OfMember> ofMembers = new ArrayList<>();
        SortedMap<IpAddress, OfVip> ofVips = new TreeMap<>();
        for (Listener listener : model.listeners().values()) {
            var both = new OfVip(
                    counters.rated(new Counted.Received(listener.id())),
                    answered.getOrDefault(listener.id(), Rated.ZERO));
            ofListeners.add(new OfListener(listener, both.received(), both.returned()));
            ofVips.merge(listener.vip(), both, OfVip::plus);
            for (int pool : poolsOf(model, listener)) {
                for (Member member : model.presentMembersOf(pool)) {
                    ofMembers.add(new OfMember(
                            listener,
                            member,
                            counters.rated(new Counted.Forwarded(listener.id(), member.id())),
                            returned.getOrDefault(new Pair(listener.id(), member.id()), Rated.ZERO)));
                }
            }
        }
        return new TrafficView(
                now.since(readAt), ofListeners, ofVips, ofMembers, drops, counters.rated(new Counted.Echoed()));
    }

    /** Returns the pools whose members a listener may send to: its own, and the one that it falls back to. */
    private static List<Integer> poolsOf(Model model, Listener listener) {
        return Stream.concat(Stream.of(listener.poolId()), model.fallbackOf(listener).map(Pool::id).stream())
                .toList();
    }

    private static String pool(Model model, int poolId) {
        return Optional.ofNullable(model.pools().get(poolId)).map(Pool::name).orElse("");
    }

    private static String member(Model model, int memberId) {
        return Optional.ofNullable(model.members().get(memberId))
                .map(Member::name)
                .orElse("");
    }
}
