package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Action;
import java.util.List;

/** A frame to give to the switch, and what the switch is to do with it. */
public final class OutgoingFrame {
    private final byte[] bytes;
    private final List<Action> actions;

    /**
     * Makes a frame.
     *
     * @param bytes from the Ethernet destination on
     * @param actions first one first
     */
    public OutgoingFrame(byte[] bytes, List<Action> actions) {
        this.bytes = bytes.clone();
        this.actions = List.copyOf(actions);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    List<Action> actions() {
        return actions;
    }
}
