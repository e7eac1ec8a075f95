package io.quorumlb.consensus.model;

import io.quorumlb.maglev.HashFields;
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
 * @param hash what of a packet decides its slot
 */
public record Listener(int id, String name, Ipv4Address vip, Protocol protocol, int port, int poolId, HashFields hash) {
    private static final int PORT_MAX = 65_535;

    /** Checks name and port. */
    public Listener {
        ObjectName.require("listener name", name);
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException("port %d is outside 1..%d".formatted(port, PORT_MAX));
        }
    }

    /** Makes a listener that takes each connection for itself. */
    public Listener(int id, String name, Ipv4Address vip, Protocol protocol, int port, int poolId) {
        this(id, name, vip, protocol, port, poolId, HashFields.FIVE_TUPLE);
    }

    /** Returns this listener under the id the state machine gave. */
    public Listener withId(int given) {
        return new Listener(given, name, vip, protocol, port, poolId, hash);
    }
}
