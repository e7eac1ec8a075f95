package io.quorumlb.node.wire;

import io.quorumlb.consensus.model.Model;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.NodeTrace;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.pipeline.PacketPath;
import io.quorumlb.proto.v1.PacketWay;
import io.quorumlb.proto.v1.SlotSource;
import io.quorumlb.proto.v1.TracedPacket;
import java.util.Optional;

/** Converts packets to trace, and what became of them. */
public final class TraceCodec {
    private static final int PROTOCOL_MAX = 255;
    private static final int PORT_MAX = 65_535;

    private TraceCodec() {}

    /**
     * Returns the packet of a message.
     *
     * @throws IllegalArgumentException naming the field, its value and the limit
     */
    public static Tuple fromWire(TracedPacket message) {
        int protocol = WireField.number("packet.protocol", message.getProtocol(), 1, PROTOCOL_MAX);
        IpAddress source = WireField.parse("packet.source_address", message.getSourceAddress(), IpAddress::parse);
        IpAddress destination =
                WireField.parse("packet.destination_address", message.getDestinationAddress(), IpAddress::parse);
        return new Tuple(
                source,
                destination,
                protocol,
                port("packet.source_port", message.getSourcePort(), protocol),
                port("packet.destination_port", message.getDestinationPort(), protocol));
    }

    private static int port(String field, int value, int protocol) {
        boolean ports = protocol == Tuple.TCP || protocol == Tuple.UDP;
        if (!ports && value != 0) {
            throw new IllegalArgumentException("%s must be 0, is %s: protocol %d has no ports"
                    .formatted(field, Integer.toUnsignedString(value), protocol));
        }
        return WireField.number(field, value, 0, PORT_MAX);
    }

    /** Returns what a node says as a message, with the names that the model has for the numbers. */
    public static io.quorumlb.proto.v1.NodeTrace toWire(NodeTrace trace, Model model) {
        var message = io.quorumlb.proto.v1.NodeTrace.newBuilder()
                .setNode(trace.node().value())
                .setGeneration(trace.generation())
                .setTrouble(trace.trouble());
        trace.predicted().ifPresent(path -> message.setPredicted(toWire(path)));
        trace.found().ifPresent(path -> message.setFound(toWire(path)));
        trace.found().or(trace::predicted).ifPresent(path -> name(path, model, message));
        return message.build();
    }

    private static void name(PacketPath path, Model model, io.quorumlb.proto.v1.NodeTrace.Builder message) {
        path.listener()
                .ifPresent(id -> Optional.ofNullable(model.listeners().get(id))
                        .ifPresent(listener -> message.setListener(listener.name())));
        path.pool()
                .ifPresent(id ->
                        Optional.ofNullable(model.pools().get(id)).ifPresent(pool -> message.setPool(pool.name())));
        path.member()
                .ifPresent(id -> Optional.ofNullable(model.members().get(id)).ifPresent(member -> {
                    message.setMember(member.name());
                    Optional.ofNullable(model.segments().get(member.segmentId()))
                            .ifPresent(segment -> message.setSegment(segment.name()));
                }));
    }

    private static PacketWay toWire(PacketPath path) {
        var message = PacketWay.newBuilder()
                .setMac(path.mac().map(MacAddress::toString).orElse(""))
                .setDrop(path.drop())
                .setSource(path.slot().isPresent() ? toWire(path.source()) : SlotSource.SLOT_SOURCE_UNSPECIFIED);
        path.listener().ifPresent(message::setListenerId);
        path.pool().ifPresent(message::setPoolId);
        message.setFailOpen(path.failsOpen());
        path.slot().ifPresent(message::setSlot);
        path.member().ifPresent(message::setMemberId);
        path.port().ifPresent(message::setPort);
        return message.build();
    }

    private static SlotSource toWire(PacketPath.Source source) {
        return switch (source) {
            case PREDICTED -> SlotSource.SLOT_SOURCE_PREDICTED;
            case TRACED -> SlotSource.SLOT_SOURCE_TRACED;
            case SENT -> SlotSource.SLOT_SOURCE_SENT;
        };
    }
}
