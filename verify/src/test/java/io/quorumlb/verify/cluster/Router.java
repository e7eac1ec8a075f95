package io.quorumlb.verify.cluster;

import io.quorumlb.maglev.IpFamily;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ECMP router of the site. */
final class Router {
    private static final Pattern HOP = Pattern.compile("via (?:10\\.10\\.0\\.1|fd00:10::1)([123])\\b");
    private static final Pattern FRAME = Pattern.compile("(?<source>[0-9a-f:]{17}) > (?<destination>[0-9a-f:]{17})");
    private static final String CAPTURE = "/run/capture";

    private final Container container;

    Router(Container container) {
        this.container = container;
    }

    /** Returns the nodes that the routes to each pool's VIP lead to. */
    SortedMap<SitePool, SortedSet<String>> hops() {
        SortedMap<SitePool, SortedSet<String>> nodes = new TreeMap<>();
        for (SitePool pool : SitePool.values()) {
            SortedSet<String> hops = new TreeSet<>();
            HOP.matcher(container.run("ip", family(pool), "route", "show", pool.vip()))
                    .results()
                    .forEach(hop -> hops.add("n" + hop.group(1)));
            nodes.put(pool, hops);
        }
        return nodes;
    }

    /** Sends everything for the VIPs to one node, by routes that are better than the learned ones. */
    void pin(String node) {
        for (SitePool pool : SitePool.values()) {
            container.run("ip", family(pool), "route", "replace", pool.vip(), "via", uplink(pool, node), "metric", "1");
        }
    }

    /** Undoes {@link #pin}; nothing happens if there is nothing to undo. */
    void unpin() {
        for (SitePool pool : SitePool.values()) {
            container.exec("ip", family(pool), "route", "del", pool.vip(), "metric", "1");
        }
    }

    /** Returns the node whose uplink has the MAC address, or the address itself. */
    static String nodeOf(String mac) {
        Matcher node = Pattern.compile("02:51:55:0([123]):00:01").matcher(mac);
        return node.matches() ? "n" + node.group(1) : mac;
    }

    private static String family(SitePool pool) {
        return pool.family() == IpFamily.IPV6 ? "-6" : "-4";
    }

    private static String uplink(SitePool pool, String node) {
        return (pool.family() == IpFamily.IPV6 ? "fd00:10::1" : "10.10.0.1") + node.substring(1);
    }

    /** Starts to capture SYN and SYN-ACK on the uplink. */
    void startCapture() {
        container.shell("""
                link=$(ip -o -4 address show | awk '$4 ~ /^10\\.10\\.0\\.1\\// { print $2 }')
                setsid tcpdump -l -e -n -i "$link" 'tcp[tcpflags] & tcp-syn != 0 and port 80' > %1$s 2> %1$s.err < /dev/null &
                echo $! > %1$s.pid
                for i in $(seq 100); do grep -q '^listening' %1$s.err && exit 0; sleep 0.05; done
                cat %1$s.err >&2; exit 1""".formatted(CAPTURE));
    }

    /** Ends the capture and returns its lines. */
    String stopCapture() {
        return container.shell("""
                pid=$(cat %1$s.pid); kill -INT "$pid"; timeout 5 tail --pid="$pid" -s 0.05 -f /dev/null; cat %1$s""".formatted(CAPTURE));
    }

    /** Returns source and destination MAC address of a captured frame. */
    static Frame frame(String line) {
        Matcher found = FRAME.matcher(line);
        if (!found.find()) {
            throw new IllegalStateException("cannot read this line of tcpdump: " + line);
        }
        return new Frame(found.group("source"), found.group("destination"));
    }

    /**
     * A captured frame.
     *
     * @param source MAC address it came from
     * @param destination MAC address it went to
     */
    record Frame(String source, String destination) {}
}
