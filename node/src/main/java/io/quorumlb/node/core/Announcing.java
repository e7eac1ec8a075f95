package io.quorumlb.node.core;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.AnnounceState.Wish;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

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

    private static void decide(Turn turn) {
        Optional<String> trouble = trouble(turn);
        if (trouble.isPresent()) {
            want(turn, Wish.WITHDRAW, new TreeSet<>(), trouble.get());
            return;
        }
        turn.datapath.proven().ifPresent(proven -> {
            SortedSet<Ipv4Address> vips = provenVips(proven);
            if (!vips.isEmpty()) {
                want(turn, Wish.ANNOUNCE, vips, "");
            } else if (proven.listeners().isEmpty()) {
                want(turn, Wish.WITHDRAW, vips, "no listener is configured");
            } else if (turn.announcement.wish() != Wish.UNDECIDED) {
                // Right after a start an earlier life's routes stay while a pool still waits, for example for a MAC.
                want(turn, Wish.WITHDRAW, vips, "no listener has a pool that could be installed");
            }
        });
    }

    /** Returns the VIPs with a listener whose pool is in the switch. */
    private static SortedSet<Ipv4Address> provenVips(SwitchIntent proven) {
        SortedSet<Integer> pools = new TreeSet<>();
        proven.pools().forEach(pool -> pools.add(pool.id()));
        SortedSet<Ipv4Address> vips = new TreeSet<>();
        proven.listeners().stream()
                .filter(listener -> pools.contains(listener.poolId()))
                .flatMap(listener -> listener.vip() instanceof Ipv4Address vip ? Stream.of(vip) : Stream.empty())
                .forEach(vips::add);
        return vips;
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
        if (turn.datapath
                .proven()
                .filter(intent -> intent.nextHop(IpFamily.IPV4).isEmpty())
                .isPresent()) {
            return Optional.of("next hop %s has no MAC address".formatted(turn.settings.nextHop()));
        }
        List<String> missing = Attachments.missing(
                turn.settings, turn.log.cluster().model(), turn.network.view(), turn.datapath.snapshot());
        return !missing.isEmpty() && turn.datapath.proven().isPresent()
                ? Optional.of(missing.getFirst())
                : Optional.empty();
    }

    private static void want(Turn turn, Wish wish, SortedSet<Ipv4Address> vips, String reason) {
        AnnounceState before = turn.announcement;
        if (before.wish() != wish
                || !before.vips().equals(vips)
                || !before.reason().equals(reason)) {
            turn.announcement = before.wanting(wish, vips, reason, turn.now);
            turn.news = true;
        }
    }
}
