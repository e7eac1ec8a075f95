package io.quorumlb.ovs.pipeline;

import java.util.Optional;

/** Why the switch drops a packet. */
public enum DropCause {
    /** The pool has no member that takes traffic. */
    NO_MEMBER,
    /** The MAC address of the member, or of the router, is not known. */
    NO_MAC,
    /** No listener of the VIP takes it. */
    UNKNOWN_PORT,
    /** It is part of a datagram. */
    FRAGMENT,
    /** Its time to live is over. */
    TTL,
    /** It lacks the ports of its protocol, or has port 0. */
    MALFORMED,
    /** ICMP to a VIP that is no echo request. */
    ICMP,
    /** It is neither for this node nor for a VIP. */
    NOT_OURS,
    /** It is neither ARP nor IP. */
    NOT_IP,
    /** The pool has no generation yet. */
    NO_GENERATION,
    /** It came from a segment and is no reply of a member. */
    NO_REPLY,
    /** The member is in a segment that this node has no port to. */
    NO_SEGMENT,
    /** The pool has no member left, and the listener tells its clients so. */
    REJECTED,
    /** A table had no row for it that should have one: a defect of ours. */
    DEFECT;

    /**
     * Returns why a row drops.
     *
     * @param cookie of a row of ours; a row that does not drop gives nothing
     */
    static Optional<DropCause> of(long cookie) {
        return Cookie.kind(cookie).flatMap(kind -> switch (kind) {
            case INGRESS, LISTENER, SLOT, FAIL_OPEN, MEMBER, UN_DNAT, EGRESS, ECHO, FINGERPRINT, MARKER ->
                Optional.empty();
            case FRAGMENT -> Optional.of(FRAGMENT);
            case FAIL_CLOSE -> Optional.of(NO_MEMBER);
            case REJECT -> Optional.of(REJECTED);
            case UNKNOWN_PORT -> Optional.of(UNKNOWN_PORT);
            case MALFORMED -> Optional.of(MALFORMED);
            case TTL -> Optional.of(TTL);
            case NO_MAC -> Optional.of(NO_MAC);
            case NOT_OURS -> Optional.of(NOT_OURS);
            case ICMP -> Optional.of(ICMP);
            case MISS -> Optional.of(ofMiss(Cookie.object(cookie)));
        });
    }

    private static DropCause ofMiss(int table) {
        for (PipelineTable known : PipelineTable.values()) {
            if (known.id() == table) {
                return switch (known) {
                    case INGRESS -> NOT_IP;
                    case SLOT_FUNCTION -> NO_GENERATION;
                    case UN_DNAT -> NO_REPLY;
                    case EGRESS -> NO_SEGMENT;
                    case LISTENER, SLOTS, MEMBER, TTL, RETURN_EGRESS, ECHO, ADVERTISEMENT, FINGERPRINT, MARKER ->
                        DEFECT;
                };
            }
        }
        return DEFECT;
    }
}
