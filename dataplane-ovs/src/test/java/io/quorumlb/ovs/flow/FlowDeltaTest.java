package io.quorumlb.ovs.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FlowDeltaTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void turnsInstalledIntoDesiredWithTheFewestChanges(long seed) {
        var random = new Random(seed);
        SortedMap<FlowKey, Flow> installed = randomFlows(random);
        Map<FlowKey, Flow> desired = randomFlows(random);
        // Both sides share some flows, else nothing is ever kept.
        desired.keySet().removeIf(_ -> random.nextInt(3) == 0);
        installed.forEach((key, flow) -> {
            if (random.nextBoolean()) {
                desired.put(key, flow);
            }
        });
        var shuffled = new ArrayList<>(desired.values());
        Collections.shuffle(shuffled, random);

        FlowDelta delta = FlowDelta.between(installed, shuffled);

        SortedMap<FlowKey, Flow> result = new TreeMap<>(installed);
        delta.delete().forEach(result::remove);
        delta.add().forEach(flow -> result.put(flow.key(), flow));
        assertEquals(desired, result);
        Set<Flow> slowAdds = new HashSet<>(desired.values());
        slowAdds.removeAll(installed.values());
        assertEquals(slowAdds, new HashSet<>(delta.add()));
        assertEquals(slowAdds.size(), delta.add().size());
        Set<FlowKey> slowDeletes = new HashSet<>(installed.keySet());
        slowDeletes.removeAll(desired.keySet());
        assertEquals(slowDeletes, new HashSet<>(delta.delete()));

        Collections.shuffle(shuffled, random);
        assertEquals(delta, FlowDelta.between(FlowMap.of(installed), shuffled));
        assertTrue(FlowDelta.between(result, shuffled).isEmpty());
        for (int i = 1; i < delta.add().size(); i++) {
            assertTrue(delta.add().get(i - 1).key().table()
                    >= delta.add().get(i).key().table());
        }
    }

    @Test
    void seesAChangeOfCookieInstructionsOrLifetime() {
        var key = new FlowKey(11, 100, Match.of().with(Field.REG0, 1));
        var drop = new Flow(key, 7, List.of());
        var installed = new TreeMap<>(Map.of(key, drop));
        assertTrue(FlowDelta.between(installed, List.of(drop)).isEmpty());
        for (Flow changed : List.of(
                new Flow(key, 8, List.of()),
                new Flow(key, 7, List.of(new Instruction.GotoTable(12))),
                new Flow(key, 7, List.of(), new Flow.Lifetime(0, 60)))) {
            assertEquals(
                    List.of(changed),
                    FlowDelta.between(installed, List.of(changed)).add());
        }
    }

    @Test
    void refusesTwoDesiredFlowsOfOneKey() {
        var key = new FlowKey(0, 0, Match.of());
        var drop = new Flow(key, 7, List.of());
        var other = new Flow(key, 7, List.of(new Instruction.GotoTable(8)));
        assertThrows(IllegalArgumentException.class, () -> FlowDelta.between(FlowMap.empty(), List.of(drop, other)));
        assertEquals(1, FlowDelta.between(FlowMap.empty(), List.of(drop, drop)).size());
    }

    private static SortedMap<FlowKey, Flow> randomFlows(Random random) {
        var flows = new TreeMap<FlowKey, Flow>();
        int count = random.nextInt(60);
        for (int i = 0; i < count; i++) {
            Match match = Match.of().with(Field.REG1, random.nextInt(16));
            var key = new FlowKey(random.nextInt(4), random.nextInt(2), match);
            List<Instruction> instructions = random.nextBoolean()
                    ? List.of(new Instruction.GotoTable(10 + random.nextInt(2)))
                    : List.of(Instruction.ApplyActions.of(new Action.Output(random.nextInt(2))));
            flows.put(key, new Flow(key, random.nextInt(2), instructions));
        }
        return flows;
    }
}
