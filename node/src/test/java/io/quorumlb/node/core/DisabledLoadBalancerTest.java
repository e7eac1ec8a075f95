package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.LoadBalancer.Service;
import io.quorumlb.consensus.model.ObjectMeta;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.flow.FlowKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** A load balancer takes over the only VIP of a site and is disabled. */
class DisabledLoadBalancerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final SimCluster cluster = SimCluster.converged();

    private void takeOver() {
        List<Command.Edit> edits = new ArrayList<>();
        SortedSet<IpAddress> vips = new TreeSet<>();
        for (Listener listener : cluster.log.state().model().listeners().values()) {
            vips.add(listener.vip());
            edits.add(new Command.SetListener("web", listener.withLoadBalancer(Optional.of("shop"))));
        }
        edits.add(new Command.CreateLoadBalancer(
                new LoadBalancer(0, "shop", vips, Service.ENABLED, "", ObjectMeta.NONE)));
        cluster.log.operator(new Command.Batch(edits));
        cluster.run(Duration.ofSeconds(3));
    }

    private void service(Service service) {
        cluster.log.operator(new Command.SetLoadBalancer("shop", Optional.of(service), Optional.empty()));
    }

    private long announcing() {
        return cluster.nodes().stream()
                .filter(node -> node.report().announced())
                .count();
    }

    private SortedSet<FlowKey> flows() {
        return new TreeSet<>(cluster.node(Site.N2).ovs.flows.keySet());
    }

    @Test
    void itsVipIsNotAnnouncedUntilItIsEnabledAndTheFlowsStay() {
        takeOver();
        assertEquals(3, announcing(), "who owns a VIP changes nothing");
        SortedSet<FlowKey> before = flows();
        service(Service.DISABLED);
        cluster.until(() -> announcing() == 0, LIMIT);
        assertEquals(before, flows());
        assertEquals(
                "no VIP is left that is not of a disabled load balancer",
                cluster.node(Site.N1).report().notAnnouncedReason());
        assertTrue(cluster.node(Site.N1).state().ready(), "it has nothing to announce, and is well");
        cluster.run(Duration.ofSeconds(30));
        assertEquals(0, announcing());
        assertEquals(0, cluster.log.state().outOfService().size(), "a node that announces nothing is well");
        service(Service.ENABLED);
        cluster.until(() -> announcing() == 3, LIMIT);
    }
}
