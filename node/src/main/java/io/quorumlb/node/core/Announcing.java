package io.quorumlb.node.core;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.node.core.AnnounceState.Wish;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.Standing;
import io.quorumlb.ovs.pipeline.WhenEmpty;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Decides whether this node's routes are announced: on after the first proof, off when it cannot forward as committed.
 *
 * <p>After a start nothing is said until the first proof: the routes of an earlier life of the controller stay, and if
 * the proof does not come the supervisor takes them away.
 */
final class Announcing {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private Announcing() {}

    static void answered(Turn turn, boolean announced, String problem) {
        AnnounceState before = turn.announcement;
        turn.announcement = before.answered(announced, problem);
        if (before.announced() != announced) {
            turn.say(
                    Severity.INFO,
                    "routes-changed",
                    "routes %s vips=%s",
                    announced ? "announced" : "withdrawn",
                    before.vips());
            turn.news = true;
        }
        if (!before.problem().equals(problem) && !problem.isEmpty()) {
            turn.say(Severity.WARNING, "announcer-problem", "announcer has a problem: %s", problem);
            turn.news = true;
        }
    }

    static void due(Turn turn) {
        decide(turn);
        // The supervisor takes the routes away if nothing is confirmed for long: a node that has just woken, or that is
        // changing its switch, is silent until it has proven its tables again.
        boolean proven = turn.log.caughtUp() && turn.datapath.proven().isPresent();
        Optional<NodeEffect> keeping = turn.announcement.wish() == Wish.UNDECIDED ? keeping(turn) : Optional.empty();
        if (keeping.isPresent() && turn.now.reached(turn.announcement.nextAsk())) {
            turn.announcement = turn.announcement.asked(turn.now.plus(PERIOD));
            turn.want(keeping.get());
            return;
        }
        boolean silent =
                turn.announcement.wish() == Wish.UNDECIDED || (turn.announcement.wish() == Wish.ANNOUNCE && !proven);
        if (silent || !turn.now.reached(turn.announcement.nextAsk())) {
            return;
        }
        turn.announcement = turn.announcement.asked(turn.now.plus(PERIOD));
        turn.want(
                turn.announcement.wish() == Wish.ANNOUNCE
                        ? new NodeEffect.Announce(turn.announcement.vips())
                        : new NodeEffect.Withdraw(turn.announcement.reason()));
    }

    /**
     * Returns how the routes are kept by a controller that found its switch forwarding when it started, and cannot prove
     * anything of it yet: because nobody leads, so no newer state can be had, and none can have come about among those that
     * know as little; or because it still asks what the switch's hashes give, which an earlier controller of this switch has
     * proven. Without it no node would be left once all controllers had been restarted, and a machine under load would lose
     * its routes. Where nobody leads a start that took longer than the supervisor waits is made up for, too.
     */
    private static Optional<NodeEffect> keeping(Turn turn) {
        boolean leaderless = !turn.log.caughtUp()
                && turn.log.searches()
                && turn.now.since(turn.log.leadershipSince()).compareTo(Reporting.FROZEN_AFTER) > 0;
        boolean asks = turn.log.caughtUp()
                && !turn.fingerprint.accepted()
                && turn.fingerprint.trouble().isEmpty();
        boolean forwards = turn.datapath
                .snapshot()
                .filter(held -> held.own().values().stream()
                        .anyMatch(flow -> Cookie.isKind(flow.flow().cookie(), Cookie.Kind.MARKER)))
                .isPresent();
        if (!forwards) {
            return Optional.empty();
        }
        return leaderless
                ? Optional.of(new NodeEffect.RestoreAnnounced())
                : asks ? Optional.of(new NodeEffect.KeepAnnounced()) : Optional.empty();
    }

    private static void decide(Turn turn) {
        Optional<String> trouble = trouble(turn);
        if (trouble.isPresent()) {
            want(turn, Wish.WITHDRAW, new TreeSet<>(), trouble.get());
            return;
        }
        turn.datapath.proven().ifPresent(proven -> {
            SortedSet<IpAddress> disabled = turn.log.cluster().model().disabledVips();
            SortedSet<IpAddress> vips = provenVips(proven);
            vips.removeAll(disabled);
            Optional<String> withheld = withhold(turn, proven, vips);
            if (!vips.isEmpty()) {
                want(turn, Wish.ANNOUNCE, vips, "");
            } else if (withheld.isPresent()) {
                want(turn, Wish.WITHDRAW, vips, withheld.get());
            } else if (proven.listeners().stream().anyMatch(listener -> disabled.contains(listener.vip()))) {
                want(turn, Wish.WITHDRAW, vips, "no VIP is left that is not of a disabled load balancer");
            } else if (proven.listeners().stream().anyMatch(listener -> withdraws(proven, listener))) {
                want(turn, Wish.WITHDRAW, vips, "no VIP has a listener with a member left");
            } else if (proven.listeners().isEmpty()) {
                want(turn, Wish.WITHDRAW, vips, "no listener is configured");
            } else if (turn.announcement.wish() != Wish.UNDECIDED) {
                // Right after a start an earlier life's routes stay while a pool still waits, for example for a MAC.
                want(turn, Wish.WITHDRAW, vips, "no listener has a pool that could be installed");
            }
        });
    }

