package io.quorumlb.consensus.model;

import java.util.Optional;
import java.util.OptionalInt;

/** Which packets to its VIP a listener takes, and what becomes of their port on the way to a member. */
public sealed interface Traffic {
    /**
     * Some ports of a transport.
     *
     * @param protocol transport
     * @param ports 1..65535; in a range the client's port is the member's
     * @param memberPort port of the members, 1..65535, for a single port only; empty is each member's own
     */
    record Ports(Protocol protocol, PortRange ports, OptionalInt memberPort) implements Traffic {
        /** Checks that a reply can be given its port back. */
        public Ports {
            if (ports.first() < 1) {
                throw new IllegalArgumentException("port %d is outside 1..%d".formatted(0, PortRange.PORT_MAX));
            }
            if (memberPort.isPresent() && (memberPort.getAsInt() < 1 || memberPort.getAsInt() > PortRange.PORT_MAX)) {
                throw new IllegalArgumentException(
                        "member port %d is outside 1..%d".formatted(memberPort.getAsInt(), PortRange.PORT_MAX));
            }
            if (memberPort.isPresent() && ports.first() < ports.last()) {
                throw new IllegalArgumentException(
                        ("member port %d with ports %s: only a listener of a single port can have one, a reply would not"
                                        + " know its port otherwise")
                                .formatted(memberPort.getAsInt(), ports));
            }
        }

        @Override
        public Optional<Protocol> transport() {
            return Optional.of(protocol);
        }

        @Override
        public PortRange repliesFrom(int ownPort) {
            return ports.first() < ports.last() ? ports : PortRange.of(memberPort.orElse(ownPort));
        }

        /** Returns for example {@code tcp 80}. */
        @Override
        public String toString() {
            return word(protocol) + " " + ports;
        }
    }

    /**
     * All ports of a transport, which stay as they are.
     *
     * @param protocol transport
     */
    record AllPorts(Protocol protocol) implements Traffic {
        @Override
        public Optional<Protocol> transport() {
            return Optional.of(protocol);
        }

        @Override
        public PortRange ports() {
            return PortRange.ALL;
        }

        @Override
        public PortRange repliesFrom(int ownPort) {
            return PortRange.ALL;
        }

        /** Returns for example {@code tcp all}. */
        @Override
        public String toString() {
            return word(protocol) + " all";
        }
    }

    /** All packets, whatever is above IP; nothing but addresses is changed. */
    record Everything() implements Traffic {
        @Override
        public Optional<Protocol> transport() {
            return Optional.empty();
        }

        @Override
        public PortRange ports() {
            return PortRange.ALL;
        }

        @Override
        public PortRange repliesFrom(int ownPort) {
            return PortRange.ALL;
        }

        /** Returns {@code any}. */
        @Override
        public String toString() {
            return "any";
        }
    }

    /** Returns the traffic to one port, on to each member's own. */
    static Traffic port(Protocol protocol, int port) {
        return new Ports(protocol, PortRange.of(port), OptionalInt.empty());
    }

    /** Returns the transport; empty stands for every protocol above IP. */
    Optional<Protocol> transport();

    /** Returns the ports that are taken. */
    PortRange ports();

    /**
     * Returns the ports that a member's replies come from.
     *
     * @param ownPort the member's own port
     */
    PortRange repliesFrom(int ownPort);

    /** Returns true if some packet is of both kinds of traffic, as far as protocols go. */
    default boolean sharesProtocol(Traffic other) {
        return transport().isEmpty()
                || other.transport().isEmpty()
                || transport().equals(other.transport());
    }

    /**
     * Returns true if a packet to one address that both take belongs to the narrower of the two: one port before a
     * range, a narrow range before a wide one, a range before all ports, a transport before everything.
     */
    default boolean dividesWith(Traffic other) {
        if (!sharesProtocol(other) || !ports().overlaps(other.ports())) {
            return true;
        }
        if (!transport().equals(other.transport())) {
            return true;
        }
        boolean nested = ports().contains(other.ports()) || other.ports().contains(ports());
        return nested && !ports().equals(other.ports());
    }

    private static String word(Protocol protocol) {
        return switch (protocol) {
            case TCP -> "tcp";
            case UDP -> "udp";
        };
    }
}
