package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.FlowKey;

/** What somebody else did to the flows of a switch. */
sealed interface FlowChange {
    /** A flow was added, or replaced by one of the same key. */
    record Added(FlowKey key, long cookie) implements FlowChange {}

    /** A flow was deleted or has expired. */
    record Removed(FlowKey key, long cookie) implements FlowChange {}

    /** The actions of a flow were changed, or written anew as they were. */
    record Modified(FlowKey key, long cookie) implements FlowChange {}

    /** So much changed at once that the switch stopped listing it, or goes on listing it. */
    record Gap() implements FlowChange {}
}
