package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Flows on their way into the pipeline; of one key there is one. */
final class FlowList {
    private final List<Flow> flows = new ArrayList<>();
    private final Map<FlowKey, Flow> byKey = new HashMap<>();

    /**
     * Adds a flow, once: two listeners may need the same.
     *
     * @throws IllegalArgumentException if there is another flow of the same key: one of them would be lost
     */
    void add(PipelineTable table, int priority, Match match, long cookie, Instruction... instructions) {
        add(new Flow(new FlowKey(table.id(), priority, match), cookie, List.of(instructions)));
    }

    void add(Flow flow) {
        Flow other = byKey.putIfAbsent(flow.key(), flow);
        if (other == null) {
            flows.add(flow);
        } else if (!other.equals(flow)) {
            throw new IllegalArgumentException("two flows have one key: %s and %s".formatted(other, flow));
        }
    }

    /** Adds a flow whose key no other can have; spares looking, which counts for the tens of thousands of slots. */
    void addUnique(Flow flow) {
        flows.add(flow);
    }

    List<Flow> flows() {
        return Collections.unmodifiableList(flows);
    }
}
