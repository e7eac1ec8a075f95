package io.quorumlb.ovs.hash;

import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.Ipv6Address;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The packets that two switches are compared by: always the same ones, of both families, TCP and UDP in turn. */
public final class Corpus {
    /** Number of tuples of a node's fingerprint. */
    public static final int FINGERPRINT_TUPLES = 1_200;

    /** Number of slots that the fingerprint asks for. */
    public static final int SLOTS = 65_536;

    /** Salt of the datapath's hash in the fingerprint. */
    public static final int DATAPATH_BASIS = 1;

    private static final int BASES = 65_535;

    private static final long GOLDEN_GAMMA = 0x9e37_79b9_7f4a_7c15L;

    private Corpus() {}

    /** Returns the first tuples of the corpus, a fourth each TCP and UDP of both families. */
    public static List<Tuple> tuples(int count) {
        List<Tuple> tuples = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            tuples.add(tuple(index));
        }
        return Collections.unmodifiableList(tuples);
    }

    /** Returns the salt of the table's hash that the tuple of this index is asked with. */
    public static int tableBasis(int index) {
        return 1 + index % BASES;
    }

    private static Tuple tuple(int index) {
        long source = mixed(4L * index);
        long destination = mixed(4L * index + 1);
        long ports = mixed(4L * index + 2);
        long low = mixed(4L * index + 3);
        boolean six = (index & 1) != 0;
        int protocol = (index & 2) != 0 ? Tuple.UDP : Tuple.TCP;
        return new Tuple(
                six ? six(source, low) : four(source),
                six ? six(destination, Long.rotateLeft(low, 17)) : four(destination),
                protocol,
                1 + (int) (ports >>> 48) % 65_535,
                1 + (int) (ports >>> 16 & 0xffff) % 65_535);
    }

    /** Unicast addresses: 16.0.0.0 to 127.255.255.255. */
    private static IpAddress four(long bits) {
        return new Ipv4Address((int) (0x1000_0000 + (bits >>> 33) % 0x7000_0000L));
    }

    private static IpAddress six(long high, long low) {
        return new Ipv6Address(0x2000_0000_0000_0000L | high >>> 3, low);
    }

    /** Steele, Lea and Flood's SplitMix64, of the n-th state. */
    private static long mixed(long n) {
        long z = (n + 1) * GOLDEN_GAMMA;
        z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return z ^ (z >>> 31);
    }
}
