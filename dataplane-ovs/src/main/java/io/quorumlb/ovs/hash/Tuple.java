package io.quorumlb.ovs.hash;

import io.quorumlb.maglev.IpAddress;

/**
 * What a packet's hash may read of it.
 *
 * @param source from where
 * @param destination where to, of the same family
 * @param protocol IP protocol, 0..255
 * @param sourcePort 0..65535; 0 for a protocol without ports
 * @param destinationPort 0..65535; 0 for a protocol without ports
 */
public record Tuple(IpAddress source, IpAddress destination, int protocol, int sourcePort, int destinationPort) {
    /** IP protocol number of TCP. */
    public static final int TCP = 6;

    /** IP protocol number of UDP. */
    public static final int UDP = 17;

    private static final int PROTOCOL_MAX = 255;
    private static final int PORT_MAX = 65_535;

    /** Checks families and ranges. */
    public Tuple {
        if (source.family() != destination.family()) {
            throw new IllegalArgumentException(
                    "source %s and destination %s must be of one family".formatted(source, destination));
        }
        if (protocol < 0 || protocol > PROTOCOL_MAX) {
            throw new IllegalArgumentException("protocol must be 0..%d, is %d".formatted(PROTOCOL_MAX, protocol));
        }
        check("source port", sourcePort);
        check("destination port", destinationPort);
    }

    private static void check(String what, int port) {
        if (port < 0 || port > PORT_MAX) {
            throw new IllegalArgumentException("%s must be 0..%d, is %d".formatted(what, PORT_MAX, port));
        }
    }

    /** Returns the tuple for people, for example {@code tcp 10.40.0.10:4711 > 10.99.0.10:80}. */
    @Override
    public String toString() {
        String name = protocol == TCP ? "tcp" : protocol == UDP ? "udp" : "protocol " + protocol;
        return "%s %s > %s".formatted(name, end(source, sourcePort), end(destination, destinationPort));
    }

    private static String end(IpAddress address, int port) {
        return address.toString().indexOf(':') < 0 ? address + ":" + port : "[" + address + "]:" + port;
    }
}
