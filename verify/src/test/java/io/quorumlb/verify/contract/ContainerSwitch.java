package io.quorumlb.verify.contract;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import io.quorumlb.ovs.testbed.OvsTools;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.testcontainers.DockerClientFactory;

/**
 * The Open vSwitch of the site's image, newer than this machine's, in a container without a network. Its sockets are seen
 * from here, and this machine's tools talk to it.
 */
public final class ContainerSwitch implements RealSwitch {
    private static final String IMAGE = "quorumlb/node";
    private static final long SECONDS_MAX = 90;
    private static final String HERE =
            "set -e; export OVS_RUNDIR=/ovs OVS_DBDIR=/ovs OVS_LOGDIR=/ovs OVS_SYSCONFDIR=/ovs\n";

    private static final String CREATE = HERE + """
            ovsdb-tool create /ovs/conf.db /usr/share/openvswitch/vswitch.ovsschema
            ovsdb-server --remote=punix:/ovs/db.sock --pidfile=/ovs/ovsdb-server.pid --detach /ovs/conf.db
            ovs-vsctl --db=unix:/ovs/db.sock --no-wait init
            ovs-vswitchd --version | head -1 > /ovs/version
            """;

    private static final String START = HERE + """
            ovs-vswitchd --enable-dummy=override --disable-system --pidfile=/ovs/ovs-vswitchd.pid --detach unix:/ovs/db.sock
            """;

    private static final String KILL = """
            pid=$(cat /ovs/ovs-vswitchd.pid)
            kill -9 "$pid"
            for _ in $(seq 200); do [ -e "/proc/$pid" ] || exit 0; sleep 0.05; done
            exit 1
            """;

    private final DockerClient docker = DockerClientFactory.instance().client();
    private final Path directory;
    private final String container;
    private int starts;

    /** Starts one; the directory must be empty. */
    public ContainerSwitch(Path directory) {
        this.directory = directory;
        container = docker.createContainerCmd(IMAGE)
                // The shell stays, and takes away what was killed.
                .withEntrypoint("bash", "-c", "sleep 900; exit 0")
                .withHostConfig(HostConfig.newHostConfig()
                        .withNetworkMode("none")
                        .withBinds(new Bind(directory.toString(), new Volume("/ovs"))))
                .exec()
                .getId();
        try {
            docker.startContainerCmd(container).exec();
            inside(CREATE + START);
            vsctl(
                    "add-br",
                    PrivateSwitch.BRIDGE,
                    "--",
                    "set",
                    "bridge",
                    "br0",
                    "datapath_type=dummy",
                    "fail_mode=secure");
            for (String port : List.of("p1", "p2")) {
                vsctl("add-port", PrivateSwitch.BRIDGE, port, "--", "set", "interface", port, "type=dummy");
            }
        } catch (RuntimeException | AssertionError failed) {
            close();
            throw failed;
        }
    }

    /** Returns what the switch calls itself. */
    public String version() {
        try {
            return Files.readString(directory.resolve("version")).strip();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private void inside(String script) {
        String id = docker.execCreateCmd(container)
                .withAttachStdout(true)
                .withAttachStderr(true)
                .withCmd("bash", "-c", script)
                .exec()
                .getId();
        var said = new StringBuilder();
        try {
            boolean ended = docker.execStartCmd(id)
                    .exec(new ResultCallback.Adapter<Frame>() {
                        @Override
                        public void onNext(Frame frame) {
                            said.append(frame);
                        }
                    })
                    .awaitCompletion(SECONDS_MAX, TimeUnit.SECONDS);
            Long status = docker.inspectExecCmd(id).exec().getExitCodeLong();
            if (!ended || status == null || status != 0) {
                throw new AssertionError("status %s in the container: %s%n%s".formatted(status, script, said));
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public void vsctl(String... arguments) {
        var command = new ArrayList<>(
                List.of("ovs-vsctl", "--retry", "--timeout=15", "--db=unix:" + directory.resolve("db.sock")));
        command.addAll(List.of(arguments));
        OvsTools.run(command);
    }

    @Override
    public String ofctl(String verb, String... arguments) {
        var command = new ArrayList<>(
                List.of("ovs-ofctl", "-O", "OpenFlow15", verb, "unix:" + directory.resolve("br0.mgmt")));
        command.addAll(List.of(arguments));
        return OvsTools.run(command);
    }

    @Override
    public void kill() {
        inside(KILL);
    }

    @Override
    public void restart() {
        inside(START);
        vsctl("wait-until", "interface", "p2", "ofport>0");
        // The database is written before the socket; a change it has to answer makes sure of both.
        starts++;
        vsctl("set", "bridge", PrivateSwitch.BRIDGE, "other_config:started=" + starts);
    }

    @Override
    public void close() {
        docker.removeContainerCmd(container).withForce(true).exec();
    }
}
