package io.quorumlb.ovs.packet;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.ovs.flow.MacAddress;
import java.util.List;

/** An Ethernet frame that asks or tells which MAC address an IP address has. */
public sealed interface AddressFrame permits ArpFrame, NeighbourFrame {
    /** Returns the frame without its check sequence. */
    byte[] bytes();

    /** Returns the frames that tell everybody that {@code mac} has {@code address} now, in each form that stations take. */
    static List<AddressFrame> announcements(MacAddress mac, IpAddress address) {
        return switch (address) {
            case Ipv4Address ipv4 -> List.of(ArpFrame.announcement(mac, ipv4), ArpFrame.unsolicitedReply(mac, ipv4));
            case Ipv6Address ipv6 -> List.of(NeighbourFrame.announcement(mac, ipv6));
        };
    }
}
