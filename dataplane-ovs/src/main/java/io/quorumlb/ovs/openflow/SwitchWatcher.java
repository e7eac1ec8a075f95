package io.quorumlb.ovs.openflow;

import java.util.function.Consumer;

/**
 * Who hears what a switch says unasked. Both must return at once.
 *
 * @param touched somebody else changed flows; called for each message that says so, so it must gather them
 * @param lost a connection that worked has ended, with the reason
 */
public record SwitchWatcher(Runnable touched, Consumer<String> lost) {
    /** Hears nothing. */
    public static SwitchWatcher none() {
        return new SwitchWatcher(() -> {}, _ -> {});
    }
}
