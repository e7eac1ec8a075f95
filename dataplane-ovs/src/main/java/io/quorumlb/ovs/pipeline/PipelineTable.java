package io.quorumlb.ovs.pipeline;

/** The tables of the pipeline; packets only go to higher numbers. {@code docs/pipeline.md} describes each. */
public enum PipelineTable {
    /** Sorts packets by port and destination; answers ARP and begins to answer neighbour solicitations. */
    INGRESS(0),
    /** Finds the listener. */
    LISTENER(8),
    /** Hashes addresses, protocol and ports to a slot. */
    SLOT_FUNCTION(10),
    /** Finds the member that owns the slot. */
    SLOTS(11),
    /** Writes the member's address and port. */
    MEMBER(13),
    /** Writes the VIP and its port into a reply. */
    UN_DNAT(15),
    /** Takes one from the time to live. */
    TTL(20),
    /** Writes MAC addresses and sends to the member. */
    EGRESS(21),
    /** Writes MAC addresses and sends the reply to the router. */
    RETURN_EGRESS(25),
    /** Answers echo requests. */
    ECHO(30),
    /** Completes the answer to a neighbour solicitation. */
    ADVERTISEMENT(33),
    /** Tells the controller the slot of a packet that asks for nothing else. */
    FINGERPRINT(40),
    /** Says which generation the switch holds; no packet comes here. */
    MARKER(250);

    private final int id;

    PipelineTable(int id) {
        this.id = id;
    }

    /** Returns the OpenFlow table number. */
    public int id() {
        return id;
    }
}
