package io.quorumlb.ovs.flow;

/** Names of the port numbers that OpenFlow reserves. */
final class Ports {
    /** The port a packet came in by. */
    static final int OFPP_IN_PORT = 0xffff_fff8;

    private static final int OFPP_CONTROLLER = 0xffff_fffd;
    private static final int OFPP_LOCAL = 0xffff_fffe;

    private Ports() {}

    static String format(int port) {
        return switch (port) {
            case OFPP_IN_PORT -> "IN_PORT";
            case OFPP_CONTROLLER -> "CONTROLLER";
            case OFPP_LOCAL -> "LOCAL";
            default -> Integer.toUnsignedString(port);
        };
    }
}
