package io.quorumlb.consensus.model;

/**
 * Ports in a row.
 *
 * @param first lowest, 0..65535
 * @param last highest, {@code first}..65535
 */
public record PortRange(int first, int last) {
    /** Highest port. */
    public static final int PORT_MAX = 65_535;

    /** Every port, the reserved 0 among them. */
    static final PortRange ALL = new PortRange(0, PORT_MAX);

    /** Checks order and limits. */
    public PortRange {
        if (first < 0 || last > PORT_MAX || first > last) {
            throw new IllegalArgumentException(
                    "ports %d-%d: first to last, in 0..%d, expected".formatted(first, last, PORT_MAX));
        }
    }

    /** Returns the range of one port. */
    static PortRange of(int port) {
        return new PortRange(port, port);
    }

    /** Returns true if every port of the other lies in this one. */
    public boolean contains(PortRange other) {
        return first <= other.first && other.last <= last;
    }

    /** Returns true if some port lies in both. */
    public boolean overlaps(PortRange other) {
        return first <= other.last && other.first <= last;
    }

    /** Returns {@code 80}, or {@code 8000-8100}. */
    @Override
    public String toString() {
        return first == last ? Integer.toString(first) : first + "-" + last;
    }
}
