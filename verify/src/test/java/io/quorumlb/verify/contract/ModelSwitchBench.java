package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.install.Datapath;
import java.util.ArrayList;
import java.util.List;

/** The model of the switch as the contract handles it. */
final class ModelSwitchBench implements SwitchBench {
    private static final int LOCAL = 0xffff_fffe;

    private final EventQueue time = new EventQueue();
    private final ModelSwitch model = new ModelSwitch(OURS, time::nowNanos, ports());

    private static List<SwitchPort> ports() {
        var ports = new ArrayList<SwitchPort>();
        ports.add(new SwitchPort(LOCAL, "br0", new MacAddress(0xb0)));
        for (int number = 1; number <= ContractSite.PORTS; number++) {
            ports.add(new SwitchPort(number, "p" + number, new MacAddress(number)));
        }
        return ports;
    }

    @Override
    public Datapath open() {
        return model.another();
    }

    @Override
    public void empty() {
        model.flows().forEach(flow -> model.remove(flow.key()));
    }

    @Override
    public void put(Flow flow) {
        model.put(flow);
    }

    @Override
    public void alter(Flow flow) {
        model.alter(flow.key(), held -> new Flow(held.key(), held.cookie(), flow.instructions(), held.lifetime()));
    }

    @Override
    public void remove(FlowKey key) {
        model.remove(key);
    }

    @Override
    public void limit(int table, int mostFlows) {
        model.limit(table, mostFlows);
    }

    @Override
    public void unlimited() {
        model.unlimited();
    }

    @Override
    public void stop() {
        model.stop();
    }

    @Override
    public void start() {
        model.start();
    }

    @Override
    public Verdict trace(Packet packet) {
        return model.trace(packet);
    }

    @Override
    public void send(Packet packet) {
        model.forward(packet);
    }

    @Override
    public long sentOut(int port) {
        return model.packetsOut(port);
    }

    @Override
    public void close() {}
}
