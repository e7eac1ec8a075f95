package io.quorumlb.node.core;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.InstalledFlow;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.SwitchPort;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.pipeline.Cookie;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** A switch in memory; it outlives the controllers that use it and can fail on request. */
final class FakeSwitch {
    final SortedMap<FlowKey, Flow> flows = new TreeMap<>();
    final SortedMap<String, SwitchPort> ports = new TreeMap<>();
    final SortedMap<Integer, Group> groups = new TreeMap<>();

    /** Packets of a hundred bytes that rows have counted; others none. */
    final SortedMap<FlowKey, Long> packets = new TreeMap<>();

    /** What its hashes give. */
    Fingerprint fingerprint = Fingerprint.predicted();

    /** Keys that the switch silently does not take. */
    final TreeSet<FlowKey> refusesSilently = new TreeSet<>();

    /** False while it cannot be reached. */
    boolean reachable = true;

    FakeSwitch(List<String> portNames) {
        for (String name : portNames) {
            int number = ports.size() + 1;
            ports.put(name, new SwitchPort(number, name, new MacAddress(number)));
        }
    }

    NodeEvent readBack(long flowModsSent) {
        return reachable
                ? new NodeEvent.SwitchRead(snapshot(), flowModsSent)
                : new NodeEvent.SwitchFailed("br-lb.mgmt: connection refused");
    }

    NodeEvent readBack(SortedSet<Integer> pools, long flowModsSent) {
        if (!reachable) {
            return new NodeEvent.SwitchFailed("br-lb.mgmt: connection refused");
        }
        FlowMap<InstalledFlow> own = snapshot()
                .own()
                .filtered(held -> pools.contains(Cookie.pool(held.flow().cookie())));
        return new NodeEvent.PoolsRead(pools, new SwitchSnapshot(own, List.of(), ports, groups), flowModsSent);
    }

    private SwitchSnapshot snapshot() {
        SortedMap<FlowKey, InstalledFlow> own = new TreeMap<>();
        List<InstalledFlow> foreign = new ArrayList<>();
        flows.forEach((key, flow) -> {
            long counted = packets.getOrDefault(key, 0L);
            var installed = new InstalledFlow(flow, counted, 100 * counted, Duration.ZERO);
            if ((flow.cookie() & Cookie.OWNER_MASK) == Cookie.OWNER) {
                own.put(key, installed);
            } else {
                foreign.add(installed);
            }
        });
        return new SwitchSnapshot(FlowMap.of(own), foreign, ports, groups);
    }

    NodeEvent change(FlowDelta delta) {
        if (!reachable) {
            return new NodeEvent.SwitchFailed("br-lb.mgmt: connection refused");
        }
        delta.putGroups().forEach(group -> groups.put(group.id(), group));
        delta.deleteGroups().forEach(groups::remove);
        delta.delete().forEach(flows::remove);
        delta.add().stream()
                .filter(flow -> !refusesSilently.contains(flow.key()))
                .forEach(flow -> flows.put(flow.key(), flow));
        return new NodeEvent.SwitchChanged();
    }
}
