package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.verify.contract.Packet;
import io.quorumlb.verify.contract.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Clients whose packets are sent through the switches. */
final class Corpus {
    static final int SIZE = 256;

    private static final int SLOTS_TABLE = 11;

    /**
     * Where a packet goes.
     *
     * @param client which of the corpus
     * @param set set of slots that it falls into; -1 if it does not come so far
     * @param slot slot of the set
     * @param member member that the slot leads to, by address and port; empty if the packet is dropped
     */
    record Fate(int client, int set, int slot, Optional<Destination> member) {}

    /** Where a packet leaves to. */
    record Destination(IpAddress address, int port, MacAddress mac) {
        boolean sameMember(Destination other) {
            return address.equals(other.address) && port == other.port;
        }
    }

    private final SimSwitch ovs;
    private final List<Packet> packets = new ArrayList<>();

    Corpus(NodeId node, SimSwitch ovs) {
        this.ovs = ovs;
        for (int client = 0; client < SIZE; client++) {
            packets.add(packet(node, client));
        }
    }

    private static Packet packet(NodeId node, int client) {
        return Packet.tcp(
                SimSite.port(SimSite.UPLINK),
                SimSite.ROUTER_MAC,
                SimSite.ownMac(node, SimSite.UPLINK),
                new Ipv4Address(0x0a63_0000 + client * 7919 % 65_536),
                1024 + client * 104_729 % 60_000,
                SimSite.VIP,
                SimSite.VIP_PORT);
    }

    /** Returns where a client's packet goes now. */
    Fate fate(int client) {
        Verdict verdict = ovs.trace(packets.get(client));
        int set = -1;
        int slot = -1;
        for (FlowKey key : verdict.path()) {
            if (key.table() == SLOTS_TABLE) {
                set = exact(key, Field.REG0);
                slot = exact(key, Field.REG1);
            }
        }
        return new Fate(
                client,
                set,
                slot,
                verdict instanceof Verdict.Sent sent ? Optional.of(destination(sent)) : Optional.empty());
    }

    private static int exact(FlowKey key, Field field) {
        return key.match()
                .term(field)
                .filter(Match.Term::isExact)
                .map(term -> (int) term.value())
                .orElse(-1);
    }

    private static Destination destination(Verdict.Sent sent) {
        Packet packet = sent.first().packet();
        return new Destination(packet.destination(), packet.destinationPort(), packet.destinationMac());
    }
}
