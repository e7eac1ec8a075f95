package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.ObjectKind;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.consensus.model.StaticMac;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.HashAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Converts configured objects.
 *
 * <p>Every {@code fromWire} throws IllegalArgumentException that names the field and its value.
 */
public final class ModelCodec {
    private ModelCodec() {}

    /** Returns the segment as a message. */
    public static io.quorumlb.proto.v1.Segment toWire(Segment segment) {
        var message = io.quorumlb.proto.v1.Segment.newBuilder()
                .setId(segment.id())
                .setName(segment.name())
                .putAllLabels(segment.meta().labels().values())
                .setRevision(segment.meta().revision());
        for (Segment.Network network : segment.networks()) {
            switch (network.prefix().family()) {
                case IPV4 -> message.setPrefix(network.prefix().toString());
                case IPV6 -> message.setPrefix6(network.prefix().toString());
            }
            network.gateways()
                    .forEach((node, address) -> message.addGateways(
                            Gateway.newBuilder().setNode(node.value()).setAddress(address.toString())));
        }
        return message.build();
    }

    /**
     * Returns the segment as a message that says who answers for its gateways.
     *
     * @param ownerOf owner by home
     */
    public static io.quorumlb.proto.v1.Segment toWire(Segment segment, UnaryOperator<NodeId> ownerOf) {
        var message = toWire(segment).toBuilder();
        message.getGatewaysBuilderList()
                .forEach(gateway -> gateway.setOwner(
                        ownerOf.apply(new NodeId(gateway.getNode())).value()));
        return message.build();
    }

    /** Returns the segment of a message. */
    public static Segment fromWire(io.quorumlb.proto.v1.Segment message) {
        SortedMap<IpFamily, SortedMap<NodeId, IpAddress>> gateways = new TreeMap<>();
        for (Gateway gateway : message.getGatewaysList()) {
            NodeId node = WireField.parse("segment.gateways.node", gateway.getNode(), NodeId::new);
            IpAddress address = WireField.parse("segment.gateways.address", gateway.getAddress(), IpAddress::parse);
            if (gateways.computeIfAbsent(address.family(), _ -> new TreeMap<>()).putIfAbsent(node, address) != null) {
                throw new IllegalArgumentException(
                        "segment.gateways: node %s has two addresses of one version of IP, one expected"
                                .formatted(node));
            }
        }
        List<Segment.Network> networks = new ArrayList<>();
        network("segment.prefix", message.getPrefix(), IpFamily.IPV4, gateways).ifPresent(networks::add);
        network("segment.prefix6", message.getPrefix6(), IpFamily.IPV6, gateways)
                .ifPresent(networks::add);
        return new Segment(
                WireField.number("segment.id", message.getId()),
                message.getName(),
                networks,
                MetaCodec.fromWire("segment", message.getLabelsMap(), message.getRevision()));
    }

    private static Optional<Segment.Network> network(
            String field, String text, IpFamily family, SortedMap<IpFamily, SortedMap<NodeId, IpAddress>> gateways) {
        SortedMap<NodeId, IpAddress> ofFamily = gateways.getOrDefault(family, new TreeMap<>());
        if (text.isEmpty()) {
            if (ofFamily.isEmpty()) {
                return Optional.empty();
            }
            throw new IllegalArgumentException("%s is not set, but gateway %s is of that version of IP"
                    .formatted(field, ofFamily.get(ofFamily.firstKey())));
        }
        IpPrefix prefix = WireField.parse(field, text, IpPrefix::parse);
        if (prefix.family() != family) {
            throw new IllegalArgumentException(
                    "%s: %s is %s, %s expected".formatted(field, prefix, prefix.family(), family));
        }
        return Optional.of(new Segment.Network(prefix, ofFamily));
    }

    /** Returns the pool as a message. */
    public static io.quorumlb.proto.v1.Pool toWire(Pool pool) {
        var message = io.quorumlb.proto.v1.Pool.newBuilder()
                .setId(pool.id())
                .setName(pool.name())
                .setAlgorithm(toWire(pool.algorithm()))
                .setSlots(pool.slots())
                .setMonitor(MonitorCodec.toWire(pool.monitor()))
                .setGuards(GuardCodec.toWire(pool.guards()))
                .putAllLabels(pool.meta().labels().values())
                .setRevision(pool.meta().revision());
        if (pool.minEligible() > 1) {
            message.setMinEligible(pool.minEligible());
        }
        pool.override().ifPresent(override -> message.setOverride(GuardCodec.toWire(override)));
        return message.build();
    }

    /** Returns the pool of a message. */
    public static Pool fromWire(io.quorumlb.proto.v1.Pool message) {
        if (!message.hasMonitor()) {
            throw WireField.missing("pool.monitor");
        }
        return new Pool(
                WireField.number("pool.id", message.getId()),
                message.getName(),
                EnumCodec.fromWire("pool.algorithm", message.getAlgorithm()),
                WireField.number("pool.slots", message.getSlots()),
                MonitorCodec.fromWire(message.getMonitor()),
                GuardCodec.fromWire(message.getGuards(), PoolGuards.DEFAULT),
                message.hasOverride() ? Optional.of(GuardCodec.fromWire(message.getOverride())) : Optional.empty(),
                message.getMinEligible() == 0 ? 1 : WireField.number("pool.min_eligible", message.getMinEligible()),
                MetaCodec.fromWire("pool", message.getLabelsMap(), message.getRevision()));
    }

