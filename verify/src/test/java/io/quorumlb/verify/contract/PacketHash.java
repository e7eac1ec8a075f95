package io.quorumlb.verify.contract;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.hash.SlotFormula;
import io.quorumlb.ovs.hash.Tuple;

/** The slots of packets that stand in arrays of header values by {@link FieldIndex}; 0 for what is not IP. */
final class PacketHash {
    private static final int ETH_TYPE_IPV4 = 0x0800;
    private static final int ETH_TYPE_IPV6 = 0x86dd;

    private PacketHash() {}

    /** Returns the link that {@code multipath} chooses, 0..links-1. */
    static int link(long[] values, Action.PacketFields reads, int basis, int links) {
        HashFields fields = switch (reads) {
            case SYMMETRIC_L3L4_UDP -> HashFields.FIVE_TUPLE;
            case NW_SRC -> HashFields.SOURCE_ADDRESS;
            case SYMMETRIC_L3 -> HashFields.ADDRESSES;
        };
        return slot(SlotFunction.MULTIPATH, fields, values, basis, links);
    }

    /** Returns the low bits of the datapath's hash of a TCP packet, 0..slots-1. */
    static int datapath(long[] values, int basis, int slots) {
        return slot(SlotFunction.DP_HASH, HashFields.FIVE_TUPLE, values, basis, slots);
    }

    private static int slot(SlotFunction function, HashFields fields, long[] values, int basis, int slots) {
        long type = values[FieldIndex.of(Field.ETH_TYPE)];
        if (type != ETH_TYPE_IPV4 && type != ETH_TYPE_IPV6) {
            return 0;
        }
        boolean four = type == ETH_TYPE_IPV4;
        boolean udp = values[FieldIndex.of(Field.IP_PROTO)] == Tuple.UDP;
        var tuple = new Tuple(
                four ? four(values, Field.IPV4_SRC) : six(values, Field.IPV6_SRC),
                four ? four(values, Field.IPV4_DST) : six(values, Field.IPV6_DST),
                (int) values[FieldIndex.of(Field.IP_PROTO)],
                (int) values[FieldIndex.of(udp ? Field.UDP_SRC : Field.TCP_SRC)],
                (int) values[FieldIndex.of(udp ? Field.UDP_DST : Field.TCP_DST)]);
        return values[FieldIndex.of(Field.IP_FRAG)] != 0
                ? SlotFormula.slotOfFragment(fields, tuple, basis, slots)
                : SlotFormula.slot(function, fields, tuple, basis, slots);
    }

    private static IpAddress four(long[] values, Field field) {
        return new Ipv4Address((int) values[FieldIndex.of(field)]);
    }

    private static IpAddress six(long[] values, Field field) {
        return new Ipv6Address(values[FieldIndex.high(field)], values[FieldIndex.of(field)]);
    }
}
