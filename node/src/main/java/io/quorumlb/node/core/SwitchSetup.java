package io.quorumlb.node.core;

import io.quorumlb.ovs.flow.SwitchDatabase;
import java.util.List;
import java.util.Optional;

/**
 * What is known of the switch's database.
 *
 * @param database what it said last; empty if it was never read
 * @param failure why it cannot be read now; empty if it can
 * @param problems what is wrong with the configuration
 */
record SwitchSetup(Optional<SwitchDatabase> database, String failure, List<SwitchProblem> problems) {
    SwitchSetup {
        problems = List.copyOf(problems);
    }

    static SwitchSetup unknown() {
        return new SwitchSetup(Optional.empty(), "", List.of());
    }
}
