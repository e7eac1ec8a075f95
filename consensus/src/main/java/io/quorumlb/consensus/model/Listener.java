package io.quorumlb.consensus.model;

import io.quorumlb.maglev.Ipv4Address;

/**
 * Where clients connect.
 *
 * @param id 1..65535, given by the state machine
 * @param name unique among listeners
 * @param vip address that the nodes announce
 * @param protocol transport
 * @param port 1..65535
 * @param poolId the pool that serves it
 */
public record Listener(int id, String name, Ipv4Address vip, Protocol protocol, int port, int poolId) {
    private static final int PORT_MAX = 65_535;

    /** Checks name and port. */
    public Listener {
        ObjectName.require("listener name", name);
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port %d is outside 1..%d".formatted(port, PORT_MAX));
        }
    }

    /** Returns this listener under the id the state machine gave. */
    public Listener withId(int given) {
        return new Listener(given, name, vip, protocol, port, poolId);
    }
}
