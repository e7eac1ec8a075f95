package io.quorumlb.ovs.install;

import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.openflow.OpenFlowException;
import io.quorumlb.ovs.pipeline.PacketPath;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.TraceReader;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Asks a switch what it does with a client's packet: by {@code ofproto/trace}; where the datapath's hash decides, which a
 * trace cannot know, by a real packet that comes back with its slot and is forwarded to nobody, and a trace of the rest.
 */
public final class PacketTracer {
    /** The trace ends where the datapath's hash is asked. */
    private static final Pattern GROUP = Pattern.compile("(?m)^ *group:(\\d{1,9}|[1-3]\\d{9})\\s*$");

    private final OvsBridge bridge;

    /** Asks the switch of a bridge, by connections of its own. */
    public PacketTracer(OvsBridge bridge) {
        this.bridge = bridge;
    }

    /**
     * Returns the way of a packet.
     *
     * @param intent what the switch should do: gives the uplink and its addresses
     * @param tuple the packet
     * @throws DatapathException if the switch could not be asked
     */
    public PacketPath trace(SwitchIntent intent, Tuple tuple) throws DatapathException {
        MacAddress own = intent.uplink().mac();
        // Any sender will do: no hash reads it.
        MacAddress router = intent.nextHop(tuple.source().family()).orElse(own);
        try (var control = UnixControl.open(bridge.controlSocket(), bridge.limit())) {
            String packet = packet(tuple, router, own);
            String told = control.call(
                    "ofproto/trace", bridge.name(), "in_port=" + intent.uplink().number() + "," + packet);
            PacketPath traced = TraceReader.read(told);
            Matcher group = GROUP.matcher(told);
            if (!group.find()) {
                return traced;
            }
            int id = Integer.parseUnsignedInt(group.group(1));
            List<Integer> slots = new SlotProbe(bridge, router, own).sent(List.of(tuple), id);
            if (slots.isEmpty()) {
                return traced.lost("a packet sent to group %s did not come back".formatted(group.group(1)));
            }
            int slot = slots.getFirst();
            PacketPath rest = TraceReader.read(control.call(
                    "ofproto/trace-packet-out", bridge.name(), "in_port=CONTROLLER," + packet, rest(traced, slot)));
            return new PacketPath(
                    traced.listener(),
                    traced.slotSet(),
                    OptionalInt.of(slot),
                    rest.member(),
                    rest.port(),
                    rest.mac(),
                    rest.drop(),
                    PacketPath.Source.SENT);
        } catch (UnixControlException | OpenFlowException failed) {
            throw new DatapathException(
                    DatapathException.Outcome.UNREACHABLE,
                    "cannot trace on bridge " + bridge.name() + ": " + failed.getMessage(),
                    failed);
        }
    }

    /** Goes on behind the slot function, with what the tables before it have written. */
    private static String rest(PacketPath before, int slot) {
        return List.<Action>of(
                        new Action.SetField(Field.REG0, before.slotSet().orElse(0)),
                        new Action.SetField(Field.REG1, slot),
                        new Action.SetField(Field.REG3, before.listener().orElse(0)),
                        new Action.Resubmit(PipelineTable.SLOTS.id()))
                .stream()
                .map(Action::toString)
                .collect(Collectors.joining(","));
    }

    /** Returns a packet in the words of {@code ovs-ofctl}. */
    private static String packet(Tuple tuple, MacAddress source, MacAddress destination) {
        boolean four = tuple.source().family() == IpFamily.IPV4;
        return "dl_src=%s,dl_dst=%s,%s,%s=%s,%s=%s,nw_proto=%d,nw_ttl=64%s"
                .formatted(
                        source,
                        destination,
                        four ? "ip" : "ipv6",
                        four ? "nw_src" : "ipv6_src",
                        tuple.source(),
                        four ? "nw_dst" : "ipv6_dst",
                        tuple.destination(),
                        tuple.protocol(),
                        ports(tuple).orElse(""));
    }

    private static Optional<String> ports(Tuple tuple) {
        String form = ",%1$s_src=%2$d,%1$s_dst=%3$d";
        return switch (tuple.protocol()) {
            case Tuple.TCP -> Optional.of(form.formatted("tcp", tuple.sourcePort(), tuple.destinationPort()));
            case Tuple.UDP -> Optional.of(form.formatted("udp", tuple.sourcePort(), tuple.destinationPort()));
            default -> Optional.empty();
        };
    }
}
