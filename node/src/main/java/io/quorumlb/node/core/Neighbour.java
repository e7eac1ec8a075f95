package io.quorumlb.node.core;

import io.quorumlb.ovs.flow.MacAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Where one address is, as far as this node knows.
 *
 * @param configured MAC address that an operator has given; it is used whatever is heard
 * @param learned MAC address that was learned; empty before anything was
 * @param source who it was learned from
 * @param since when the learned MAC address came into use
 * @param confirmed when a station last said so; empty if none ever did
 * @param asking questions to the network
 * @param rival the last other MAC address that was heard for the address, lately
 * @param trouble what does not fit together
 */
record Neighbour(
        Optional<MacAddress> configured,
        Optional<MacAddress> learned,
        Source source,
        MonotonicTime since,
        Optional<MonotonicTime> confirmed,
        Asking asking,
        Optional<Rival> rival,
        Trouble trouble) {
    /** A station that left so many questions in a row unanswered is not there, or cannot be asked. */
    static final int SILENT_AFTER = 3;

    /** Who a MAC address was learned from. */
    enum Source {
        /** Nobody yet. */
        NOBODY,
        /** The kernel: no station has said anything to this node itself. */
        KERNEL,
        /** A station on the network. */
        NETWORK
    }

    /** What does not fit together. */
    enum Trouble {
        /** Nothing. */
        NONE,
        /** Two stations answer for the address. */
        CONFLICT,
        /** A station says otherwise than the operator. */
        CONFIGURED_DIFFERS
    }

    /**
     * Questions to the network.
     *
     * @param asked when the last one was sent
     * @param judgedAt when its answers are weighed; empty once they have been
     * @param next when the next one is due
     * @param unanswered how many in a row nobody answered
     * @param contested how many in a row were answered by two
     */
    record Asking(
            Optional<MonotonicTime> asked,
            Optional<MonotonicTime> judgedAt,
            MonotonicTime next,
            int unanswered,
            int contested) {
        Asking question(MonotonicTime now, Duration patience, MonotonicTime following) {
            return new Asking(Optional.of(now), Optional.of(now.plus(patience)), following, unanswered, contested);
        }

        Asking judged(int nobody, int two) {
            return new Asking(asked, Optional.empty(), next, nobody, two);
        }

        Asking soon(MonotonicTime now) {
            return next.reached(now) ? new Asking(asked, judgedAt, now, unanswered, contested) : this;
        }
    }

    /**
     * Another MAC address for the same address.
     *
     * @param mac that address
     * @param heard when it was last heard
     */
    record Rival(MacAddress mac, MonotonicTime heard) {}

    static Neighbour unknown(Optional<MacAddress> configured, MonotonicTime now) {
        return new Neighbour(
                configured,
                Optional.empty(),
                Source.NOBODY,
                now,
                Optional.empty(),
                new Asking(Optional.empty(), Optional.empty(), now, 0, 0),
                Optional.empty(),
                Trouble.NONE);
    }

    /** Returns the MAC address to use. */
    Optional<MacAddress> mac() {
        return configured.or(() -> learned);
    }

    Neighbour configuredAs(Optional<MacAddress> mac) {
        return new Neighbour(mac, learned, source, since, confirmed, asking, rival, trouble);
    }

    Neighbour learned(MacAddress mac, Source from, MonotonicTime now, Optional<MonotonicTime> heard) {
        return new Neighbour(configured, Optional.of(mac), from, now, heard, asking, Optional.empty(), trouble);
    }

    Neighbour confirmed(MonotonicTime now) {
        return new Neighbour(configured, learned, Source.NETWORK, since, Optional.of(now), asking, rival, trouble);
    }

    Neighbour with(Asking other) {
        return new Neighbour(configured, learned, source, since, confirmed, other, rival, trouble);
    }

    Neighbour with(Optional<Rival> other) {
        return new Neighbour(configured, learned, source, since, confirmed, asking, other, trouble);
    }

    Neighbour with(Trouble other) {
        return new Neighbour(configured, learned, source, since, confirmed, asking, rival, other);
    }

    /** Returns whether a station has confirmed the learned MAC address since the last question. */
    boolean answered() {
        return asking.asked().isPresent()
                && confirmed.filter(at -> at.reached(asking.asked().get())).isPresent();
    }

    /** Returns whether the rival has spoken since the last question. */
    boolean rivalAnswered() {
        return asking.asked().isPresent()
                && rival.filter(other -> other.heard().reached(asking.asked().get()))
                        .isPresent();
    }
}
