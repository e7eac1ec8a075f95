package io.quorumlb.node.core;

import io.quorumlb.ovs.flow.MacAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Where the node sends packets for one address to, as others see it.
 *
 * @param key the address and its network
 * @param mac in use; empty while none is known
 * @param source who it is from
 * @param state how good it is
 * @param other another MAC address that was heard lately for the address
 * @param since how long the MAC address has been in use
 * @param confirmed time since a station last confirmed it; empty if none ever did
 */
public record NeighbourView(
        NeighbourKey key,
        Optional<MacAddress> mac,
        Source source,
        State state,
        Optional<MacAddress> other,
        Duration since,
        Optional<Duration> confirmed) {
    /** Who a MAC address is from. */
    public enum Source {
        /** Nobody yet. */
        NOBODY,
        /** An operator. */
        STATIC,
        /** A station on the network. */
        NETWORK,
        /** The kernel: no station has said anything to this node itself. */
        KERNEL
    }

    /** How good a MAC address is. */
    public enum State {
        /** The station answers. */
        REACHABLE,
        /** The station does not answer. */
        SILENT,
        /** No MAC address is known. */
        WAITING,
        /** Two stations answer. */
        CONFLICT,
        /** The network says otherwise than the operator. */
        DIFFERS
    }

    static NeighbourView of(NeighbourKey key, Neighbour known, MonotonicTime now) {
        return new NeighbourView(
                key,
                known.mac(),
                known.configured().isPresent()
                        ? Source.STATIC
                        : Source.valueOf(known.source().name()),
                state(known),
                known.trouble() == Neighbour.Trouble.CONFIGURED_DIFFERS
                        ? known.learned()
                        : known.rival().map(Neighbour.Rival::mac),
                now.since(known.since()),
                known.confirmed().map(now::since));
    }

    private static State state(Neighbour known) {
        if (known.mac().isEmpty()) {
            return State.WAITING;
        }
        return switch (known.trouble()) {
            case CONFLICT -> State.CONFLICT;
            case CONFIGURED_DIFFERS -> State.DIFFERS;
            case NONE -> known.asking().unanswered() >= Neighbour.SILENT_AFTER ? State.SILENT : State.REACHABLE;
        };
    }
}
