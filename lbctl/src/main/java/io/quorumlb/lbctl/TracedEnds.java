package io.quorumlb.lbctl;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.proto.v1.TracedPacket;

/** Reads the packet of a command line. */
final class TracedEnds {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int PROTOCOL_MAX = 255;
    private static final int PORT_MAX = 65_535;
    private static final int NONE = -1;

    private TracedEnds() {}

    /** An address with its port, 0 if none is given. */
    private record End(IpAddress address, int port) {}

    /**
     * Returns the packet.
     *
     * @param protocol tcp, udp or a number
     * @param client address, or address and port; an IPv6 address with a port in brackets
     * @param vip the same
     * @throws CommandFailure naming what is wrong
     */
    static TracedPacket packet(String protocol, String client, String vip) {
        int number = protocol(protocol);
        End from = end("CLIENT", client, number);
        End to = end("VIP", vip, number);
        if (from.address().family() != to.address().family()) {
            throw usage("%s and %s must be of one version of IP".formatted(from.address(), to.address()));
        }
        return TracedPacket.newBuilder()
                .setProtocol(number)
                .setSourceAddress(from.address().toString())
                .setSourcePort(from.port())
                .setDestinationAddress(to.address().toString())
                .setDestinationPort(to.port())
                .build();
    }

    private static int protocol(String text) {
        int number = switch (EnumWord.lower(text)) {
            case "tcp" -> TCP;
            case "udp" -> UDP;
            default -> number(text, PROTOCOL_MAX);
        };
        if (number == NONE) {
            throw usage("PROTOCOL must be tcp, udp or 1..%d, is '%s'".formatted(PROTOCOL_MAX, text));
        }
        return number;
    }

    private static End end(String what, String text, int protocol) {
        End end = end(what, text);
        boolean ports = protocol == TCP || protocol == UDP;
        if (ports && end.port() == 0) {
            throw usage("%s: '%s' must name a port, 1..%d, as in 10.40.0.9:12345 or [fd00:40::9]:12345"
                    .formatted(what, text, PORT_MAX));
        }
        if (!ports && end.port() != 0) {
            throw usage("%s: '%s' must be an address only: protocol %d has no ports".formatted(what, text, protocol));
        }
        return end;
    }

    private static End end(String what, String text) {
        int close = text.indexOf(']');
        if (text.startsWith("[") && close > 0) {
            String rest = text.substring(close + 1);
            if (!rest.isEmpty() && !rest.startsWith(":")) {
                throw usage("%s: '%s' must be ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT".formatted(what, text));
            }
            return new End(address(what, text.substring(1, close)), rest.isEmpty() ? 0 : port(what, rest.substring(1)));
        }
        int colon = text.indexOf(':');
        boolean one = colon >= 0 && colon == text.lastIndexOf(':');
        return one
                ? new End(address(what, text.substring(0, colon)), port(what, text.substring(colon + 1)))
                : new End(address(what, text), 0);
    }

    private static IpAddress address(String what, String text) {
        try {
            return IpAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw usage("%s: %s".formatted(what, e.getMessage()));
        }
    }

    private static int port(String what, String text) {
        int port = number(text, PORT_MAX);
        if (port == NONE) {
            throw usage("%s: the port must be 1..%d, is '%s'".formatted(what, PORT_MAX, text));
        }
        return port;
    }

    /** Returns the number, 1 to the limit, or that there is none. */
    private static int number(String text, int max) {
        boolean digits = !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(text) : 0;
        return number >= 1 && number <= max ? number : NONE;
    }

    private static CommandFailure usage(String sentence) {
        return new CommandFailure(ExitCode.USAGE, sentence);
    }
}
