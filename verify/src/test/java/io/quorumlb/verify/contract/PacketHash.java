package io.quorumlb.verify.contract;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.hash.SlotFormula;
import io.quorumlb.ovs.hash.Tuple;

/** The slots of packets that stand in arrays of header values by {@link FieldIndex}; 0 for what is not IPv4. */
final class PacketHash {
    private static final int ETH_TYPE_IPV4 = 0x0800;

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
        if (values[FieldIndex.of(Field.ETH_TYPE)] != ETH_TYPE_IPV4) {
            return 0;
        }
        boolean udp = values[FieldIndex.of(Field.IP_PROTO)] == Tuple.UDP;
        return SlotFormula.slot(
                function,
                fields,
                new Tuple(
                        address(values, Field.IPV4_SRC),
                        address(values, Field.IPV4_DST),
                        (int) values[FieldIndex.of(Field.IP_PROTO)],
                        (int) values[FieldIndex.of(udp ? Field.UDP_SRC : Field.TCP_SRC)],
                        (int) values[FieldIndex.of(udp ? Field.UDP_DST : Field.TCP_DST)]),
                basis,
                slots);
    }

    private static Ipv4Address address(long[] values, Field field) {
        return new Ipv4Address((int) values[FieldIndex.of(field)]);
    }
}
