package io.quorumlb.node.core;

import io.quorumlb.node.core.Neighbour.Rival;
import io.quorumlb.node.core.Neighbour.Source;
import io.quorumlb.node.core.Neighbour.Trouble;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.NeighbourEntry;
import io.quorumlb.ovs.packet.NeighbourEntry.Hold;
import io.quorumlb.ovs.packet.NeighbourSighting;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Weighs what stations and the kernel say of where an address is.
 *
 * <p>The first word counts. After that another MAC address is a claim: everybody is asked, and it is taken only if the
 * one in use does not answer. So an address that moves is followed within a moment, with and without an announcement, and
 * one that two stations answer for stays where it is.
 */
final class Claims {
    /** What the kernel has learned counts only while no station has said anything to this node for so long. */
    private static final Duration KERNEL_AFTER = Duration.ofSeconds(30);

    /** A claim is forgotten when it was not heard for so long. */
    private static final Duration RIVAL_KEPT = Duration.ofSeconds(10);

    /** Answers of a question that is weighed so late may still wait to be heard. */
    private static final Duration LATE = Duration.ofSeconds(1);

    private static final int CONTESTED = 2;

    private Claims() {}

    static void heard(Turn turn, List<NeighbourSighting> sightings) {
        SortedMap<NeighbourKey, Neighbour> changed = new TreeMap<>();
        for (NeighbourSighting sighting : sightings) {
            var key = new NeighbourKey(sighting.interfaceName(), sighting.address());
            Neighbour before = turn.neighbours.byKey().get(key);
            if (before != null) {
                Neighbour known = changed.getOrDefault(key, before);
                Neighbour after = switch (sighting.origin()) {
                    case NETWORK -> station(turn, key, known, sighting.mac());
                    case KERNEL -> kernel(turn, key, known, sighting.mac());
                };
                changed.put(key, after);
            }
        }
        turn.neighbours = turn.neighbours.with(changed);
    }

    /** Compares what is configured with what is known, and has the kernel follow what an operator changed. */
    static void configured(Turn turn, SortedMap<NeighbourKey, Neighbour> wanted) {
        wanted.replaceAll((key, known) -> {
            Optional<MacAddress> before =
                    Optional.ofNullable(turn.neighbours.byKey().get(key)).flatMap(Neighbour::configured);
            if (!before.equals(known.configured())) {
                correct(turn, key, known);
            }
            return differing(turn, key, known);
        });
    }

    /** Looks at all that the kernel has. */
    static void read(Turn turn, NetworkView view) {
        SortedMap<NeighbourKey, Neighbour> changed = new TreeMap<>();
        for (Map.Entry<NeighbourKey, Neighbour> entry : turn.neighbours.byKey().entrySet()) {
            Optional.ofNullable(view.neighbours().get(entry.getKey().interfaceName()))
                    .flatMap(macs -> Optional.ofNullable(macs.get(entry.getKey().address())))
                    .map(mac -> kernel(turn, entry.getKey(), entry.getValue(), mac))
                    .filter(after -> !after.equals(entry.getValue()))
                    .ifPresent(after -> changed.put(entry.getKey(), after));
        }
        turn.neighbours = turn.neighbours.with(changed);
    }

    private static Neighbour station(Turn turn, NeighbourKey key, Neighbour known, MacAddress mac) {
        if (known.learned().isEmpty()) {
            return differing(turn, key, known.learned(mac, Source.NETWORK, turn.now, Optional.of(turn.now)));
        }
        if (known.learned().get().equals(mac)) {
            return known.confirmed(turn.now);
        }
        boolean isNew = known.rival().filter(rival -> rival.mac().equals(mac)).isEmpty();
        Neighbour claimed = known.with(Optional.of(new Rival(mac, turn.now)));
        return isNew ? claimed.with(claimed.asking().soon(turn.now)) : claimed;
    }

    private static Neighbour kernel(Turn turn, NeighbourKey key, Neighbour known, MacAddress mac) {
        Neighbour after = known;
        if (known.learned().isEmpty()) {
            after = known.learned(mac, Source.KERNEL, turn.now, Optional.empty());
        } else if (!known.learned().get().equals(mac)) {
            boolean stationsSilent = known.confirmed()
                    .filter(at -> turn.now.since(at).compareTo(KERNEL_AFTER) < 0)
                    .isEmpty();
            after = stationsSilent
                    ? replaced(turn, key, known, mac, Source.KERNEL, Optional.empty())
                    : known.with(known.asking().soon(turn.now));
        }
        // The kernel must send probes to where the switch sends packets; it may have heard of a move before us.
        boolean sure = after.configured().isPresent()
                || (known.answered() && known.asking().judgedAt().isEmpty());
        if (sure && !after.mac().equals(Optional.of(mac))) {
            correct(turn, key, after);
        }
        return after;
    }

