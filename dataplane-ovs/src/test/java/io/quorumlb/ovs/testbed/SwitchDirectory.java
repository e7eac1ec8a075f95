package io.quorumlb.ovs.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A directory with the files and sockets of one Open vSwitch, in which its daemons and tools run. */
final class SwitchDirectory {
    private static final String SCHEMA = "/usr/share/openvswitch/vswitch.ovsschema";

    private final Path path;

    /** Makes an empty directory that of a switch. */
    SwitchDirectory(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    String path(String file) {
        return path.resolve(file).toString();
    }

    /** Runs a command of the switch to its end and returns what it wrote. */
    String run(List<String> command) {
        return OvsTools.run(command, environment());
    }

    /** Creates the database and starts its server. */
    Process startDatabase() {
        run(List.of("ovsdb-tool", "create", path("conf.db"), SCHEMA));
        Process database = start(
                "ovsdb-server",
                List.of("ovsdb-server", "--remote=punix:" + path("db.sock"), "--pidfile", path("conf.db")));
        vsctl("--no-wait", "init");
        return database;
    }

    /** Sets columns or does anything else ovs-vsctl can. */
    void vsctl(String... arguments) {
        var command = new ArrayList<>(List.of("ovs-vsctl", "--retry", "--timeout=15", "--db=unix:" + path("db.sock")));
        command.addAll(List.of(arguments));
        run(command);
    }

    /** Starts a daemon; what it writes goes to a file of its name. */
    Process start(String name, List<String> command) {
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(path.resolve(name + ".out").toFile());
        builder.environment().putAll(environment());
        try {
            return builder.start();
        } catch (IOException failed) {
            throw new AssertionError(name + ": " + failed.getMessage(), failed);
        }
    }

    /** Kills a daemon and returns when it is gone. */
    static void end(Process process) {
        process.destroyForcibly();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                throw new AssertionError("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Map<String, String> environment() {
        String own = path.toString();
        return Map.of("OVS_RUNDIR", own, "OVS_DBDIR", own, "OVS_LOGDIR", own, "OVS_SYSCONFDIR", own);
    }
}
