package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.hash.SlotFormula;
import io.quorumlb.ovs.hash.Tuple;

/** The slot that a connection's packets get, by the site's slot function as it was when these tests began. */
final class SlotPrediction {
    static final int TCP = Tuple.TCP;
    static final int UDP = Tuple.UDP;

    private static final SlotFunction FUNCTION = NodeApi.slotFunction();

    private SlotPrediction() {}

    /** Returns the slot, 0..M-1, of a connection from the client's address and port to the pool's HTTP listener. */
    static int slot(SitePool pool, String client, int sourcePort) {
        return slot(pool, TCP, client, sourcePort, SitePool.VIP_PORT);
    }

    /** Returns the slot, 0..M-1, of a packet to a port of the pool's VIP. */
    static int slot(SitePool pool, int protocol, String client, int sourcePort, int port) {
        var tuple = new Tuple(IpAddress.parse(client), IpAddress.parse(pool.vip()), protocol, sourcePort, port);
        return SlotFormula.slot(FUNCTION, HashFields.FIVE_TUPLE, tuple, pool.id(), SitePool.SLOTS);
    }
}