    private static void correct(Turn turn, NeighbourKey key, Neighbour known) {
        Hold hold = known.configured().isPresent() ? Hold.UNTIL_TOLD : Hold.UNTIL_LEARNED;
        known.mac()
                .ifPresent(mac -> turn.want(new NodeEffect.CorrectNeighbour(
                        new NeighbourEntry(key.interfaceName(), key.address(), mac, hold))));
    }

    /** Weighs the answers to questions whose time is over. */
    static void judge(Turn turn) {
        SortedMap<NeighbourKey, Neighbour> judged = new TreeMap<>();
        turn.neighbours.byKey().forEach((key, known) -> {
            Optional<MonotonicTime> at = known.asking().judgedAt();
            if (at.isPresent() && turn.now.reached(at.get())) {
                judged.put(key, judge(turn, key, known, at.get()));
            }
        });
        turn.neighbours = turn.neighbours.with(judged);
    }

    private static Neighbour judge(Turn turn, NeighbourKey key, Neighbour known, MonotonicTime at) {
        if (turn.now.since(at).compareTo(LATE) > 0) {
            return known.with(
                    known.asking().judged(known.asking().unanswered(), 0).soon(turn.now));
        }
        boolean present = known.answered();
        Optional<Rival> rival =
                known.rival().filter(other -> turn.now.since(other.heard()).compareTo(RIVAL_KEPT) < 0);
        if (!present && rival.filter(other -> claims(other, known)).isPresent()) {
            Neighbour moved = replaced(
                    turn,
                    key,
                    known,
                    rival.get().mac(),
                    Source.NETWORK,
                    Optional.of(rival.get().heard()));
            return moved.with(moved.asking().judged(0, 0));
        }
        int unanswered = present ? 0 : known.asking().unanswered() + 1;
        int contested = present && known.rivalAnswered() ? known.asking().contested() + 1 : 0;
        Neighbour after = known.with(rival).with(known.asking().judged(unanswered, contested));
        if (contested >= CONTESTED) {
            return conflicting(turn, key, after);
        }
        if (contested > 0) {
            // It may have answered just before it went: the other one spoke since.
            return after.with(after.asking().soon(turn.now));
        }
        return rival.isEmpty() && after.trouble() == Trouble.CONFLICT ? after.with(Trouble.NONE) : after;
    }

    /** A claim made it worth asking, or was repeated since. */
    private static boolean claims(Rival rival, Neighbour known) {
        return known.asking()
                .asked()
                .filter(asked -> asked.since(rival.heard()).compareTo(Resolving.PERIOD) < 0)
                .isPresent();
    }

    private static Neighbour replaced(
            Turn turn, NeighbourKey key, Neighbour known, MacAddress mac, Source from, Optional<MonotonicTime> heard) {
        turn.say(
                Severity.INFO,
                "neighbour-changed",
                "address moved address=%s interface=%s from=%s to=%s heard_from=%s",
                key.address(),
                key.interfaceName(),
                known.learned().map(MacAddress::toString).orElse("nowhere"),
                mac,
                from);
        turn.neighbours = turn.neighbours.changed();
        Neighbour moved =
                differing(turn, key, known.learned(mac, from, turn.now, heard).with(Trouble.NONE));
        if (from == Source.NETWORK) {
            correct(turn, key, moved);
        }
        return moved;
    }

    private static Neighbour conflicting(Turn turn, NeighbourKey key, Neighbour known) {
        if (known.trouble() != Trouble.CONFLICT && known.configured().isEmpty()) {
            turn.say(
                    Severity.WARNING,
                    "neighbour-conflict",
                    "two stations answer for one address address=%s interface=%s used=%s other=%s",
                    key.address(),
                    key.interfaceName(),
                    known.learned().map(MacAddress::toString).orElse("none"),
                    known.rival().map(rival -> rival.mac().toString()).orElse("none"));
            return known.with(Trouble.CONFLICT);
        }
        return known;
    }

    /** Says once that the network contradicts the operator. */
    static Neighbour differing(Turn turn, NeighbourKey key, Neighbour known) {
        boolean differs = known.source() == Source.NETWORK
                && known.configured()
                        .filter(mac -> !known.learned().equals(Optional.of(mac)))
                        .isPresent();
        if (!differs) {
            return known.trouble() == Trouble.CONFIGURED_DIFFERS ? known.with(Trouble.NONE) : known;
        }
        if (known.trouble() != Trouble.CONFIGURED_DIFFERS) {
            turn.say(
                    Severity.WARNING,
                    "static-neighbour-differs",
                    "configured MAC address is not the one that answers address=%s interface=%s configured=%s answers=%s",
                    key.address(),
                    key.interfaceName(),
                    known.configured().map(MacAddress::toString).orElse("none"),
                    known.learned().map(MacAddress::toString).orElse("none"));
        }
        return known.with(Trouble.CONFIGURED_DIFFERS);
    }
}
