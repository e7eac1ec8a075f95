package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.Optional;

/**
 * An Ethernet frame with an ARP packet for IPv4 (RFC 826), untagged.
 *
 * @param destination Ethernet destination
 * @param source Ethernet source
 * @param operation request or reply
 * @param senderMac sender hardware address
 * @param sender sender protocol address
 * @param targetMac target hardware address; zero where it is asked for
 * @param target target protocol address
 */
public record ArpFrame(
        MacAddress destination,
        MacAddress source,
        Operation operation,
        MacAddress senderMac,
        Ipv4Address sender,
        MacAddress targetMac,
        Ipv4Address target)
        implements AddressFrame {
    /** Every station. */
    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    /** Shortest Ethernet frame without its check sequence, in bytes. */
    private static final int FRAME_BYTES_MIN = 60;

    private static final int ARP_BYTES = 42;
    private static final int ETHERTYPE_ARP = 0x0806;
    private static final int ETHERTYPE_IPV4 = 0x0800;
    private static final int HARDWARE_ETHERNET = 1;
    private static final int MAC_BYTES = 6;
    private static final int IPV4_BYTES = 4;
    private static final MacAddress UNKNOWN = new MacAddress(0);

    /** What an ARP packet is. */
    public enum Operation {
        /** Who has the target address? */
        REQUEST(1),
        /** The sender has the sender address. */
        REPLY(2);

        private final int code;

        Operation(int code) {
            this.code = code;
        }
    }

    /** Returns the question, to everybody, who has the target address. */
    public static ArpFrame request(MacAddress from, Ipv4Address sender, Ipv4Address target) {
        return request(BROADCAST, from, sender, target);
    }

    /** Returns the question, to one station, whether it still has the target address. */
    public static ArpFrame request(MacAddress to, MacAddress from, Ipv4Address sender, Ipv4Address target) {
        return new ArpFrame(to, from, Operation.REQUEST, from, sender, UNKNOWN, target);
    }

    /** Returns the answer to a question of that station. */
    public static ArpFrame reply(MacAddress from, Ipv4Address sender, MacAddress to, Ipv4Address target) {
        return new ArpFrame(to, from, Operation.REPLY, from, sender, to, target);
    }

    /** Returns the announcement in the form of a request (RFC 5227, section 3): {@code mac} has {@code address}. */
    public static ArpFrame announcement(MacAddress mac, Ipv4Address address) {
        return request(mac, address, address);
    }

    /** Returns the announcement in the form of a reply to everybody: some stations take this one only. */
    public static ArpFrame unsolicitedReply(MacAddress mac, Ipv4Address address) {
        return new ArpFrame(BROADCAST, mac, Operation.REPLY, mac, address, BROADCAST, address);
    }

    /** Returns true if the sender speaks of its own address to everybody, as one that has just taken it does. */
    public boolean isGratuitous() {
        return sender.equals(target);
    }

    /** Returns the frame, 60 bytes, padded with zeros, without check sequence. */
    @Override
    public byte[] bytes() {
        return new FrameWriter(FRAME_BYTES_MIN)
                .mac(destination)
                .mac(source)
                .uint16(ETHERTYPE_ARP)
                .uint16(HARDWARE_ETHERNET)
                .uint16(ETHERTYPE_IPV4)
                .octet(MAC_BYTES)
                .octet(IPV4_BYTES)
                .uint16(operation.code)
                .mac(senderMac)
                .address(sender)
                .mac(targetMac)
                .address(target)
                .frame();
    }

    /** Reads a frame; empty if it is not an untagged ARP request or reply for IPv4 over Ethernet. */
    public static Optional<ArpFrame> parse(byte[] frame) {
        if (frame.length < ARP_BYTES) {
            return Optional.empty();
        }
        var in = new FrameReader(frame);
        MacAddress destination = in.mac();
        MacAddress source = in.mac();
        boolean arpForIpv4 = in.uint16() == ETHERTYPE_ARP
                && in.uint16() == HARDWARE_ETHERNET
                && in.uint16() == ETHERTYPE_IPV4
                && in.octet() == MAC_BYTES
                && in.octet() == IPV4_BYTES;
        if (!arpForIpv4) {
            return Optional.empty();
        }
        int code = in.uint16();
        MacAddress senderMac = in.mac();
        Ipv4Address sender = in.ipv4();
        MacAddress targetMac = in.mac();
        Ipv4Address target = in.ipv4();
        for (Operation operation : Operation.values()) {
            if (operation.code == code) {
                return Optional.of(new ArpFrame(destination, source, operation, senderMac, sender, targetMac, target));
            }
        }
        return Optional.empty();
    }
}
