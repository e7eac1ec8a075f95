package io.quorumlb.node.api;

import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.ListenerCounters;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.VipCounters;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.stream.Stream;

/** Adds up what several nodes have counted. */
final class CounterSum {
    private CounterSum() {}

    /** Returns the sum over the nodes that answered; what only some of them know counts as they say. */
    static NodeCounters of(List<NodeCounters> nodes) {
        var sum = NodeCounters.newBuilder()
                .setAnswered(nodes.stream().anyMatch(NodeCounters::getAnswered))
                .setAgeMillis(nodes.stream()
                        .mapToInt(NodeCounters::getAgeMillis)
                        .reduce(0, (one, other) -> Integer.compareUnsigned(one, other) < 0 ? other : one));
        sum.addAllListeners(merged(
                nodes.stream().flatMap(node -> node.getListenersList().stream()),
                ListenerCounters::getListenerId,
                (one, other) -> one.toBuilder()
                        .setReceived(plus(one.getReceived(), other.getReceived()))
                        .setReturned(plus(one.getReturned(), other.getReturned()))
                        .build()));
        sum.addAllMembers(merged(
                nodes.stream().flatMap(node -> node.getMembersList().stream()),
                member -> List.of(member.getListenerId(), member.getMemberId()),
                (one, other) -> one.toBuilder()
                        .setForwarded(plus(one.getForwarded(), other.getForwarded()))
                        .setReturned(plus(one.getReturned(), other.getReturned()))
                        .build()));
        sum.addAllDrops(merged(
                nodes.stream().flatMap(node -> node.getDropsList().stream()),
                drop -> List.of(drop.getCauseValue(), drop.getTable(), drop.getPool(), drop.getMember()),
                (one, other) -> one.toBuilder()
                        .setDropped(plus(one.getDropped(), other.getDropped()))
                        .build()));
        sum.addAllVips(merged(
                nodes.stream().flatMap(node -> node.getVipsList().stream()),
                VipCounters::getVip,
                (one, other) -> one.toBuilder()
                        .setReceived(plus(one.getReceived(), other.getReceived()))
                        .setReturned(plus(one.getReturned(), other.getReturned()))
                        .build()));
        return sum.setEchoed(nodes.stream()
                        .map(NodeCounters::getEchoed)
                        .reduce(Count.getDefaultInstance(), CounterSum::plus))
                .build();
    }

    /** Merges what has one key, in the order in which the keys come first. */
    private static <T, K> Collection<T> merged(Stream<T> all, Function<T, K> key, BinaryOperator<T> merge) {
        Map<K, T> byKey = new LinkedHashMap<>();
        all.forEach(one -> byKey.merge(key.apply(one), one, merge));
        return byKey.values();
    }

    private static Count plus(Count one, Count other) {
        return Count.newBuilder()
                .setPackets(one.getPackets() + other.getPackets())
                .setBytes(one.getBytes() + other.getBytes())
                .setPacketsPerSecond(one.getPacketsPerSecond() + other.getPacketsPerSecond())
                .setBytesPerSecond(one.getBytesPerSecond() + other.getBytesPerSecond())
                .build();
    }
}
