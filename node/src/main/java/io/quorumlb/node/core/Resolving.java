package io.quorumlb.node.core;

import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.Neighbour.Asking;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.packet.NeighbourQuestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * Asks the network where members and next hops are: each address in a fixed rhythm, and at once when a probe of a member
 * failed or somebody else claimed its address. {@link Claims} weighs what is heard.
 */
final class Resolving {
    /** Questions of one address are as far apart, or farther if there are very many addresses. */
    static final Duration PERIOD = Duration.ofSeconds(1);

    /** A station that is there answers within this time. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    private static final Duration LOOK = Duration.ofMillis(20);
    /** At most 500 questions per second, and so many at once. */
    private static final Duration QUESTION = Duration.ofMillis(2);

    private static final int QUESTIONS_AT_ONCE_MAX = 500;

    private Resolving() {}

    static void due(Turn turn) {
        Model model = turn.log.cluster().model();
        if (turn.neighbours.areOf(model)) {
            turn.neighbours = turn.neighbours.at(model);
        } else {
            SortedMap<NeighbourKey, Neighbour> wanted = wanted(turn);
            Claims.configured(turn, wanted);
            turn.neighbours = turn.neighbours.at(model, wanted);
            turn.network.view().ifPresent(view -> Claims.read(turn, view));
        }
        if (!turn.now.reached(turn.neighbours.nextLook())) {
            return;
        }
        turn.neighbours = turn.neighbours.lookingAt(turn.now.plus(LOOK));
        Claims.judge(turn);
        ask(turn);
    }

    /** Returns the addresses that the node sends to, with what it knows of them already. */
    private static SortedMap<NeighbourKey, Neighbour> wanted(Turn turn) {
        SortedMap<NeighbourKey, Neighbour> wanted = new TreeMap<>();
        String uplink = turn.settings.uplink().interfaceName();
        turn.settings
                .nextHops()
                .values()
                .forEach(router -> want(turn, wanted, new NeighbourKey(uplink, router), Optional.empty()));
        turn.log.cluster().model().members().values().stream()
                .filter(member -> !member.retired())
                .forEach(member -> key(turn, member)
                        .ifPresent(key ->
                                want(turn, wanted, key, member.staticMac().map(mac -> new MacAddress(mac.value())))));
        return wanted;
    }

    /** One of the members at an address is enough to say where it is; the replicated state refuses a contradiction. */
    private static void want(
            Turn turn, SortedMap<NeighbourKey, Neighbour> wanted, NeighbourKey key, Optional<MacAddress> configured) {
        Optional<Neighbour> listed = Optional.ofNullable(wanted.get(key));
        Neighbour known = Optional.ofNullable(turn.neighbours.byKey().get(key))
                .orElseGet(() -> Neighbour.unknown(Optional.empty(), turn.now));
        wanted.put(key, known.configuredAs(listed.flatMap(Neighbour::configured).or(() -> configured)));
    }

    /** Returns where the member's address is resolved; empty if this node has no attachment to its segment. */
    static Optional<NeighbourKey> key(Turn turn, Member member) {
        return Optional.ofNullable(turn.log.cluster().model().segments().get(member.segmentId()))
                .flatMap(segment -> Optional.ofNullable(turn.settings.segments().get(segment.name())))
                .map(attachment -> new NeighbourKey(
                        attachment.interfaceName(), member.key().address()));
    }

    /** A probe of the member failed: perhaps its address is somewhere else now. */
    static void doubt(Turn turn, int memberId) {
        Optional.ofNullable(turn.log.cluster().model().members().get(memberId))
                .flatMap(member -> key(turn, member))
                .ifPresent(key -> {
                    Neighbour known = turn.neighbours.byKey().get(key);
                    if (known != null && !turn.now.reached(known.asking().next())) {
                        SortedMap<NeighbourKey, Neighbour> one = new TreeMap<>();
                        one.put(key, known.with(known.asking().soon(turn.now)));
                        turn.neighbours = turn.neighbours.with(one);
                    }
                });
    }

    private static void ask(Turn turn) {
        Duration period = period(turn.neighbours.byKey().size());
        SortedMap<NeighbourKey, Neighbour> asked = new TreeMap<>();
        List<NeighbourQuestion> questions = new ArrayList<>();
        for (var entry : turn.neighbours.byKey().entrySet()) {
            Asking asking = entry.getValue().asking();
            if (asking.judgedAt().isEmpty()
                    && turn.now.reached(asking.next())
                    && turn.neighbours.questions().permits(turn.now, QUESTION, QUESTIONS_AT_ONCE_MAX)) {
                Optional<NeighbourQuestion> question = question(turn, entry.getKey());
                if (question.isPresent()) {
                    questions.add(question.get());
                    MonotonicTime next = Rhythm.next(
                            turn.now,
                            turn.settings.self().value() + "/" + entry.getKey().address(),
                            period);
                    asked.put(entry.getKey(), entry.getValue().with(asking.question(turn.now, PATIENCE, next)));
                    turn.neighbours =
                            turn.neighbours.with(turn.neighbours.questions().spent(turn.now, QUESTION));
                }
            }
        }
        turn.neighbours = turn.neighbours.with(asked);
        if (!questions.isEmpty()) {
            turn.want(new NodeEffect.AskNeighbours(questions));
        }
    }

    /** Returns the time between two questions for one of so many addresses. */
    static Duration period(int addresses) {
        Duration needed = QUESTION.multipliedBy(addresses);
        return needed.compareTo(PERIOD) > 0 ? needed : PERIOD;
    }

    /** Returns the question for an address; empty while the node has no address of that version of IP there. */
    private static Optional<NeighbourQuestion> question(Turn turn, NeighbourKey key) {
        return turn.network
                .view()
                .flatMap(view -> Optional.ofNullable(view.interfaces().get(key.interfaceName())))
                .flatMap(link -> nearest(link.addresses(), key.address())
                        .map(own -> new NeighbourQuestion(key.interfaceName(), link.mac(), own, key.address())));
    }

    /** Returns the own address that has most leading bits in common with the target: the one in its network. */
    private static Optional<IpAddress> nearest(SortedSet<IpAddress> own, IpAddress target) {
        return own.stream()
                .filter(address -> address.family() == target.family())
                .max(Comparator.comparingInt(address -> commonBits(address.bytes(), target.bytes())));
    }

    private static int commonBits(byte[] one, byte[] other) {
        int differing = Arrays.mismatch(one, other);
        return differing < 0
                ? Byte.SIZE * one.length
                : Byte.SIZE * differing
                        + Integer.numberOfLeadingZeros((one[differing] ^ other[differing]) & 0xff)
                        - (Integer.SIZE - Byte.SIZE);
    }
}
