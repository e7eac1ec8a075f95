package io.quorumlb.ovs.openflow;

import java.util.Optional;

/** Who answers packets that flows send to the controller. */
@FunctionalInterface
public interface PacketAnswers {
    /**
     * Returns the frame to send back by the port that the packet came in by; empty if there is no answer. Called by the
     * connection's one thread: it must return at once, and throw nothing whatever the packet is.
     *
     * @param cookie of the flow
     * @param frame first bytes of the packet, from the Ethernet destination on
     */
    Optional<byte[]> to(long cookie, byte[] frame);
}
