package io.quorumlb.consensus.site;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import java.util.List;

/** How a configuration becomes what a site asks for. */
public sealed interface SitePlan {
    /**
     * It can.
     *
     * @param changes in the order in which they are made; none if it is so already
     */
    record Changes(List<SiteChange> changes) implements SitePlan {
        /** Copies the list. */
        public Changes {
            changes = List.copyOf(changes);
        }

        /** Returns all changes as one. */
        public Command.Batch batch() {
            return new Command.Batch(
                    changes.stream().flatMap(change -> change.edits().stream()).toList());
        }
    }

    /** It asks for something that nothing can change. */
    record Fixed(Outcome.Refused refused) implements SitePlan {}
}
