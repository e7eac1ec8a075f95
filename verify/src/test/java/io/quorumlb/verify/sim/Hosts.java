package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.ovs.flow.MacAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hosts that members run on, as each node's probes find them; faults put trouble on and take it off in any order. */
final class Hosts {
    /**
     * What a probe will find.
     *
     * @param after when it ends
     * @param success whether the host answers as it should, in time
     * @param detail for people
     */
    record Answer(Duration after, boolean success, String detail) {}

    /** What is wrong with some hosts for some nodes. */
    @FunctionalInterface
    interface Trouble {
        /** Returns what a probe finds instead of a good answer; empty if this trouble does not touch it. */
        Optional<Answer> spoils(NodeId from, int host, HealthMonitor monitor);
    }

    private final Dice dice;
    private final List<Trouble> troubles = new ArrayList<>();
    private final int[] macs = new int[Settings.HOSTS_MAX + 1];

    Hosts(Dice dice) {
        this.dice = dice;
    }

    void add(Trouble trouble) {
        troubles.add(trouble);
    }

    void remove(Trouble trouble) {
        troubles.remove(trouble);
    }

    Answer probe(NodeId from, int host, HealthMonitor monitor) {
        for (Trouble trouble : troubles) {
            Optional<Answer> answer = trouble.spoils(from, host, monitor);
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return new Answer(dice.millis(1, 5), true, "200");
    }

    static Answer timeout(HealthMonitor monitor) {
        return new Answer(monitor.timeout(), false, "no answer in time");
    }

    static Answer refused() {
        return new Answer(Duration.ofMillis(1), false, "connection refused");
    }

    MacAddress mac(int host) {
        return new MacAddress(0x0200_0000_be00L + host + macs[host] * 0x1_0000L);
    }

    /** Another machine takes the host's address over. */
    void changeMac(int host) {
        macs[host]++;
    }

    /** Returns true if every node's probes of the host succeed now and would go on doing so. */
    boolean sound(List<NodeId> nodes, int host, HealthMonitor monitor) {
        return nodes.stream()
                .allMatch(node -> troubles.stream()
                        .noneMatch(
                                trouble -> trouble.spoils(node, host, monitor).isPresent()));
    }
}
