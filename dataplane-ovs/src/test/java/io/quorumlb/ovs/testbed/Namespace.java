package io.quorumlb.ovs.testbed;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A network namespace of this process, gone when it is closed. No packet leaves it but through what a test connects. */
public final class Namespace implements AutoCloseable {
    private final String name;

    /**
     * Makes it; skips the test if this user may not.
     *
     * @param role a short word, unique among those of this process
     */
    public Namespace(String role) {
        OvsTools.require("ip");
        boolean root = "root".equals(System.getProperty("user.name"));
        if ("1".equals(System.getenv("QUORUMLB_REQUIRE_OVS"))) {
            Assertions.assertTrue(root, "network namespaces need root and QUORUMLB_REQUIRE_OVS is 1");
        }
        Assumptions.assumeTrue(root, "network namespaces need root");
        name = "qlb-" + ProcessHandle.current().pid() + "-" + role;
        OvsTools.run(List.of("ip", "netns", "add", name));
        ip("link", "set", "lo", "up");
        // Inherited from a machine that runs containers, it would make the kernel forward what the switch should.
        run("sysctl", "-qw", "net.ipv4.ip_forward=0", "net.ipv4.conf.all.rp_filter=0");
    }

    /** Returns a command as it must be started to run inside. */
    public List<String> inside(String... command) {
        var whole = new ArrayList<>(List.of("ip", "netns", "exec", name));
        whole.addAll(List.of(command));
        return whole;
    }

    /** Runs a command inside to its end and returns what it wrote; it must succeed. */
    public String run(String... command) {
        return OvsTools.run(inside(command));
    }

    /** Runs {@code ip} inside. */
    public String ip(String... arguments) {
        var command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    /** Connects an interface of this namespace with one of another; both are down and speak no IPv6 of their own accord. */
    public void connect(String here, Namespace other, String there) {
        ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", other.name);
        ip("link", "set", here, "addrgenmode", "none");
        other.ip("link", "set", there, "addrgenmode", "none");
    }

    @Override
    public void close() {
        OvsTools.run(List.of("ip", "netns", "del", name));
    }
}
