package io.quorumlb.ovs.flow;

import org.jspecify.annotations.Nullable;

/**
 * One thing done to a packet. Only forms that Open vSwitch gives back unchanged when flows are read, so that a
 * desired and an installed flow can be compared with {@code equals}.
 */
public sealed interface Action {
    /**
     * Sends the packet out of a port.
     *
     * @param port port number, unsigned 32 bits; never the input port, see {@link InPort}
     */
    record Output(int port) implements Action {
        /** Refuses the reserved number that {@link InPort} stands for. */
        public Output {
            if (port == Ports.OFPP_IN_PORT) {
                throw new IllegalArgumentException("output to the input port is written InPort");
            }
        }

        @Override
        public String toString() {
            return "output:" + Ports.format(port);
        }
    }

    /** Sends the packet back out of the port it came in by. */
    record InPort() implements Action {
        @Override
        public String toString() {
            return "IN_PORT";
        }
    }

    /**
     * Writes a constant into a field.
     *
     * @param field field to write
     * @param high high word to write, zero for a field of at most 64 bits; bits outside the mask are cleared
     * @param value low word to write; bits outside the mask are cleared
     * @param maskHigh high word of the bits that change
     * @param mask low word of the bits that change; not both words are zero
     */
    record SetField(Field field, long high, long value, long maskHigh, long mask) implements Action {
        /** Checks widths and clears the bits that are not written. */
        public SetField {
            field.check("set_field value", high, value);
            field.check("set_field mask", maskHigh, mask);
            if (mask == 0 && maskHigh == 0) {
                throw new IllegalArgumentException(field.ovsName() + ": set_field mask must not be zero");
            }
            high &= maskHigh;
            value &= mask;
        }

        /** Writes some bits of a field of at most 64. */
        public SetField(Field field, long value, long mask) {
            this(field, 0, value, 0, mask);
        }

        /** Writes the whole of a field of at most 64 bits. */
        public SetField(Field field, long value) {
            this(field, 0, value, 0, field.fullMask());
        }

        /** Returns the action that writes the whole of a field of more than 64 bits. */
        public static SetField wide(Field field, long high, long low) {
            return new SetField(field, high, low, field.fullMaskHigh(), field.fullMask());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof SetField same
                    && field == same.field
                    && value == same.value
                    && mask == same.mask
                    && high == same.high
                    && maskHigh == same.maskHigh;
        }

        @Override
        public int hashCode() {
            return (Long.hashCode(value) * 31 + Long.hashCode(mask ^ high ^ maskHigh)) * 31 + field.hashCode();
        }

        @Override
        public String toString() {
            return "set_field:" + field.format(high, value, maskHigh, mask) + "->" + field.ovsName();
        }
    }

    /**
     * Copies bits of one field into another.
     *
     * @param source field to read
     * @param sourceOffset lowest bit read
     * @param destination field to write
     * @param destinationOffset lowest bit written
     * @param bits number of bits, 1..128, within both fields
     */
    record Move(Field source, int sourceOffset, Field destination, int destinationOffset, int bits) implements Action {
        /** Checks that the bits lie within both fields. */
        public Move {
            checkRange(source, sourceOffset, bits);
            checkRange(destination, destinationOffset, bits);
        }

        /** Copies a whole field into the low bits of one that is at least as wide. */
        public Move(Field source, Field destination) {
            this(source, 0, destination, 0, source.bits());
        }

        private static void checkRange(Field field, int offset, int bits) {
            if (offset < 0 || bits < 1 || offset + bits > field.bits()) {
                throw new IllegalArgumentException("move: bits " + offset + ".." + (offset + bits - 1) + " are not in "
                        + field.ovsName() + " of " + field.bits() + " bits");
            }
        }

        @Override
        public String toString() {
            return "move:" + range(source, sourceOffset, bits) + "->" + range(destination, destinationOffset, bits);
        }