    /** Returns the VIPs with a listener whose pool is in the switch, and that does not withdraw because that is empty. */
    private static SortedSet<IpAddress> provenVips(SwitchIntent proven) {
        SortedSet<Integer> pools = new TreeSet<>();
        proven.pools().forEach(pool -> pools.add(pool.id()));
        SortedSet<IpAddress> vips = new TreeSet<>();
        proven.listeners().stream()
                .filter(listener -> pools.contains(listener.poolId()) && !withdraws(proven, listener))
                .forEach(listener -> vips.add(listener.vip()));
        return vips;
    }

    /**
     * Returns true if every listener withdraws because its pool is empty, or is of a disabled load balancer: a node that
     * announces nothing is well then.
     */
    static boolean allWithdrawn(ClusterState cluster) {
        var listeners = cluster.model().listeners().values();
        SortedSet<IpAddress> disabled = cluster.model().disabledVips();
        return !listeners.isEmpty()
                && listeners.stream()
                        .allMatch(listener -> disabled.contains(listener.vip())
                                || (listener.whenEmpty() instanceof EmptyPolicy.Withdraw
                                        && cluster.empty(listener.poolId())));
    }

    private static boolean withdraws(SwitchIntent proven, ServedListener listener) {
        return listener.whenEmpty() instanceof WhenEmpty.Withdraw
                && proven.pool(listener.poolId())
                        .filter(pool -> pool.standing() == Standing.EMPTY)
                        .isPresent();
    }

    /** Takes out the VIPs of a version of IP that this node cannot carry, and returns why. */
    private static Optional<String> withhold(Turn turn, SwitchIntent proven, SortedSet<IpAddress> vips) {
        Optional<String> first = Optional.empty();
        for (IpFamily family : IpFamily.values()) {
            Optional<String> reason = vips.stream().anyMatch(vip -> vip.family() == family)
                    ? trouble(turn.state(), proven, family)
                    : Optional.empty();
            if (reason.isPresent()) {
                vips.removeIf(vip -> vip.family() == family);
                first = first.or(() -> reason);
            }
        }
        return first;
    }

    /** Returns what keeps this node from carrying traffic of a version of IP, for each that a listener needs. */
    static List<String> problems(NodeState state) {
        return state.datapath().proven().stream()
                .flatMap(proven -> provenVips(proven).stream()
                        .filter(vip -> !state.cluster().model().disabledVips().contains(vip))
                        .map(IpAddress::family)
                        .distinct()
                        .flatMap(family -> trouble(state, proven, family).stream()))
                .toList();
    }

    private static Optional<String> trouble(NodeState state, SwitchIntent proven, IpFamily family) {
        return Attachments.trouble(
                        state.settings(),
                        state.cluster().model(),
                        state.network().view(),
                        family)
                .or(() -> proven.nextHop(family).isPresent()
                        ? Optional.empty()
                        : Optional.of("next hop %s has no MAC address"
                                .formatted(state.settings().nextHops().get(family))));
    }

    /** Returns why this node must not be sent traffic, if it knows a reason. */
    private static Optional<String> trouble(Turn turn) {
        Optional<String> out =
                Optional.ofNullable(turn.log.cluster().outOfService().get(turn.settings.self()));
        if (out.isPresent() && turn.log.caughtUp()) {
            return out.map(reason -> "out of service: " + reason);
        }
        if (turn.datapath.snapshot().isEmpty() && turn.announcement.wish() != Wish.UNDECIDED) {
            return Optional.of(turn.datapath.reading().failure());
        }
        List<String> missing = Attachments.missing(
                turn.settings, turn.log.cluster().model(), turn.network.view(), turn.datapath.snapshot());
        boolean proved = turn.datapath.proven().isPresent() || turn.announcement.wish() != Wish.UNDECIDED;
        return !missing.isEmpty() && proved ? Optional.of(missing.getFirst()) : Optional.empty();
    }

    private static void want(Turn turn, Wish wish, SortedSet<IpAddress> vips, String reason) {
        AnnounceState before = turn.announcement;
        if (before.wish() != wish
                || !before.vips().equals(vips)
                || !before.reason().equals(reason)) {
            turn.announcement = before.wanting(wish, vips, reason, turn.now);
            turn.news = true;
        }
    }
}
