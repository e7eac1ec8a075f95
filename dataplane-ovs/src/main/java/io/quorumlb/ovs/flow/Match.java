package io.quorumlb.ovs.flow;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which packets a flow is for: field values that must all hold, in canonical form, so that equal matches are equal
 * values.
 *
 * @param terms conditions in the order of {@link Field}, each field at most once; empty matches every packet
 * @param unrecognised further conditions found in a switch that this program never writes: their OXM bytes in
 *     hexadecimal, empty if none. They keep foreign flows apart and can be sent back to delete a flow
 */
public record Match(List<Term> terms, String unrecognised) implements Comparable<Match> {
    private static final Match ANY = new Match(List.of(), "");
    private static final long IPPROTO_ICMP = 1;
    private static final long IPPROTO_TCP = 6;
    private static final long IPPROTO_UDP = 17;
    private static final long IPPROTO_ICMPV6 = 58;
    private static final long ETH_TYPE_IPV4 = 0x0800;
    private static final long ETH_TYPE_IPV6 = 0x86dd;
    private static final long ETH_TYPE_ARP = 0x0806;

    /** Sorts the terms and refuses a field that occurs twice. */
    public Match {
        var sorted = new ArrayList<Term>(terms);
        Collections.sort(sorted);
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i - 1).field() == sorted.get(i).field()) {
                throw new IllegalArgumentException(
                        "match has " + sorted.get(i).field().ovsName() + " twice; give each field once");
            }
        }
        terms = List.copyOf(sorted);
    }

    /** Returns the match that every packet meets. */
    public static Match of() {
        return ANY;
    }

    /**
     * Returns this match with one exact condition more.
     *
     * @param field must not be in this match yet
     * @param value must fit the field
     */
    public Match with(Field field, long value) {
        return with(field, value, field.fullMask());
    }

    /**
     * Returns this match with one masked condition more.
     *
     * @param field must not be in this match yet
     * @param value must fit the field; bits outside the mask are cleared
     * @param mask bits to compare, not zero
     */
    public Match with(Field field, long value, long mask) {
        return with(new Term(field, value, mask));
    }

    /**
     * Returns this match with one condition more.
     *
     * @param term its field must not be in this match yet
     */
    public Match with(Term term) {
        var longer = new ArrayList<Term>(terms.size() + 1);
        longer.addAll(terms);
        longer.add(term);
        return new Match(longer, unrecognised);
    }

    /** Returns the condition on a field, empty if this match does not look at it. */
    public Optional<Term> term(Field field) {
        for (Term term : terms) {
            if (term.field() == field) {
                return Optional.of(term);
            }
        }
        return Optional.empty();
    }

    private boolean isExactly(Field field, long value) {
        return term(field)
                .filter(term -> term.isExact() && term.value() == value)
                .isPresent();
    }

    // Said in full: those of a record go through method handles, which is felt at a hundred thousand flows.
    @Override
    public boolean equals(@Nullable Object other) {
        if (this == other) {
            return true;
        }
        return other instanceof Match same && terms.equals(same.terms) && unrecognised.equals(same.unrecognised);
    }

    @Override
    public int hashCode() {
        return terms.hashCode() * 31 + unrecognised.hashCode();
    }

    @Override
    public int compareTo(Match other) {
        int common = Math.min(terms.size(), other.terms.size());
        for (int i = 0; i < common; i++) {
            int order = terms.get(i).compareTo(other.terms.get(i));
            if (order != 0) {
                return order;
            }
        }
        int order = Integer.compare(terms.size(), other.terms.size());
        return order != 0 ? order : unrecognised.compareTo(other.unrecognised);
    }

    /** Returns the match as {@code ovs-ofctl} reads it, for example {@code tcp,nw_dst=10.99.0.10,tcp_dst=80}. */
    @Override
    public String toString() {
        String protocol = protocolName();
        boolean protocolNamesIpProto = !protocol.isEmpty() && !protocol.startsWith("ip") && !protocol.equals("arp");
        var parts = new ArrayList<String>();
        for (Term term : terms) {
            if (term.field() == Field.ETH_TYPE && !protocol.isEmpty()) {
                parts.add(protocol);
            } else if (term.field() != Field.IP_PROTO || !protocolNamesIpProto) {
                parts.add(term.toString());
            }
        }
        if (!unrecognised.isEmpty()) {
            parts.add("oxm(" + unrecognised + ")");
        }
        return String.join(",", parts);
    }

    private String protocolName() {
        if (isExactly(Field.ETH_TYPE, ETH_TYPE_ARP)) {
            return "arp";
        }
        if (isExactly(Field.ETH_TYPE, ETH_TYPE_IPV4)) {
            return transportName(IPPROTO_ICMP).orElse("ip");
        }
        if (isExactly(Field.ETH_TYPE, ETH_TYPE_IPV6)) {
            return transportName(IPPROTO_ICMPV6).map(name -> name + "6").orElse("ipv6");
        }
        return "";
    }

    private Optional<String> transportName(long icmp) {
        return isExactly(Field.IP_PROTO, IPPROTO_TCP)
                ? Optional.of("tcp")
                : isExactly(Field.IP_PROTO, IPPROTO_UDP)
                        ? Optional.of("udp")
                        : isExactly(Field.IP_PROTO, icmp) ? Optional.of("icmp") : Optional.empty();
    }

    /**
     * One condition: the field, under the mask, has this value.
     *
     * @param field field to look at
     * @param high high word of the bits to find, zero for a field of at most 64 bits; bits outside the mask are cleared
     * @param value low word of the bits to find; bits outside the mask are cleared
     * @param maskHigh high word of the bits to compare, within the field
     * @param mask low word of the bits to compare, within the field; not both words are zero
     */
    public record Term(Field field, long high, long value, long maskHigh, long mask) implements Comparable<Term> {
        /** Checks widths and clears the bits that are not compared. */
        public Term {
            field.check("match value", high, value);
            field.check("match mask", maskHigh, mask);
            if (mask == 0 && maskHigh == 0) {
                throw new IllegalArgumentException(
                        field.ovsName() + ": match mask must not be zero; leave the field out instead");
            }
            high &= maskHigh;
            value &= mask;
        }

        /** A condition on a field of at most 64 bits. */
        public Term(Field field, long value, long mask) {
            this(field, 0, value, 0, mask);
        }

        /** Returns the condition that a whole field of more than 64 bits has a value of two words. */
        public static Term wide(Field field, long high, long low) {
            return new Term(field, high, low, field.fullMaskHigh(), field.fullMask());
        }

        /** Returns whether the whole field is compared. */
        public boolean isExact() {
            return mask == field.fullMask() && maskHigh == field.fullMaskHigh();
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            return other instanceof Term same
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
        public int compareTo(Term other) {
            int order = field.compareTo(other.field);
            if (order == 0) {
                order = words(high, value, other.high, other.value);
            }
            return order != 0 ? order : words(maskHigh, mask, other.maskHigh, other.mask);
        }

        private static int words(long high, long low, long otherHigh, long otherLow) {
            int order = Long.compareUnsigned(high, otherHigh);
            return order != 0 ? order : Long.compareUnsigned(low, otherLow);
        }

        @Override
        public String toString() {
            return field.ovsName() + "=" + field.format(high, value, maskHigh, mask);
        }
    }
}
