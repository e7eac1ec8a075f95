package io.quorumlb.consensus.wire;

import io.quorumlb.consensus.model.PortRange;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.proto.v1.Listener;
import java.util.OptionalInt;

/** Converts the traffic of listeners, which on the wire is several fields of the listener. */
final class TrafficCodec {
    private TrafficCodec() {}

    static void toWire(Traffic traffic, Listener.Builder message) {
        switch (traffic) {
            case Traffic.Ports(Protocol protocol, PortRange ports, OptionalInt memberPort) -> {
                message.setProtocol(toWire(protocol)).setPort(ports.first()).setMemberPort(memberPort.orElse(0));
                if (ports.last() > ports.first()) {
                    message.setPortLast(ports.last());
                }
            }
            case Traffic.AllPorts(Protocol protocol) ->
                message.setProtocol(toWire(protocol)).setAllPorts(true);
            case Traffic.Everything() -> message.setProtocol(io.quorumlb.proto.v1.Protocol.PROTOCOL_ANY);
        }
    }

    static Traffic fromWire(Listener message) {
        return switch (message.getProtocol()) {
            case PROTOCOL_TCP -> ofTransport(Protocol.TCP, message);
            case PROTOCOL_UDP -> ofTransport(Protocol.UDP, message);
            case PROTOCOL_ANY -> {
                withoutPorts("with PROTOCOL_ANY", message);
                if (message.getAllPorts()) {
                    throw new IllegalArgumentException("listener.all_ports: PROTOCOL_ANY has no ports, false expected");
                }
                yield new Traffic.Everything();
            }
            case PROTOCOL_UNSPECIFIED, UNRECOGNIZED ->
                throw WireField.unknownEnum(
                        "listener.protocol", message.getProtocol(), "PROTOCOL_TCP, PROTOCOL_UDP or PROTOCOL_ANY");
        };
    }

    private static Traffic ofTransport(Protocol protocol, Listener message) {
        if (message.getAllPorts()) {
            withoutPorts("with all_ports", message);
            return new Traffic.AllPorts(protocol);
        }
        int first = port("listener.port", message.getPort());
        int last = message.getPortLast() == 0 ? first : port("listener.port_last", message.getPortLast());
        if (last < first) {
            throw new IllegalArgumentException(
                    "listener.port_last %d is below the first port %d".formatted(last, first));
        }
        OptionalInt memberPort = message.getMemberPort() == 0
                ? OptionalInt.empty()
                : OptionalInt.of(port("listener.member_port", message.getMemberPort()));
        if (memberPort.isPresent() && last > first) {
            throw new IllegalArgumentException(
                    ("listener.member_port %d with ports %d-%d: only a single port can be changed, a reply would not know"
                                    + " its port otherwise")
                            .formatted(memberPort.getAsInt(), first, last));
        }
        return new Traffic.Ports(protocol, new PortRange(first, last), memberPort);
    }

    private static int port(String field, int port) {
        if (port < 1 || port > PortRange.PORT_MAX) {
            throw new IllegalArgumentException(
                    "%s %s is outside 1..%d".formatted(field, Integer.toUnsignedString(port), PortRange.PORT_MAX));
        }
        return port;
    }

    private static void withoutPorts(String why, Listener message) {
        absent("listener.port", message.getPort(), why);
        absent("listener.port_last", message.getPortLast(), why);
        absent("listener.member_port", message.getMemberPort(), why);
    }

    private static void absent(String field, int value, String why) {
        if (value != 0) {
            throw new IllegalArgumentException(
                    "%s %s: 0 expected %s".formatted(field, Integer.toUnsignedString(value), why));
        }
    }

    private static io.quorumlb.proto.v1.Protocol toWire(Protocol protocol) {
        return switch (protocol) {
            case TCP -> io.quorumlb.proto.v1.Protocol.PROTOCOL_TCP;
            case UDP -> io.quorumlb.proto.v1.Protocol.PROTOCOL_UDP;
        };
    }
}
