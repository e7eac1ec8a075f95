package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Match;
import java.util.List;

/** A message from the switch, decoded. */
sealed interface Message {
    /** Returns the transaction id: that of the request for a reply. */
    int xid();

    /**
     * The switch's greeting.
     *
     * @param headerVersion highest version it speaks, if it sent no bitmap
     * @param versionBitmap one bit per version it speaks, bit 6 is OpenFlow 1.5; zero if it sent none
     */
    record Hello(int xid, int headerVersion, int versionBitmap) implements Message {}

    /**
     * The switch refused a request.
     *
     * @param type class of errors
     * @param code error within the class
     * @param data first bytes of the request in hexadecimal, or a text in ASCII when greetings do not fit
     */
    record Failure(int xid, int type, int code, String data) implements Message {}

    /**
     * A question whether we are alive.
     *
     * @param payload to be sent back, in hexadecimal
     */
    record EchoRequest(int xid, String payload) implements Message {}

    /** The switch is alive. */
    record EchoReply(int xid) implements Message {}

    /**
     * Who the switch is.
     *
     * @param datapathId identity of the bridge
     * @param tables number of tables
     */
    record Features(int xid, long datapathId, int tables) implements Message {}

    /**
     * Part of the list of ports.
     *
     * @param ports ports of this part
     * @param more whether another part follows
     */
    record Ports(int xid, List<PortDescription> ports, boolean more) implements Message {}

    /**
     * Part of the list of flows.
     *
     * @param flows flows of this part
     * @param more whether another part follows
     */
    record Flows(int xid, List<FlowDescription> flows, boolean more) implements Message {}

    /**
     * What others did to the flows since the last such message.
     *
     * @param xid 0, or that of the request in the first one
     * @param changes changes of others; empty if it only speaks of our own
     */
    record FlowUpdates(int xid, List<FlowChange> changes) implements Message {}

    /**
     * Part of the list of groups.
     *
     * @param groups groups of this part
     * @param more whether another part follows
     */
    record Groups(int xid, List<Group> groups, boolean more) implements Message {}

    /**
     * A packet that a flow sent to the controllers.
     *
     * @param table where it was
     * @param cookie of the flow
     * @param fields in_port and registers that are not zero
     * @param frame its first bytes, as many as the flow says, in hexadecimal
     */
    record PacketIn(int xid, int table, long cookie, Match fields, String frame) implements Message {}

    /** All requests before the barrier are done. */
    record BarrierReply(int xid) implements Message {}

    /**
     * Answer to a step of a bundle.
     *
     * @param bundle number of the bundle, unsigned
     * @param step the answer
     */
    record BundleControl(int xid, int bundle, BundleStep step) implements Message {}

    /**
     * A notice this program did not ask for and does not need.
     *
     * @param type message type
     */
    record Notice(int xid, int type) implements Message {}
}
