package io.quorumlb.node.wire;

import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.PortRange;
import io.quorumlb.consensus.model.Traffic;
import io.quorumlb.consensus.wire.ModelCodec;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.Rated;
import io.quorumlb.node.core.TrafficView;
import io.quorumlb.ovs.pipeline.DropCause;
import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.DropCounters;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.ListenerCounters;
import io.quorumlb.proto.v1.MemberCounters;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.VipCounters;
import java.util.Optional;

/** Converts what a node's switch has counted. Nobody reads it back into records: nodes only hand on what others say. */
public final class CountersCodec {
    private CountersCodec() {}

    /**
     * Returns what this node's switch has counted; with a reason instead before it was read for the first time.
     *
     * @param wanted names of the pool and the listener that are asked about; empty ones and unknown ones are no error
     */
    public static NodeCounters toWire(NodeState state, GetCountersRequest wanted, MonotonicTime now) {
        var counters = NodeCounters.newBuilder()
                .setNode(state.settings().self().value())
                .setAnswered(true);
        Optional<TrafficView> view = state.traffic(now);
        if (view.isEmpty()) {
            return counters.setReason("the switch was not read yet").build();
        }
        Model model = state.cluster().model();
        TrafficView traffic = view.get();
        counters.setAgeMillis(WireField.millis(traffic.age())).setEchoed(toWire(traffic.echoed()));
        traffic.listeners().stream()
                .filter(of -> isWanted(wanted.getListener(), of.listener().name()))
                .forEach(of -> counters.addListeners(toWire(of, model)));
        traffic.members().stream()
                .filter(of -> isWanted(wanted.getListener(), of.listener().name()))
                .filter(of -> isWanted(wanted.getPool(), name(model, of.member().poolId())))
                .forEach(of -> counters.addMembers(toWire(of, model)));
        traffic.drops().forEach(of -> counters.addDrops(toWire(of)));
        traffic.vips()
                .forEach((vip, of) -> counters.addVips(VipCounters.newBuilder()
                        .setVip(vip.toString())
                        .setReceived(toWire(of.received()))
                        .setReturned(toWire(of.returned()))));
        return counters.build();
    }

    private static boolean isWanted(String wanted, String name) {
        return wanted.isEmpty() || wanted.equals(name);
    }

    private static ListenerCounters toWire(TrafficView.OfListener of, Model model) {
        Listener listener = of.listener();
        return ListenerCounters.newBuilder()
                .setListenerId(listener.id())
                .setListener(listener.name())
                .setVip(listener.vip().toString())
                .setProtocol(ModelCodec.toWire(listener, model).getProtocol())
                .setPorts(ports(listener.traffic()))
                .setReceived(toWire(of.received()))
                .setReturned(toWire(of.returned()))
                .build();
    }

    /** Returns the ports of a listener for people: {@code 80}, {@code 9000-9100}, {@code all}. */
    private static String ports(Traffic traffic) {
        return switch (traffic) {
            case Traffic.Ports(var _, PortRange ports, var _) -> ports.toString();
            case Traffic.AllPorts _, Traffic.Everything _ -> "all";
        };
    }

    private static MemberCounters toWire(TrafficView.OfMember of, Model model) {
        return MemberCounters.newBuilder()
                .setListenerId(of.listener().id())
                .setListener(of.listener().name())
                .setPool(name(model, of.member().poolId()))
                .setMemberId(of.member().id())
                .setMember(of.member().name())
                .setAddress(of.member().key().toString())
                .setForwarded(toWire(of.forwarded()))
                .setReturned(toWire(of.returned()))
                .build();
    }

    private static DropCounters toWire(TrafficView.OfDrop of) {
        return DropCounters.newBuilder()
                .setCause(toWire(of.drop().cause()))
                .setTable(of.drop().table())
                .setPool(of.pool())
                .setMember(of.member())
                .setDropped(toWire(of.dropped()))
                .build();
    }

    private static String name(Model model, int poolId) {
        return Optional.ofNullable(model.pools().get(poolId)).map(Pool::name).orElse("");
    }

    private static Count toWire(Rated rated) {
        return Count.newBuilder()
                .setPackets(rated.total().packets())
                .setBytes(rated.total().bytes())
                .setPacketsPerSecond(rated.packetsPerSecond())
                .setBytesPerSecond(rated.bytesPerSecond())
                .build();
    }

    private static io.quorumlb.proto.v1.DropCause toWire(DropCause cause) {
        return switch (cause) {
            case NO_MEMBER -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NO_MEMBER;
            case NO_MAC -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NO_MAC;
            case UNKNOWN_PORT -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_UNKNOWN_PORT;
            case FRAGMENT -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_FRAGMENT;
            case TTL -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_TTL;
            case MALFORMED -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_MALFORMED;
            case ICMP -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_ICMP;
            case NOT_OURS -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NOT_OURS;
            case NOT_IP -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NOT_IP;
            case NO_GENERATION -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NO_GENERATION;
            case NO_REPLY -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NO_REPLY;
            case NO_SEGMENT -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_NO_SEGMENT;
            case REJECTED -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_REJECTED;
            case DEFECT -> io.quorumlb.proto.v1.DropCause.DROP_CAUSE_DEFECT;
        };
    }
}
