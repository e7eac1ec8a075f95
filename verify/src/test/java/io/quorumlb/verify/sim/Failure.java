package io.quorumlb.verify.sim;

import java.util.ArrayDeque;
import java.util.Deque;

/** Tells people of a seed that failed: what did not hold, how to see it again, and what came before. */
final class Failure {
    private static final int LINES = 120;

    private Failure() {}

    /** Returns the text; runs the seed again to have its transcript. */
    static String text(Simulation.Result result, Planted planted) {
        Deque<String> last = new ArrayDeque<>();
        var again = Simulation.run(result.settings(), planted, Transcript.to(line -> {
            last.addLast(line);
            if (last.size() > LINES) {
                last.removeFirst();
            }
        }));
        String first = line(result);
        String second = line(again);
        return "%s%n%s%nsee all of it: scripts/simulate %d --nodes %d%s%nthe last %d lines:%n%s"
                .formatted(
                        first,
                        first.equals(second) ? result.settings() : "RUN AGAIN IT GIVES SOMETHING ELSE: " + second,
                        result.settings().seed(),
                        result.settings().nodes(),
                        planted == Planted.NOTHING ? "" : " --planted " + planted,
                        last.size(),
                        String.join(System.lineSeparator(), last));
    }

    /** Returns the seed and what did not hold in one line. */
    static String line(Simulation.Result result) {
        return "seed %d, %d nodes: %s"
                .formatted(
                        result.settings().seed(),
                        result.settings().nodes(),
                        result.violation().map(Violation::getMessage).orElse("all invariants hold"));
    }
}
