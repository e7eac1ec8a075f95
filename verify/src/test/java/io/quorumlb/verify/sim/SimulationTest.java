package io.quorumlb.verify.sim;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
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

    @TestFactory
    Stream<DynamicTest> threeNodes() {
        return chunks(3, 2000);
    }

    @TestFactory
    Stream<DynamicTest> fiveNodes() {
        return chunks(5, 500);
    }

    private static Stream<DynamicTest> chunks(int nodes, int seeds) {
        return LongStream.range(0, seeds / CHUNK)
                .map(chunk -> 1 + chunk * CHUNK)
                .mapToObj(from -> DynamicTest.dynamicTest(
                        "%d nodes, seeds %d to %d".formatted(nodes, from, from + CHUNK - 1), () -> holds(nodes, from)));
    }

    private static void holds(int nodes, long from) {
        long start = System.nanoTime();
        List<Simulation.Result> results = Seeds.run(from, CHUNK, nodes, _ -> {});
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
