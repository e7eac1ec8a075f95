package io.quorumlb.ovs.testbed;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An Open vSwitch of its own, in a directory of its own, with a bridge br0. */
public final class PrivateSwitch implements AutoCloseable {
    public static final String BRIDGE = "br0";

    private final SwitchDirectory directory;
    private final List<String> vswitchdCommand;
    private final Process database;
    private Process vswitchd;

    /** Starts one whose packets are only thought of, with the dummy ports p1 and p2; the directory must be empty. */
    public PrivateSwitch(Path directory) {
        this(directory, List.of("ovs-vswitchd", "--enable-dummy=override"), "dummy");
        for (String port : List.of("p1", "p2")) {
            vsctl("add-port", BRIDGE, port, "--", "set", "interface", port, "type=dummy");
        }
    }

    /** Starts one that forwards real packets within a namespace, without ports; the directory must be empty. */
    public static PrivateSwitch inNamespace(Path directory, Namespace namespace) {
        return new PrivateSwitch(directory, namespace.inside("ovs-vswitchd"), "netdev");
    }

    private PrivateSwitch(Path directory, List<String> vswitchdCommand, String datapathType) {
        OvsTools.require("ovs-vswitchd");
        this.directory = new SwitchDirectory(directory);
        this.vswitchdCommand = vswitchdCommand;
        database = this.directory.startDatabase();
        vswitchd = startVswitchd();
        vsctl("add-br", BRIDGE, "--", "set", "bridge", BRIDGE, "datapath_type=" + datapathType, "fail_mode=secure");
    }

    /** Returns the directory of its sockets. */
    public Path directory() {
        return directory.path();
    }

    /** Kills ovs-vswitchd and returns when it is gone. */
    public void kill() {
        SwitchDirectory.end(vswitchd);
    }

    /** Starts ovs-vswitchd again and returns when the bridge is there. */
    public void restart() {
        vswitchd = startVswitchd();
        vsctl("wait-until", "interface", "p2", "ofport>0");
        // The database is written before the socket; a change it has to answer makes sure of both.
        vsctl("set", "bridge", BRIDGE, "other_config:started=" + vswitchd.pid());
    }

    /** Stops ovs-vswitchd as a frozen machine would. */
    public void freeze() {
        signal("-STOP");
    }

    /** Lets ovs-vswitchd go on. */
    public void thaw() {
        signal("-CONT");
    }

    private void signal(String name) {
        OvsTools.run(List.of("kill", name, Long.toString(vswitchd.pid())));
    }

    /** Sets columns or does anything else ovs-vsctl can. */
    public void vsctl(String... arguments) {
        directory.vsctl(arguments);
    }

    /** Runs ovs-ofctl with OpenFlow 1.5 on the bridge and returns what it wrote. */
    public String ofctl(String verb, String... arguments) {
        var command = new ArrayList<>(
                List.of("ovs-ofctl", "-O", "OpenFlow15", verb, "unix:" + directory.path(BRIDGE + ".mgmt")));
        command.addAll(List.of(arguments));
        return directory.run(command);
    }

    /** Runs a command of ovs-vswitchd's control socket and returns what it wrote. */
    public String appctl(String... arguments) {
        var command = new ArrayList<>(List.of("ovs-appctl", "--timeout=15", "--target=ovs-vswitchd"));
        command.addAll(List.of(arguments));
        return directory.run(command);
    }

    private Process startVswitchd() {
        var command = new ArrayList<>(vswitchdCommand);
        command.addAll(List.of("--disable-system", "--pidfile", "unix:" + directory.path("db.sock")));
        return directory.start("ovs-vswitchd", command);
    }

    @Override
    public void close() {
        SwitchDirectory.end(vswitchd);
        SwitchDirectory.end(database);
    }
}
