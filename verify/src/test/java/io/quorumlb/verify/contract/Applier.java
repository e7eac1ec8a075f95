package io.quorumlb.verify.contract;

import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;

/** How a committed command changes the state; the product's is {@code StateMachine::apply}. */
@FunctionalInterface
public interface Applier {
    /** Returns the state after the command and what became of it. */
    Applied apply(ClusterState state, Command command);
}
