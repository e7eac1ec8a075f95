package io.quorumlb.node.core;

import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.maglev.IpAddress;
import io.quorumlb.ovs.packet.AddressFrame;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.SegmentPort;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tells the stations of a segment who answers for a gateway: this node, once its switch is proven to answer, and only while
 * what it has applied is known to be recent. Told again for some seconds, because a frame may be lost and a station may
 * take no second change within a second; and from the start once the gateway's home is well again, whose switch has answered
 * what was asked while it stood still.
 */
final class Advertising {
    private static final List<Duration> TIMES = List.of(
            Duration.ZERO,
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10));

    private Advertising() {}

    static void due(Turn turn) {
        if (!turn.log.caughtUp() || turn.datapath.snapshot().isEmpty()) {
            // What its switch answers is not known, or may be another's by now.
            turn.gateways = turn.gateways.withAdvertisements(new TreeMap<>());
            return;
        }
        turn.datapath.proven().ifPresent(proven -> advertise(turn, proven));
    }

    private static void advertise(Turn turn, SwitchIntent proven) {
        SortedMap<GatewayId, Advertisement> next = new TreeMap<>();
        for (GatewayId gateway : turn.log.cluster().gateways()) {
            Optional<SegmentPort> port = Optional.ofNullable(
                            turn.log.cluster().model().segments().get(gateway.segmentId()))
                    .flatMap(segment -> Optional.ofNullable(proven.segments().get(segment.name())));
            boolean own = turn.log.cluster().ownerOf(gateway).equals(turn.settings.self());
            if (port.isEmpty() || !own) {
                continue;
            }
            SortedSet<IpAddress> answered = new TreeSet<>(turn.log.cluster().addressesOf(gateway));
            answered.retainAll(port.get().gateways());
            if (!answered.isEmpty()) {
                next.put(gateway, advertised(turn, begun(turn, gateway), port.get(), answered));
            }
        }
        if (!next.equals(turn.gateways.advertisements())) {
            turn.gateways = turn.gateways.withAdvertisements(next);
        }
    }

    /** Returns the advertisement under way, or a new one if there is none or the home has come back after it began. */
    private static Advertisement begun(Turn turn, GatewayId gateway) {
        Advertisement first = new Advertisement(turn.now, 0);
        Advertisement present = turn.gateways.advertisements().getOrDefault(gateway, first);
        boolean homeIsBack = !gateway.home().equals(turn.settings.self())
                && turn.gateways
                        .standings()
                        .getOrDefault(gateway.home(), Standing.NONE)
                        .steadySince()
                        .filter(since -> !present.since().reached(since))
                        .isPresent();
        return homeIsBack ? first : present;
    }

    private static Advertisement advertised(
            Turn turn, Advertisement advertisement, SegmentPort port, SortedSet<IpAddress> addresses) {
        int sent = advertisement.sent();
        if (sent == TIMES.size() || !turn.now.reached(advertisement.since().plus(TIMES.get(sent)))) {
            return advertisement;
        }
        List<AddressFrame> frames = addresses.stream()
                .flatMap(address -> AddressFrame.announcements(port.port().mac(), address).stream())
                .toList();
        turn.want(new NodeEffect.SendFrames(port.port().number(), frames));
        return new Advertisement(advertisement.since(), sent + 1);
    }
}
