package io.quorumlb.ovs.pipeline;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.List;

/**
 * The flow that tells a reader of the switch which generation it holds: {@code reg0} is the pool, the actions load the
 * first 8 bytes of the digest into {@code reg1} and {@code reg2} and the generation number into {@code reg3}. No packet
 * ever meets it.
 */
final class GenerationMarker {
    private static final long LOW_32 = 0xffff_ffffL;

    private GenerationMarker() {}

    static Flow flow(ServedPool pool) {
        long digest = pool.digest().prefix();
        return new Flow(
                new FlowKey(PipelineTable.MARKER.id(), 100, Match.of().with(Field.REG0, pool.id())),
                Cookie.of(Cookie.Kind.MARKER, pool.id(), 0),
                List.of(Instruction.ApplyActions.of(
                        new Action.SetField(Field.REG1, digest >>> 32),
                        new Action.SetField(Field.REG2, digest & LOW_32),
                        new Action.SetField(Field.REG3, pool.generation() & LOW_32))));
    }
}