        private static String range(Field field, int offset, int bits) {
            return field.ovsName()
                    + (bits == field.bits()
                            ? "[]"
                            : bits == 1 ? "[" + offset + "]" : "[" + offset + ".." + (offset + bits - 1) + "]");
        }
    }

    /**
     * Sends the packet to the controllers that want it.
     *
     * @param bytes most bytes of it, 1..65535
     */
    record Controller(int bytes) implements Action {
        /** Checks the range. */
        public Controller {
            if (bytes < 1 || bytes > 0xffff) {
                throw new IllegalArgumentException("controller: bytes must be 1..65535, are " + bytes);
            }
        }

        @Override
        public String toString() {
            return "CONTROLLER:" + bytes;
        }
    }

    /**
     * Does what a group says.
     *
     * @param id number of the group, unsigned 32 bits
     */
    record ToGroup(int id) implements Action {
        @Override
        public String toString() {
            return "group:" + Integer.toUnsignedString(id);
        }
    }

    /**
     * Does what a table says and comes back.
     *
     * @param table 0..254
     */
    record Resubmit(int table) implements Action {
        /** Checks the range. */
        public Resubmit {
            if (table < 0 || table > FlowKey.TABLE_MAX) {
                throw new IllegalArgumentException("resubmit: table must be 0..254, is " + table);
            }
        }

        @Override
        public String toString() {
            return "resubmit(," + table + ")";
        }
    }

    /**
     * Ends here for a packet that is one too many for a meter.
     *
     * @param id number of the meter, see {@link Meter}
     */
    record ToMeter(int id) implements Action {
        @Override
        public String toString() {
            return "meter:" + id;
        }
    }

    /** Takes one from the IP time to live; a packet whose time is over is dropped. The flow must match ip. */
    record DecTtl() implements Action {
        @Override
        public String toString() {
            return "dec_ttl";
        }
    }

    /** What a {@link Multipath} reads of a packet: never a MAC address, so that every node gives the same answer. */
    enum PacketFields {
        /** Addresses, protocol, ports of TCP and UDP; both directions alike. */
        SYMMETRIC_L3L4_UDP("symmetric_l3l4+udp", 3),
        /** The source address. */
        NW_SRC("nw_src", 4),
        /** Addresses; both directions alike. */
        SYMMETRIC_L3("symmetric_l3", 6);

        private final String ovsName;
        private final int number;

        PacketFields(String ovsName, int number) {
            this.ovsName = ovsName;
            this.number = number;
        }

        /** Returns the name in the syntax of {@code ovs-ofctl}. */
        public String ovsName() {
            return ovsName;
        }

        /** Returns the number on the wire. */
        public int number() {
            return number;
        }
    }

    /**
     * Writes a packet hash modulo the number of links ({@code modulo_n}) into a whole register.
     *
     * @param fields what of the packet is hashed
     * @param basis salt of the hash, 0..65535
     * @param maxLink highest result, number of links minus one, 0..65535
     * @param register register to write
     */
    record Multipath(PacketFields fields, int basis, int maxLink, Field register) implements Action {
        /** Checks the ranges. */
        public Multipath {
            if (basis < 0 || basis > 0xffff) {
                throw new IllegalArgumentException("multipath: basis must be 0..65535, is " + basis);
            }
            if (maxLink < 0 || maxLink > 0xffff) {
                throw new IllegalArgumentException("multipath: links must be 1..65536, are " + (maxLink + 1L));
            }
            if (maxLink >>> Math.min(register.bits(), 31) != 0) {
                throw new IllegalArgumentException(
                        "multipath: " + register.ovsName() + " is too narrow for " + maxLink);
            }
        }

        @Override
        public String toString() {
            return "multipath(" + fields.ovsName() + "," + basis + ",modulo_n," + (maxLink + 1) + ",0,"
                    + register.ovsName() + "[])";
        }
    }

    /**
     * An action found in a switch that this program never writes.
     *
     * @param bytes the whole action with its header, in hexadecimal
     */
    record Unrecognised(String bytes) implements Action {
        @Override
        public String toString() {
            return "action(" + bytes + ")";
        }
    }
}
