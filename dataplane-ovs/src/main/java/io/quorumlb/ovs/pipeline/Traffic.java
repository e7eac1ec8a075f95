package io.quorumlb.ovs.pipeline;

import java.util.OptionalInt;

/** What a listener takes of the packets to its VIP. Of two that take a packet the narrower one has it. */
public sealed interface Traffic {
    /** The lowest port a listener can have. */
    int PORT_MIN = 1;

    /** The highest port a listener can have. */
    int PORT_MAX = 65_535;

    /**
     * Returns one port of a transport; the member gets the packets on its own port.
     *
     * @param port 1..65535
     */
    static Ports port(Transport transport, int port) {
        return new Ports(transport, port, port, OptionalInt.empty());
    }

    /**
     * Returns a range of ports of a transport, which stay as they are.
     *
     * @param first 1..65535
     * @param last first..65535
     */
    static Ports range(Transport transport, int first, int last) {
        return new Ports(transport, first, last, OptionalInt.empty());
    }

    /**
     * Neighbouring ports of one transport.
     *
     * @param transport TCP or UDP
     * @param first lowest port, 1..65535
     * @param last highest port, first..65535
     * @param memberPort the port written into packets of a single port; empty: the member's own. The ports of a range
     *     stay as they are, because a reply would not say which of them was asked
     */
    record Ports(Transport transport, int first, int last, OptionalInt memberPort) implements Traffic {
        /** Checks the ranges. */
        public Ports {
            if (first < PORT_MIN || last < first || last > PORT_MAX) {
                throw new IllegalArgumentException(
                        "ports %d-%d must rise within %d..%d".formatted(first, last, PORT_MIN, PORT_MAX));
            }
            if (memberPort.isPresent() && (memberPort.getAsInt() < PORT_MIN || memberPort.getAsInt() > PORT_MAX)) {
                throw new IllegalArgumentException(
                        "member port %d is outside %d..%d".formatted(memberPort.getAsInt(), PORT_MIN, PORT_MAX));
            }
            if (memberPort.isPresent() && first != last) {
                throw new IllegalArgumentException(
                        "ports %d-%d cannot have one member port, %d: replies would not tell them apart"
                                .formatted(first, last, memberPort.getAsInt()));
            }
        }
    }

    /**
     * All ports of one transport; they stay as they are.
     *
     * @param transport TCP or UDP
     */
    record AllPorts(Transport transport) implements Traffic {}

    /** Every IP packet, whatever its protocol; only addresses are translated. */
    record Everything() implements Traffic {}

    /** A transport with ports. */
    enum Transport {
        /** TCP. */
        TCP,
        /** UDP. */
        UDP
    }
}