    /** Returns a member of the model as a message with the names of its pool and segment. */
    public static io.quorumlb.proto.v1.Member toWire(Member member, Model model) {
        String pool = Optional.ofNullable(model.pools().get(member.poolId()))
                .map(Pool::name)
                .orElse("");
        String segment = Optional.ofNullable(model.segments().get(member.segmentId()))
                .map(Segment::name)
                .orElse("");
        return toWire(member, pool, segment);
    }

    /** Returns the member as a message that names its pool and segment. */
    public static io.quorumlb.proto.v1.Member toWire(Member member, String pool, String segment) {
        var message = io.quorumlb.proto.v1.Member.newBuilder()
                .setId(member.id())
                .setName(member.name())
                .setPool(pool)
                .setSegment(segment)
                .setAddress(member.key().toString())
                .setWeight(member.weight())
                .setAdmin(toWire(member.admin()))
                .putAllLabels(member.meta().labels().values())
                .setRevision(member.meta().revision());
        if (member.ceiling() < member.weight()) {
            message.setCeiling(member.ceiling());
        }
        member.staticMac().ifPresent(mac -> message.setStaticMac(mac.toString()));
        return message.build();
    }

    /**
     * Returns the member of a message; ids of pool and segment are 0, no administrative state means enabled, no weight 0: so
     * wrote what knew no absent one.
     */
    public static Member fromWire(io.quorumlb.proto.v1.Member message) {
        boolean unspecified = message.getAdmin() == io.quorumlb.proto.v1.AdminState.ADMIN_STATE_UNSPECIFIED;
        return new Member(
                WireField.number("member.id", message.getId()),
                0,
                0,
                message.getName(),
                WireField.parse("member.address", message.getAddress(), MemberKey::parse),
                WireField.number("member.weight", message.getWeight()),
                unspecified ? AdminState.ENABLED : EnumCodec.fromWire("member.admin", message.getAdmin()),
                message.hasCeiling()
                        ? WireField.number("member.ceiling", message.getCeiling())
                        : WireField.number("member.weight", message.getWeight()),
                staticMac("member.static_mac", message.getStaticMac()),
                MetaCodec.fromWire("member", message.getLabelsMap(), message.getRevision()));
    }

    /** Returns the MAC address of a field; empty if the field is. */
    public static Optional<StaticMac> staticMac(String field, String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(WireField.parse(field, text, StaticMac::parse));
    }

    /** Returns a listener of the model as a message with the name of its pool. */
    public static io.quorumlb.proto.v1.Listener toWire(Listener listener, Model model) {
        return toWire(
                listener,
                Optional.ofNullable(model.pools().get(listener.poolId()))
                        .map(Pool::name)
                        .orElse(""));
    }

    /** Returns the listener as a message that names its pool. */
    public static io.quorumlb.proto.v1.Listener toWire(Listener listener, String pool) {
        var message = io.quorumlb.proto.v1.Listener.newBuilder()
                .setId(listener.id())
                .setName(listener.name())
                .setVip(listener.vip().toString())
                .setPool(pool)
                .setLoadBalancer(listener.loadBalancer().orElse(""))
                .setHash(EnumCodec.toWire(listener.hash()))
                .putAllLabels(listener.meta().labels().values())
                .setRevision(listener.meta().revision());
        TrafficCodec.toWire(listener.traffic(), message);
        EmptyPolicyCodec.toWire(listener.whenEmpty(), message);
        return message.build();
    }

    /** Returns the listener of a message; the id of its pool is 0. */
    public static Listener fromWire(io.quorumlb.proto.v1.Listener message) {
        return new Listener(
                WireField.number("listener.id", message.getId()),
                message.getName(),
                WireField.parse("listener.vip", message.getVip(), IpAddress::parse),
                TrafficCodec.fromWire(message),
                0,
                EnumCodec.fromWire("listener.hash", message.getHash()),
                EmptyPolicyCodec.fromWire(message.getWhenEmpty(), message.getFallbackPool()),
                Optional.of(message.getLoadBalancer()).filter(name -> !name.isEmpty()),
                MetaCodec.fromWire("listener", message.getLabelsMap(), message.getRevision()));
    }

    /**
     * Returns the labels of a field.
     *
     * @param field its name, for the error
     */
    public static Labels labels(String field, Map<String, String> labels) {
        return MetaCodec.labels(field, labels);
    }

    /** Returns the kind's wire value. */
    public static io.quorumlb.proto.v1.ObjectKind toWire(ObjectKind kind) {
        return EnumCodec.toWire(kind);
    }

    /** Returns the kind of a wire value. */
    public static ObjectKind fromWire(String field, io.quorumlb.proto.v1.ObjectKind kind) {
        return EnumCodec.fromWire(field, kind);
    }

    /** Returns the recipe's wire value. */
    public static HashAlgorithm toWire(HashAlgoVersion version) {
        return EnumCodec.toWire(version);
    }

    /** Returns the slot function's wire value. */
    public static io.quorumlb.proto.v1.SlotFunction toWire(SlotFunction function) {
        return EnumCodec.toWire(function);
    }

    /** Returns the slot function of a wire value; unspecified is the one every switch has. */
    public static SlotFunction fromWire(String field, io.quorumlb.proto.v1.SlotFunction function) {
        return EnumCodec.fromWire(field, function);
    }

    /** Returns the administrative state's wire value. */
    public static io.quorumlb.proto.v1.AdminState toWire(AdminState admin) {
        return EnumCodec.toWire(admin);
    }
}
