package io.quorumlb.consensus.plan;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.maglev.Movement;

/** What the leader should do about one pool. */
public sealed interface Plan {
    /** The current generation says what is wanted. */
    record Keep() implements Plan {}

    /**
     * Another generation is due.
     *
     * @param command to propose
     * @param movement slots that it moves
     */
    record Commit(Command.CommitGeneration command, Movement movement) implements Plan {}
}
