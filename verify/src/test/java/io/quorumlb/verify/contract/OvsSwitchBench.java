package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.install.Datapath;
import io.quorumlb.ovs.install.OvsBridge;
import io.quorumlb.ovs.install.OvsDatapath;
import io.quorumlb.ovs.testbed.PrivateSwitch;
import io.quorumlb.ovs.unixctl.ControlSocket;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A real Open vSwitch as the contract handles it. */
final class OvsSwitchBench implements SwitchBench {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final Pattern SENT = Pattern.compile("tx pkts=(\\d+)");

    private final Path directory;
    private final RealSwitch ovs;
    private Optional<UnixControl> control = Optional.empty();

    /** Handles a switch that has just been started. */
    OvsSwitchBench(RealSwitch ovs) {
        this.directory = ovs.directory();
        this.ovs = ovs;
        for (int port = 3; port <= ContractSite.PORTS; port++) {
            ovs.vsctl(
                    "add-port",
                    PrivateSwitch.BRIDGE,
                    "p" + port,
                    "--",
                    "set",
                    "interface",
                    "p" + port,
                    "type=dummy",
                    "ofport_request=" + port);
        }
    }

    @Override
    public Datapath open() {
        return new OvsDatapath(new OvsBridge(directory, PrivateSwitch.BRIDGE), OURS);
    }

    @Override
    public void empty() {
        ovs.ofctl("del-flows");
    }

    @Override
    public void put(Flow flow) {
        ovs.ofctl("add-flow", flow.toString());
    }

    @Override
    public void alter(Flow flow) {
        String actions = flow.instructions().stream().map(Instruction::toString).collect(Collectors.joining(","));
        ovs.ofctl("mod-flows", "--strict", flow.key() + ",actions=" + (actions.isEmpty() ? "drop" : actions));
    }

    @Override
    public void remove(FlowKey key) {
        ovs.ofctl("del-flows", "--strict", key.toString());
    }

    @Override
    public void limit(int table, int mostFlows) {
        ovs.vsctl(
                "--id=@limited",
                "create",
                "Flow_Table",
                "flow_limit=" + mostFlows,
                "overflow_policy=refuse",
                "--",
                "set",
                "bridge",
                PrivateSwitch.BRIDGE,
                "flow_tables:" + table + "=@limited");
    }

    @Override
    public void unlimited() {
        ovs.vsctl("clear", "bridge", PrivateSwitch.BRIDGE, "flow_tables");
    }

    @Override
    public void stop() {
        ovs.kill();
        control.ifPresent(UnixControl::close);
        control = Optional.empty();
    }

    @Override
    public void start() {
        ovs.restart();
    }

    private UnixControl control() throws UnixControlException {
        if (control.isEmpty()) {
            control = Optional.of(UnixControl.open(ControlSocket.of(directory, "ovs-vswitchd"), LIMIT));
        }
        return control.get();
    }

    @Override
    public Verdict trace(Packet packet) throws UnixControlException {
        return SwitchTrace.read(
                packet, control().call("ofproto/trace", PrivateSwitch.BRIDGE, SwitchTrace.question(packet)));
    }

    @Override
    public void send(Packet packet) throws UnixControlException {
        var _ = control().call("netdev-dummy/receive", "p" + packet.inPort(), SwitchTrace.datapathFlow(packet));
    }

    @Override
    public long sentOut(int port) {
        Matcher sent = SENT.matcher(ovs.ofctl("dump-ports", Integer.toString(port)));
        if (!sent.find()) {
            throw new AssertionError("no counters of port " + port);
        }
        return Long.parseLong(sent.group(1));
    }

    @Override
    public void close() {
        control.ifPresent(UnixControl::close);
        ovs.close();
    }
}
