package io.quorumlb.node.gossip;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.wire.OutcomeCodec;
import io.quorumlb.proto.v1.ProposeResponse;
import java.util.Optional;

/** Converts what became of a forwarded proposal. */
final class ProposeCodec {
    private ProposeCodec() {}

    static ProposeResponse toWire(ProposeOutcome outcome) {
        var response = ProposeResponse.newBuilder();
        return switch (outcome) {
            case ProposeOutcome.Committed(Outcome.Done done) ->
                response.setDone(OutcomeCodec.toWire(done)).build();
            case ProposeOutcome.Committed(Outcome.Refused refused) ->
                response.setRefused(OutcomeCodec.toWire(refused)).build();
            case ProposeOutcome.NotLeader _ ->
                response.setNotLeader(ProposeResponse.NotLeader.getDefaultInstance())
                        .build();
            case ProposeOutcome.Unknown(String reason) ->
                response.setUnknown(ProposeResponse.Unknown.newBuilder().setReason(reason))
                        .build();
        };
    }

    /** Returns the outcome; an answer that cannot be read means that the entry may be committed. */
    static ProposeOutcome fromWire(ProposeResponse response) {
        try {
            return switch (response.getOutcomeCase()) {
                case DONE -> new ProposeOutcome.Committed(OutcomeCodec.fromWire(response.getDone()));
                case REFUSED -> new ProposeOutcome.Committed(OutcomeCodec.fromWire(response.getRefused()));
                case NOT_LEADER -> new ProposeOutcome.NotLeader(Optional.empty());
                case UNKNOWN -> new ProposeOutcome.Unknown(response.getUnknown().getReason());
                case OUTCOME_NOT_SET -> new ProposeOutcome.Unknown("the leader's answer has no known outcome");
            };
        } catch (IllegalArgumentException e) {
            return new ProposeOutcome.Unknown("the leader's answer cannot be read: " + e.getMessage());
        }
    }
}
