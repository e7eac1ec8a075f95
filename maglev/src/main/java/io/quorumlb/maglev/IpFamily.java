package io.quorumlb.maglev;

/** The two versions of IP, in the order in which addresses sort. */
public enum IpFamily {
    /** IPv4. */
    V4("IPv4"),
    /** IPv6. */
    V6("IPv6");

    private final String word;

    IpFamily(String word) {
        this.word = word;
    }

    /** Returns {@code IPv4} or {@code IPv6}. */
    @Override
    public String toString() {
        return word;
    }
}
