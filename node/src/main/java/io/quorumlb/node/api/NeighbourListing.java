package io.quorumlb.node.api;

import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NeighbourView;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.wire.RecordCodec;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.proto.v1.ListNeighboursResponse;
import io.quorumlb.proto.v1.Neighbour;
import io.quorumlb.proto.v1.NeighbourSource;
import io.quorumlb.proto.v1.NeighbourState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Where the answering node sends packets to. */
final class NeighbourListing {
    private NeighbourListing() {}

    static ListNeighboursResponse of(NodeState state, MonotonicTime now) {
        SortedMap<IpAddress, List<String>> members =
                membersByAddress(state.cluster().model());
        var response = ListNeighboursResponse.newBuilder()
                .setAnsweredBy(state.settings().self().value());
        state.neighbours(now)
                .forEach(view -> response.addNeighbours(toWire(view)
                        .addAllMembers(members.getOrDefault(view.key().address(), List.of()))));
        return response.build();
    }

    private static SortedMap<IpAddress, List<String>> membersByAddress(Model model) {
        SortedMap<IpAddress, List<String>> members = new TreeMap<>();
        for (Member member : model.members().values()) {
            if (!member.retired()) {
                members.computeIfAbsent(member.key().address(), _ -> new ArrayList<>())
                        .add(name(model, member));
            }
        }
        return members;
    }

    private static String name(Model model, Member member) {
        return Optional.ofNullable(model.pools().get(member.poolId()))
                        .map(Pool::name)
                        .orElse("") + "/" + member.name();
    }

    private static Neighbour.Builder toWire(NeighbourView view) {
        var message = Neighbour.newBuilder()
                .setInterface(view.key().interfaceName())
                .setAddress(view.key().address().toString())
                .setMac(view.mac().map(MacAddress::toString).orElse(""))
                .setSource(toWire(view.source()))
                .setState(toWire(view.state()))
                .setOtherMac(view.other().map(MacAddress::toString).orElse(""))
                .setSinceMillis(RecordCodec.millis(view.since()));
        view.confirmed().ifPresent(age -> message.setConfirmedMillis(RecordCodec.millis(age)));
        return message;
    }

    private static NeighbourSource toWire(NeighbourView.Source source) {
        return switch (source) {
            case NOBODY -> NeighbourSource.NEIGHBOUR_SOURCE_UNSPECIFIED;
            case STATIC -> NeighbourSource.NEIGHBOUR_SOURCE_STATIC;
            case NETWORK -> NeighbourSource.NEIGHBOUR_SOURCE_NETWORK;
            case KERNEL -> NeighbourSource.NEIGHBOUR_SOURCE_KERNEL;
        };
    }

    private static NeighbourState toWire(NeighbourView.State state) {
        return switch (state) {
            case REACHABLE -> NeighbourState.NEIGHBOUR_STATE_REACHABLE;
            case SILENT -> NeighbourState.NEIGHBOUR_STATE_SILENT;
            case WAITING -> NeighbourState.NEIGHBOUR_STATE_WAITING;
            case CONFLICT -> NeighbourState.NEIGHBOUR_STATE_CONFLICT;
            case DIFFERS -> NeighbourState.NEIGHBOUR_STATE_DIFFERS;
        };
    }
}
