package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Ipv4Prefix;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.HashAlgorithm;
import java.time.Duration;
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
                .setPrefix(segment.prefix().toString());
        segment.gateways()
                .forEach((node, address) -> message.addGateways(
                        Gateway.newBuilder().setNode(node.value()).setAddress(address.toString())));
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
        SortedMap<NodeId, Ipv4Address> gateways = new TreeMap<>();
        for (Gateway gateway : message.getGatewaysList()) {
            NodeId node = WireField.parse("segment.gateways.node", gateway.getNode(), NodeId::new);
            Ipv4Address address = WireField.parse("segment.gateways.address", gateway.getAddress(), Ipv4Address::parse);
            if (gateways.putIfAbsent(node, address) != null) {
                throw new IllegalArgumentException(
                        "segment.gateways: node %s has two addresses, one expected".formatted(node));
            }
        }
        return new Segment(
                WireField.number("segment.id", message.getId()),
                message.getName(),
                WireField.parse("segment.prefix", message.getPrefix(), Ipv4Prefix::parse),
                gateways);
    }

    /** Returns the pool as a message. */
    public static io.quorumlb.proto.v1.Pool toWire(Pool pool) {
        var message = io.quorumlb.proto.v1.Pool.newBuilder()
                .setId(pool.id())
                .setName(pool.name())
                .setAlgorithm(toWire(pool.algorithm()))
                .setSlots(pool.slots())
                .setMonitor(toWire(pool.monitor()))
                .setGuards(GuardCodec.toWire(pool.guards()));
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
                fromWire(message.getMonitor()),
                GuardCodec.fromWire(message.getGuards(), PoolGuards.DEFAULT),
                message.hasOverride() ? Optional.of(GuardCodec.fromWire(message.getOverride())) : Optional.empty());
    }

    /** Returns the health monitor as a message; times are cut to whole milliseconds. */
    public static io.quorumlb.proto.v1.HealthMonitor toWire(HealthMonitor monitor) {
        return io.quorumlb.proto.v1.HealthMonitor.newBuilder()
                .setType(EnumCodec.toWire(monitor.type()))
                .setPath(monitor.path())
                .setIntervalMillis(Math.toIntExact(monitor.interval().toMillis()))
                .setTimeoutMillis(Math.toIntExact(monitor.timeout().toMillis()))
                .setRise(monitor.rise())
                .setFall(monitor.fall())
                .setFastIntervalMillis(Math.toIntExact(monitor.fastInterval().toMillis()))
                .build();
    }

    /** Returns the health monitor of a message; without a fast interval it has the default one. */
    public static HealthMonitor fromWire(io.quorumlb.proto.v1.HealthMonitor message) {
        Duration interval = Duration.ofMillis(Integer.toUnsignedLong(message.getIntervalMillis()));
        return new HealthMonitor(
                EnumCodec.fromWire("monitor.type", message.getType()),
                message.getPath(),
                interval,
                Duration.ofMillis(Integer.toUnsignedLong(message.getTimeoutMillis())),
                WireField.number("monitor.rise", message.getRise()),
                WireField.number("monitor.fall", message.getFall()),
                message.getFastIntervalMillis() == 0
                        ? HealthMonitor.fastIntervalDefault(interval)
                        : Duration.ofMillis(Integer.toUnsignedLong(message.getFastIntervalMillis())));
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
                .setAdmin(toWire(member.admin()));
        if (member.ceiling() < member.weight()) {
            message.setCeiling(member.ceiling());
        }
        return message.build();
    }

    /** Returns the member of a message; ids of pool and segment are 0, no administrative state means enabled. */
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
                        : WireField.number("member.weight", message.getWeight()));
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
        return io.quorumlb.proto.v1.Listener.newBuilder()
                .setId(listener.id())
                .setName(listener.name())
                .setVip(listener.vip().toString())
                .setProtocol(EnumCodec.toWire(listener.protocol()))
                .setPort(listener.port())
                .setPool(pool)
                .setHash(EnumCodec.toWire(listener.hash()))
                .build();
    }

    /** Returns the listener of a message; the id of its pool is 0. */
    public static Listener fromWire(io.quorumlb.proto.v1.Listener message) {
        return new Listener(
                WireField.number("listener.id", message.getId()),
                message.getName(),
                WireField.parse("listener.vip", message.getVip(), Ipv4Address::parse),
                EnumCodec.fromWire("listener.protocol", message.getProtocol()),
                WireField.number("listener.port", message.getPort()),
                0,
                EnumCodec.fromWire("listener.hash", message.getHash()));
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
