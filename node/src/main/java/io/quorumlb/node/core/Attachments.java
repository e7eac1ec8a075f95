package io.quorumlb.node.core;

import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Segment;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
