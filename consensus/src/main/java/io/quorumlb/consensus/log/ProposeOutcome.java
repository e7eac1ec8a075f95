package io.quorumlb.consensus.log;

import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.NodeId;
import java.util.Optional;

/** What became of a proposal. */
public sealed interface ProposeOutcome {
    /**
     * The entry is committed and applied.
     *
     * @param outcome what the state machine made of it
     */
    record Committed(Outcome outcome) implements ProposeOutcome {}

    /**
     * This node does not lead; nothing was written.
     *
     * @param leader who to ask; empty if nobody is known to lead
     */
    record NotLeader(Optional<NodeId> leader) implements ProposeOutcome {}

    /**
     * It may still be committed later, or never: only the log can tell.
     *
     * @param reason for people
     */
    record Unknown(String reason) implements ProposeOutcome {}
}
