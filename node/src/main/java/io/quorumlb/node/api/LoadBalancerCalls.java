package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.wire.LoadBalancerCodec;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.CreateLoadBalancerRequest;
import io.quorumlb.proto.v1.SetLoadBalancerRequest;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/** Turns requests about load balancers into commands, and finds the VIP of a listener that names its load balancer only. */
final class LoadBalancerCalls {
    private LoadBalancerCalls() {}

    /**
     * Returns the command to create a load balancer.
     *
     * @param state of the answering node: the replicated state knows no addresses of nodes outside segments
     */
    static Command create(CreateLoadBalancerRequest request, NodeState state) {
        if (!request.hasLoadBalancer()) {
            throw Refusals.invalid("load_balancer", "load_balancer is not set: the object to create expected");
        }
        var message =
                request.getLoadBalancer().toBuilder().clearId().clearRevision().build();
        LoadBalancer owner = Commands.valid("load_balancer", () -> LoadBalancerCodec.fromWire(message));
        used(owner, state).ifPresent(vip -> {
            throw Refusals.invalid(
                    "load_balancer.vip",
                    "VIP %s is the address of a node or router: one that nobody has expected".formatted(vip));
        });
        return new Command.CreateLoadBalancer(owner);
    }

    /** Returns a VIP that is somebody's address. */
    static Optional<IpAddress> used(LoadBalancer owner, NodeState state) {
        return owner.vips().stream().filter(state::uses).findFirst();
    }

    static Command set(SetLoadBalancerRequest request) {
        return new Command.SetLoadBalancer(
                Commands.named("name", request.getName()),
                Commands.valid("state", () -> LoadBalancerCodec.service("state", request.getState())),
                request.hasDescription() ? Optional.of(request.getDescription()) : Optional.empty());
    }

    /** Returns the VIPs of load balancers by their names. */
    static SortedMap<String, SortedSet<IpAddress>> vips(Model model) {
        SortedMap<String, SortedSet<IpAddress>> vips = new TreeMap<>();
        model.loadBalancers().values().forEach(owner -> vips.put(owner.name(), owner.vips()));
        return vips;
    }

    /**
     * Returns a listener with the VIP that its load balancer has, if it says none itself.
     *
     * @param field path of the listener, for the error
     * @param known VIPs of load balancers by their names
     * @throws io.grpc.StatusRuntimeException if the load balancer does not exist or has two VIPs
     */
    static io.quorumlb.proto.v1.Listener placed(
            String field, io.quorumlb.proto.v1.Listener listener, SortedMap<String, SortedSet<IpAddress>> known) {
        String name = listener.getLoadBalancer();
        if (name.isEmpty() || !listener.getVip().isEmpty()) {
            return listener;
        }
        SortedSet<IpAddress> vips = known.get(name);
        if (vips == null) {
            throw Refusals.notFound(field + ".load_balancer", "load balancer '%s' does not exist".formatted(name));
        }
        if (vips.size() > 1) {
            throw Refusals.invalid(
                    field + ".vip",
                    "%s.vip is empty: load balancer '%s' has two, %s: one of them expected"
                            .formatted(field, name, vips));
        }
        return listener.toBuilder().setVip(vips.first().toString()).build();
    }
}
