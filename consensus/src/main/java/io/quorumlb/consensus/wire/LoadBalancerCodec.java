package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.LoadBalancer;
import io.quorumlb.consensus.model.LoadBalancer.Service;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.proto.v1.LoadBalancerState;
import io.quorumlb.proto.v1.SetLoadBalancer;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Converts load balancers. From the wire, errors are IllegalArgumentException that names the field and its value. */
public final class LoadBalancerCodec {
    private LoadBalancerCodec() {}

    /** Returns the load balancer as a message. */
    public static io.quorumlb.proto.v1.LoadBalancer toWire(LoadBalancer owner) {
        var message = io.quorumlb.proto.v1.LoadBalancer.newBuilder()
                .setId(owner.id())
                .setName(owner.name())
                .setState(toWire(owner.service()))
                .setDescription(owner.description())
                .putAllLabels(owner.meta().labels().values())
                .setRevision(owner.meta().revision());
        for (IpAddress vip : owner.vips()) {
            switch (vip.family()) {
                case IPV4 -> message.setVip(vip.toString());
                case IPV6 -> message.setVip6(vip.toString());
            }
        }
        return message.build();
    }

    /** Returns the load balancer of a message; no state means enabled. */
    public static LoadBalancer fromWire(io.quorumlb.proto.v1.LoadBalancer message) {
        SortedSet<IpAddress> vips = new TreeSet<>();
        vip("load_balancer.vip", message.getVip(), IpFamily.IPV4).ifPresent(vips::add);
        vip("load_balancer.vip6", message.getVip6(), IpFamily.IPV6).ifPresent(vips::add);
        return new LoadBalancer(
                WireField.number("load_balancer.id", message.getId()),
                message.getName(),
                vips,
                service("load_balancer.state", message.getState()).orElse(Service.ENABLED),
                message.getDescription(),
                MetaCodec.fromWire("load_balancer", message.getLabelsMap(), message.getRevision()));
    }

    private static Optional<IpAddress> vip(String field, String text, IpFamily family) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        IpAddress vip = WireField.parse(field, text, IpAddress::parse);
        if (vip.family() != family) {
            throw new IllegalArgumentException("%s: %s is %s, %s expected".formatted(field, vip, vip.family(), family));
        }
        return Optional.of(vip);
    }

    /** Returns the state's wire value. */
    public static LoadBalancerState toWire(Service service) {
        return switch (service) {
            case ENABLED -> LoadBalancerState.LOAD_BALANCER_STATE_ENABLED;
            case DISABLED -> LoadBalancerState.LOAD_BALANCER_STATE_DISABLED;
        };
    }

    /** Returns the state of a wire value; empty if it is unspecified. */
    public static Optional<Service> service(String field, LoadBalancerState state) {
        return switch (state) {
            case LOAD_BALANCER_STATE_UNSPECIFIED -> Optional.empty();
            case LOAD_BALANCER_STATE_ENABLED -> Optional.of(Service.ENABLED);
            case LOAD_BALANCER_STATE_DISABLED -> Optional.of(Service.DISABLED);
            case UNRECOGNIZED ->
                throw WireField.unknownEnum(
                        field, state, "LOAD_BALANCER_STATE_ENABLED or LOAD_BALANCER_STATE_DISABLED");
        };
    }

    static SetLoadBalancer toWire(Command.SetLoadBalancer set) {
        var message = SetLoadBalancer.newBuilder().setName(set.name());
        set.service().ifPresent(service -> message.setState(toWire(service)));
        set.description().ifPresent(message::setDescription);
        return message.build();
    }

    static Command.SetLoadBalancer fromWire(SetLoadBalancer message) {
        return new Command.SetLoadBalancer(
                message.getName(),
                service("set_load_balancer.state", message.getState()),
                message.hasDescription() ? Optional.of(message.getDescription()) : Optional.empty());
    }
}
