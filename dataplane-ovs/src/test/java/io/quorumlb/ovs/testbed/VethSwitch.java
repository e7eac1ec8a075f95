package io.quorumlb.ovs.testbed;

import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Assumptions;

/**
 * An Open vSwitch that forwards real packets: it runs in a network namespace of its own, each of its ports is a link into
 * a second namespace, where a client and members can be. Needs root.
 */
public final class VethSwitch implements AutoCloseable {
    public static final String BRIDGE = "br0";

    private final SwitchDirectory directory;
    private final String inner = "qlb-%d-s".formatted(ProcessHandle.current().pid());
    private final String outer = "qlb-%d-p".formatted(ProcessHandle.current().pid());
    private final Process database;
    private Process vswitchd;

    /**
     * Starts it.
     *
     * @param directory for its files, empty
     * @param ports name of the outer end of each port's link, by OpenFlow port number
     */
    public VethSwitch(Path directory, SortedMap<Integer, String> ports) {
        OvsTools.require("ovs-vswitchd");
        OvsTools.require("python3");
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "network namespaces need root");
        this.directory = new SwitchDirectory(directory);
        for (String name : List.of(inner, outer)) {
            run("ip", "netns", "add", name);
            inside(name, "sysctl", "-qw", "net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1");
            inside(name, "sysctl", "-qw", "net.ipv4.ip_forward=0");
        }
        ports.forEach((number, name) -> {
            run("ip", "link", "add", "s" + number, "netns", inner, "type", "veth", "peer", name, "netns", outer);
            inside(inner, "ip", "link", "set", "s" + number, "up");
            inside(outer, "ip", "link", "set", name, "up");
        });
        database = this.directory.startDatabase();
        vswitchd = startVswitchd();
        vsctl("add-br", BRIDGE, "--", "set", "bridge", BRIDGE, "datapath_type=netdev", "fail_mode=secure");
        ports.keySet()
                .forEach(number -> vsctl(
                        "add-port",
                        BRIDGE,
                        "s" + number,
                        "--",
                        "set",
                        "interface",
                        "s" + number,
                        "ofport_request=" + number));
    }

    /** Returns the directory of its sockets. */
    public Path directory() {
        return directory.path();
    }

    /** Starts a program of the test resources in the namespace of the links' outer ends. */
    public Process startOutside(String script, List<String> arguments) throws IOException {
        Path file = directory.path().resolve(script);
        try (InputStream source = VethSwitch.class.getResourceAsStream("/testbed/" + script)) {
            if (source == null) {
                throw new IOException("no test resource testbed/" + script);
            }
            Files.copy(source, file);
        }
        var command = new ArrayList<>(List.of("ip", "netns", "exec", outer, "/usr/bin/python3", file.toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Opens its control socket. */
    public UnixControl control() throws UnixControlException {
        return UnixControl.open(ControlSocket.of(directory.path(), "ovs-vswitchd"), Duration.ofSeconds(10));
    }

    /** Kills ovs-vswitchd and starts it again at once. */
    public void restart() {
        SwitchDirectory.end(vswitchd);
        vswitchd = startVswitchd();
    }

    private Process startVswitchd() {
        return directory.start(
                "ovs-vswitchd",
                List.of(
                        "ip",
                        "netns",
                        "exec",
                        inner,
                        "ovs-vswitchd",
                        "--disable-system",
                        "--pidfile",
                        "--log-file",
                        "unix:" + directory.path("db.sock")));
    }

    /** Does anything ovs-vsctl can. */
    public void vsctl(String... arguments) {
        directory.vsctl(arguments);
    }

    private void run(String... command) {
        directory.run(List.of(command));
    }

    private void inside(String namespace, String... command) {
        var whole = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        whole.addAll(List.of(command));
        directory.run(whole);
    }

    @Override
    public void close() {
        SwitchDirectory.end(vswitchd);
        SwitchDirectory.end(database);
        run("ip", "netns", "del", inner);
        run("ip", "netns", "del", outer);
    }
}
