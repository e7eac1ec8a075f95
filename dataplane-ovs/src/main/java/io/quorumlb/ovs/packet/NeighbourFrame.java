package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Optional;

/** An Ethernet frame with a neighbour discovery message for IPv6 (RFC 4861), untagged, without extension headers. */
public sealed interface NeighbourFrame extends AddressFrame {
    /** All nodes on the link. */
    Ipv6Address ALL_NODES = new Ipv6Address(0xff02_0000_0000_0000L, 1);

    /** Where frames for {@link #ALL_NODES} go. */
    MacAddress ALL_NODES_MAC = new MacAddress(0x3333_0000_0001L);

    /**
     * Who has the target address?
     *
     * @param destination Ethernet destination
     * @param source Ethernet source
     * @param sender IPv6 source
     * @param receiver IPv6 destination
     * @param target the address asked for
     * @param senderMac the sender's own link-layer address; empty if the option is missing
     */
    record Solicitation(
            MacAddress destination,
            MacAddress source,
            Ipv6Address sender,
            Ipv6Address receiver,
            Ipv6Address target,
            Optional<MacAddress> senderMac)
            implements NeighbourFrame {}

    /**
     * The target address is at that link-layer address.
     *
     * @param destination Ethernet destination
     * @param source Ethernet source
     * @param sender IPv6 source
     * @param receiver IPv6 destination
     * @param target the address spoken of
     * @param targetMac where it is; empty if the option is missing
     * @param flags router, solicited, override
     */
    record Advertisement(
            MacAddress destination,
            MacAddress source,
            Ipv6Address sender,
            Ipv6Address receiver,
            Ipv6Address target,
            Optional<MacAddress> targetMac,
            Flags flags)
            implements NeighbourFrame {}

    /**
     * Flags of an advertisement.
     *
     * @param router the sender forwards packets
     * @param solicited it answers a question
     * @param override what is remembered of the target is to be replaced
     */
    record Flags(boolean router, boolean solicited, boolean override) {}

    /** Ethernet destination. */
    MacAddress destination();

    /** Ethernet source. */
    MacAddress source();

    /** IPv6 source. */
    Ipv6Address sender();

    /** IPv6 destination. */
    Ipv6Address receiver();

    /** The address asked for or spoken of. */
    Ipv6Address target();

    /** Returns the question, to all stations that may have the target address, who has it. */
    static NeighbourFrame solicitation(MacAddress from, Ipv6Address sender, Ipv6Address target) {
        Ipv6Address group = solicitedNode(target);
        return new Solicitation(multicastMac(group), from, sender, group, target, Optional.of(from));
    }

    /** Returns the question, to one station, whether it still has the target address. */
    static NeighbourFrame solicitation(MacAddress to, MacAddress from, Ipv6Address sender, Ipv6Address target) {
        return new Solicitation(to, from, sender, target, target, Optional.of(from));
    }

    /** Returns the unsolicited advertisement, to everybody: the router at {@code mac} has {@code address} now. */
    static NeighbourFrame announcement(MacAddress mac, Ipv6Address address) {
        return new Advertisement(
                ALL_NODES_MAC, mac, address, ALL_NODES, address, Optional.of(mac), new Flags(true, false, true));
    }

    /** Returns a router's answer to a question of that station. */
    static NeighbourFrame reply(MacAddress from, Ipv6Address target, MacAddress to, Ipv6Address receiver) {
        return new Advertisement(to, from, target, receiver, target, Optional.of(from), new Flags(true, true, true));
    }

    /** Returns the multicast group of all stations that may have the address (RFC 4291, section 2.7.1). */
    static Ipv6Address solicitedNode(Ipv6Address target) {
        return new Ipv6Address(0xff02_0000_0000_0000L, 0x0000_0001_ff00_0000L | (target.low() & 0xff_ffffL));
    }

    /** Returns where frames for a multicast group go (RFC 2464, section 7). */
    static MacAddress multicastMac(Ipv6Address group) {
        return new MacAddress(0x3333_0000_0000L | (group.low() & 0xffff_ffffL));
    }

    /** Returns the frame with its checksum, 86 bytes, or 78 without link-layer address. */
    @Override
    default byte[] bytes() {
        return NeighbourCodec.encode(this);
    }

    /**
     * Reads a frame; empty if it is not a solicitation or advertisement directly in an untagged IPv6 packet, or breaks
     * a rule of RFC 4861, section 7.1: hop limit 255, code 0, checksum, lengths, no multicast target.
     */
    static Optional<NeighbourFrame> parse(byte[] frame) {
        return NeighbourCodec.decode(frame);
    }
}
