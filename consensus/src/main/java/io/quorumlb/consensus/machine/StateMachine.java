package io.quorumlb.consensus.machine;

/** Applies commands: every node that applies the same commands in the same order has the same state. */
public final class StateMachine {
    private StateMachine() {}

    /** Returns the state after the command and what became of it; a refused command leaves the state as it was. */
    public static Applied apply(ClusterState state, Command command) {
        return switch (command) {
            case Command.Edit edit -> Edits.apply(state, edit);
            case Command.Batch batch -> Edits.apply(state, batch);
            case Command.CompactPool(String pool, int movedMax) -> PoolMembers.compact(state, pool, movedMax);
            case Command.SetSlotFunction(var function) ->
                new Applied(state.with(function), new Outcome.Done(0, state.revision()));
            case Command.SetService set -> NodeService.set(state, set);
            case Command.AssignGateways assign -> Gateways.assign(state, assign);
            case Command.CommitGeneration commit -> Generations.commit(state, commit);
            case Command.Requested write -> RequestedWrites.apply(state, write);
            case Command.OverrideGuards(String pool, var override) -> Generations.override(state, pool, override);
            case Command.HoldMember hold -> TimedMembers.hold(state, hold);
            case Command.ReleaseMember release -> TimedMembers.release(state, release);
            case Command.DrainMember drain -> TimedMembers.drain(state, drain);
            case Command.RampMember ramp -> TimedMembers.ramp(state, ramp);
            case Command.RampWeight ramp -> TimedMembers.rampWeight(state, ramp);
            case Command.PassTime(long millis) -> Passing.pass(state, millis);
        };
    }
}
