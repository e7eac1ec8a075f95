package io.quorumlb.node.main;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A real Open vSwitch of its own with the userspace datapath, between two networks of network namespaces: a segment with the
 * hosts {@code h1} and {@code h2}, and an uplink with the router {@code r1} and another router {@code r2}. Needs the right
 * to administer the network; nothing leaves these namespaces.
 */
final class TwoNetworks implements AutoCloseable {
    static final String SEGMENT = "qlbns";
    static final String UPLINK = "qlbnu";
    private static final String LAN = "qlbn-lan";
    private static final List<String> SPACES = List.of(LAN, "qlbn-h1", "qlbn-h2", "qlbn-r1", "qlbn-r2");
    private static final String SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema";

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();

    TwoNetworks(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        assumeTrue(
                Files.isExecutable(Path.of("/usr/sbin/ovs-vswitchd")),
                "ovs-vswitchd is absent: install openvswitch-switch");
        // What a test that was killed has left behind.
        sweep();
        assumeTrue(space(LAN), "needs the right to make a network namespace");
        network(SEGMENT, "h1", "h2");
        network(UPLINK, "r1", "r2");
        run("ovsdb-tool", "create", path("conf.db"), SCHEMA);
        processes.add(start("ovsdb-server", "--remote=punix:" + path("db.sock"), "--pidfile", path("conf.db")));
        vsctl("--no-wait", "init");
        processes.add(start("ovs-vswitchd", "--disable-system", "--pidfile", "unix:" + path("db.sock")));
        vsctl("add-br", "qlbn-br", "--", "set", "bridge", "qlbn-br", "datapath_type=netdev", "fail_mode=secure");
        attach(SEGMENT, "02:51:55:01:02:01", "198.18.20.11/24", "fd51:20::11/64");
        attach(UPLINK, "02:51:55:01:00:01", "198.18.10.11/24", "fd51:10::11/64");
    }

    String bridge() {
        return "qlbn-br";
    }

    Path rundir() {
        return directory;
    }

    static String port(String network) {
        return network + "-x";
    }

    static String internal(String network) {
        return network + "-i";
    }

    /** Runs a command in the namespace of a station. */
    void in(String station, String... command) throws IOException, InterruptedException {
        var _ = outputIn(station, command);
    }

    /** Runs a command in the namespace of a station and returns what it wrote. */
    String outputIn(String station, String... command) throws IOException, InterruptedException {
        var all = new ArrayList<>(List.of("ip", "netns", "exec", "qlbn-" + station));
        all.addAll(List.of(command));
        return run(all.toArray(String[]::new));
    }

    /** Starts a command in the namespace of a station. */
    Process startIn(String station, String... command) throws IOException {
        var all = new ArrayList<>(List.of("ip", "netns", "exec", "qlbn-" + station));
        all.addAll(List.of(command));
        Process process = start(all.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    /** Returns how many entries the kernel has for neighbours on the node's own interface. */
    long kernelNeighbours(String network) throws IOException, InterruptedException {
        return run("ip", "-4", "neigh", "show", "dev", internal(network))
                .lines()
                .count();
    }

    String ofctl(String verb, String... arguments) throws IOException, InterruptedException {
        var command =
                new ArrayList<>(List.of("ovs-ofctl", "-O", "OpenFlow15", verb, "unix:" + path(bridge() + ".mgmt")));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    String appctl(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("ovs-appctl", "-t", "ovs-vswitchd"));
        command.addAll(List.of(arguments));
        return run(command.toArray(String[]::new));
    }

    private boolean space(String name) throws IOException, InterruptedException {
        if (!succeeds("ip", "netns", "add", name)) {
            return false;
        }
        run("ip", "netns", "exec", name, "sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0");
        run("ip", "-n", name, "link", "set", "lo", "up");
        return true;
    }

    /** A bridge in a namespace of its own, with the switch's port and two stations on it. */
    private void network(String network, String... stations) throws IOException, InterruptedException {
        run("ip", "-n", LAN, "link", "add", network, "type", "bridge");
        run("ip", "-n", LAN, "link", "set", network, "up");
        run("ip", "link", "add", port(network), "type", "veth", "peer", "name", network + "-s", "netns", LAN);
        join(network, network + "-s");
        // The kernel sees what the switch's port receives, too: it must not answer for the node's own address.
        run("sysctl", "-qw", "net.ipv4.conf.%s.arp_ignore=8".formatted(port(network)));
        run("sysctl", "-qw", "net.ipv6.conf.%s.disable_ipv6=1".formatted(port(network)));
        run("ip", "link", "set", port(network), "up");
        for (String station : stations) {
            String name = "qlbn-" + station;
            assumeTrue(space(name), "namespace " + name);
            run("ip", "link", "add", "eth0", "netns", name, "type", "veth", "peer", "name", station, "netns", LAN);
            join(network, station);
            run("ip", "-n", name, "link", "set", "eth0", "up");
            in(station, "ethtool", "-K", "eth0", "tx", "off");
        }
    }

    private void join(String network, String port) throws IOException, InterruptedException {
        run("ip", "-n", LAN, "link", "set", port, "master", network);
        run("ip", "-n", LAN, "link", "set", port, "up");
        run("ip", "netns", "exec", LAN, "ethtool", "-K", port, "tx", "off");
    }

    private void attach(String network, String mac, String... addresses) throws IOException, InterruptedException {
        String own = internal(network);
        vsctl("add-port", bridge(), port(network));
        vsctl("add-port", bridge(), own, "--", "set", "interface", own, "type=internal", "mac=\"" + mac + "\"");
        run("sysctl", "-qw", "net.ipv6.conf.%s.accept_dad=0".formatted(own));
        for (String address : addresses) {
            run("ip", "address", "add", address, "dev", own);
        }
        run("ip", "link", "set", own, "up");
        run("ethtool", "-K", own, "tx", "off");
    }

    private void vsctl(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("ovs-vsctl", "--retry", "--timeout=20", "--db=unix:" + path("db.sock")));
        command.addAll(List.of(arguments));
        run(environment(), command.toArray(String[]::new));
    }

    private Process start(String... command) throws IOException {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(processes.size() + ".out").toFile());
        builder.environment().putAll(environment());
        return builder.start();
    }

    private Map<String, String> environment() {
        String own = directory.toString();
        return Map.of("OVS_RUNDIR", own, "OVS_DBDIR", own, "OVS_LOGDIR", own, "OVS_SYSCONFDIR", own);
    }

    private String path(String file) {
        return directory.resolve(file).toString();
    }

    private String run(String... command) throws IOException, InterruptedException {
        return run(environment(), command);
    }

    private static String run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(List.of(command) + ": " + output);
        }
        return output;
    }

    private static boolean succeeds(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    @Override
    public void close() throws IOException {
        try {
            for (Process process : processes.reversed()) {
                process.destroyForcibly();
                process.waitFor(10, TimeUnit.SECONDS);
            }
            sweep();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the networks were taken down", interrupted);
        }
    }

    private void sweep() throws IOException, InterruptedException {
        for (String space : SPACES) {
            succeeds("ip", "netns", "delete", space);
        }
        for (String link : List.of(port(SEGMENT), port(UPLINK), internal(SEGMENT), internal(UPLINK), bridge())) {
            succeeds("ip", "link", "delete", link);
        }
    }
}
