package io.quorumlb.node.core;

import io.quorumlb.consensus.model.IpPrefix;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds what this node's configured attachments lack in the switch and in the kernel. */
final class Attachments {
    private Attachments() {}

    /** Returns one sentence for each port or interface that is missing, uplink first; what was not read is not judged. */
    static List<String> missing(
            NodeSettings settings, Model model, Optional<NetworkView> view, Optional<SwitchSnapshot> snapshot) {
        List<String> missing = new ArrayList<>();
        check("the uplink", settings.uplink(), view, snapshot, missing);
        for (Segment segment : model.segments().values()) {
            Attachment attachment = settings.segments().get(segment.name());
            if (attachment != null) {
                check("segment " + segment.name(), attachment, view, snapshot, missing);
            }
        }
        return missing;
    }

    /**
     * Returns what keeps this node from carrying traffic of a version of IP, if anything does: a next hop or an address
     * of its own that is missing. What was not read is not judged.
     */
    static Optional<String> trouble(NodeSettings settings, Model model, Optional<NetworkView> view, IpFamily family) {
        if (!settings.nextHops().containsKey(family)) {
            return Optional.of("no next hop of %s is configured on the uplink".formatted(family));
        }
        SortedMap<String, InterfaceAddress> interfaces =
                view.map(NetworkView::interfaces).orElse(new TreeMap<>());
        InterfaceAddress uplink = interfaces.get(settings.uplink().interfaceName());
        if (uplink != null && !uplink.speaks(family)) {
            return Optional.of("interface %s of the uplink has no address of %s"
                    .formatted(settings.uplink().interfaceName(), family));
        }
        for (Segment segment : model.segments().values()) {
            Optional<IpPrefix> network = segment.network(family).map(Segment.Network::prefix);
            Optional<Attachment> attachment =
                    Optional.ofNullable(settings.segments().get(segment.name()));
            Optional<String> lacking = attachment
                    .map(Attachment::interfaceName)
                    .filter(name -> interfaces.containsKey(name)
                            && network.filter(prefix -> !interfaces.get(name).isIn(prefix))
                                    .isPresent());
            if (lacking.isPresent()) {
                return Optional.of("interface %s of segment %s has no address in %s"
                        .formatted(lacking.get(), segment.name(), network.orElseThrow()));
            }
        }
        return Optional.empty();
    }

    private static void check(
            String network,
            Attachment attachment,
            Optional<NetworkView> view,
            Optional<SwitchSnapshot> snapshot,
            List<String> missing) {
        String name = attachment.interfaceName();
        if (view.filter(kernel -> !kernel.interfaces().containsKey(name)).isPresent()) {
            missing.add("interface %s of %s is missing or has no address".formatted(name, network));
        }
        snapshot.ifPresent(held -> {
            for (String port : List.of(attachment.port(), name)) {
                if (!held.ports().containsKey(port)) {
                    missing.add("port %s of %s is not in the switch".formatted(port, network));
                }
            }
        });
    }
}
