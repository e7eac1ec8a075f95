package io.quorumlb.consensus.wire;

import com.google.protobuf.InvalidProtocolBufferException;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.proto.v1.Done;
import io.quorumlb.proto.v1.EntryOutcome;
import io.quorumlb.proto.v1.Refused;
import java.nio.ByteBuffer;

/** Converts what the state machine made of an entry. From the wire, errors are IllegalArgumentException. */
public final class OutcomeCodec {
    private OutcomeCodec() {}

    /** Returns the outcome as a message. */
    public static EntryOutcome toWire(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done done ->
                EntryOutcome.newBuilder().setDone(toWire(done)).build();
            case Outcome.Refused refused ->
                EntryOutcome.newBuilder().setRefused(toWire(refused)).build();
        };
    }

    /** Returns the outcome of a message. */
    public static Outcome fromWire(EntryOutcome message) {
        return switch (message.getOutcomeCase()) {
            case DONE -> fromWire(message.getDone());
            case REFUSED -> fromWire(message.getRefused());
            case OUTCOME_NOT_SET -> throw WireField.missing("entry_outcome.outcome");
        };
    }

    /** Returns the outcome of a serialized message. */
    public static Outcome parse(ByteBuffer bytes) {
        try {
            return fromWire(EntryOutcome.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("not an EntryOutcome message: " + e.getMessage(), e);
        }
    }

    /** Returns the success as a message. */
    public static Done toWire(Outcome.Done done) {
        return Done.newBuilder().setId(done.id()).setRevision(done.revision()).build();
    }

    /** Returns the success of a message. */
    public static Outcome.Done fromWire(Done message) {
        return new Outcome.Done(
                WireField.number("done.id", message.getId()), WireField.number("done.revision", message.getRevision()));
    }

    /** Returns the refusal as a message. */
    public static Refused toWire(Outcome.Refused refused) {
        return Refused.newBuilder()
                .setCause(EnumCodec.toWire(refused.cause()))
                .setField(refused.field())
                .setMessage(refused.message())
                .build();
    }

    /** Returns the refusal of a message. */
    public static Outcome.Refused fromWire(Refused message) {
        return new Outcome.Refused(
                EnumCodec.fromWire("refused.cause", message.getCause()), message.getField(), message.getMessage());
    }
}
