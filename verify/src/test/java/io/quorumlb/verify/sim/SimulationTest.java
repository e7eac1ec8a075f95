package io.quorumlb.verify.sim;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** Thousands of worlds: every invariant holds after every event. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SimulationTest {
    private static final int CHUNK = 250;
    private static final int TRANSCRIPTS_MAX = 2;

    /** What does not happen is not tested. */
    private static final List<String> TOLD = List.of(
            "blind-observer",
            "disruption-held",
            "flows-repaired",
            "foreign-flows",
            "held-down-flapping",
            "incarnation-raised",
            "mass-failure-held",
            "member-suspect",
            "node-paused",
            "panic",
            "pool-empty",
            "pool-filled",
            "service-left",
            "service-returned",
            "switch-failed");

    @TestFactory
    Stream<DynamicTest> threeNodes() {
        SortedMap<String, Integer> said = new ConcurrentSkipListMap<>();
        return Stream.concat(
                chunks(3, 750, result -> result.said().keySet().forEach(code -> said.merge(code, 1, Integer::sum))),
                Stream.of(DynamicTest.dynamicTest("all kinds of trouble were told to operators", () -> {
                    System.err.println("simulation: in so many worlds nodes told operators: " + said);
                    assertTrue(said.keySet().containsAll(TOLD), () -> "%s is not all of %s".formatted(said, TOLD));
                })));
    }

    @TestFactory
    Stream<DynamicTest> fiveNodes() {
        return chunks(5, 250, _ -> {});
    }

    private static Stream<DynamicTest> chunks(int nodes, int seeds, Consumer<Simulation.Result> ended) {
        return LongStream.range(0, seeds / CHUNK)
                .map(chunk -> 1 + chunk * CHUNK)
                .mapToObj(from -> DynamicTest.dynamicTest(
                        "%d nodes, seeds %d to %d".formatted(nodes, from, from + CHUNK - 1),
                        () -> holds(nodes, from, ended)));
    }

    private static void holds(int nodes, long from, Consumer<Simulation.Result> ended) {
        long start = System.nanoTime();
        List<Simulation.Result> results = Seeds.run(from, CHUNK, nodes, ended);
        List<Simulation.Result> failed = results.stream()
                .filter(result -> result.violation().isPresent())
                .toList();
        System.err.printf(
                Locale.ROOT,
                "simulation: %d nodes, seeds %d to %d: %d failed, %.1f s, %.1f M events%n",
                nodes,
                from,
                from + CHUNK - 1,
                failed.size(),
                (System.nanoTime() - start) / 1e9,
                results.stream().mapToLong(Simulation.Result::events).sum() / 1e6);
        if (!failed.isEmpty()) {
            List<String> texts =
                    new ArrayList<>(failed.stream().map(Failure::line).toList());
            failed.stream().limit(TRANSCRIPTS_MAX).forEach(result -> texts.add(Failure.text(result, Planted.NOTHING)));
            fail(String.join(System.lineSeparator(), texts));
        }
    }
}
