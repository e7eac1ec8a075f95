package io.quorumlb.lbctl;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.proto.v1.TracedPacket;

/** Reads the packet of a command line. */
final class TracedEnds {
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int PROTOCOL_MAX = 255;
    private static final int PORT_MAX = 65_535;

    private TracedEnds() {}

    /** An address with its port, 0 if none is given. */
    private record End(String address, int port) {}

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
        End from = end("CLIENT", client);
        End to = end("VIP", vip);
        boolean ports = number == TCP || number == UDP;
        if (!ports && (from.port() != 0 || to.port() != 0)) {
            throw usage("protocol %d has no ports: give addresses only".formatted(number));
        }
        if (ports && (from.port() == 0 || to.port() == 0)) {
            throw usage("%s needs a port 1..%d at both ends, as in 10.40.0.9:12345".formatted(protocol, PORT_MAX));
        }
        return TracedPacket.newBuilder()
                .setProtocol(number)
                .setSourceAddress(from.address())
                .setSourcePort(from.port())
                .setDestinationAddress(to.address())
                .setDestinationPort(to.port())
                .build();
    }

    private static int protocol(String text) {
        return switch (EnumWord.lower(text)) {
            case "tcp" -> TCP;
            case "udp" -> UDP;
            default -> number("PROTOCOL", text, 1, PROTOCOL_MAX);
        };
    }

    private static End end(String what, String text) {
        int close = text.indexOf(']');
        if (text.startsWith("[") && close > 0) {
            String rest = text.substring(close + 1);
            if (!rest.isEmpty() && !rest.startsWith(":")) {
                throw usage("%s: '%s' must be ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT".formatted(what, text));
            }
            return new End(
                    address(what, text.substring(1, close)),
                    rest.isEmpty() ? 0 : number(what + " port", rest.substring(1), 1, PORT_MAX));
        }
        int colon = text.indexOf(':');
        boolean one = colon >= 0 && colon == text.lastIndexOf(':');
        return one
                ? new End(
                        address(what, text.substring(0, colon)),
                        number(what + " port", text.substring(colon + 1), 1, PORT_MAX))
                : new End(address(what, text), 0);
    }

    private static String address(String what, String text) {
        try {
            return IpAddress.parse(text).toString();
        } catch (IllegalArgumentException e) {
            throw usage("%s: %s".formatted(what, e.getMessage()));
        }
    }

    private static int number(String what, String text, int min, int max) {
        boolean digits = !text.isEmpty() && text.length() <= 9 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = digits ? Integer.parseInt(text) : -1;
        if (number < min || number > max) {
            throw usage("%s must be %d..%d, is '%s'".formatted(what, min, max, text));
        }
        return number;
    }

    private static CommandFailure usage(String sentence) {
        return new CommandFailure(ExitCode.USAGE, sentence);
    }
}
