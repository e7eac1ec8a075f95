package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits until the nodes have proven a pool's table, and tells who is missing whenever that changes. */
final class InstallWait {
    /** One call waits at most this long, so that progress is seen and another node can be asked. */
    private static final Duration SLICE = Duration.ofSeconds(1);

    /** Added to a call's own time: the answer that names who is missing must get here. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final Control control;
    private final Budget budget;
    private final Console console;

    /** Creates the wait; it ends with the budget. */
    InstallWait(Control control, Budget budget, Console console) {
        this.control = control;
        this.budget = budget;
        this.console = console;
    }

    /**
     * Returns the last answer: proven, or not proven when the budget had passed.
     *
     * @throws CommandFailure if nobody could say, or the node refused; a write stays committed
     */
    WaitForGenerationResponse await(AwaitedProof proof) {
        String told = "";
        while (true) {
            Duration slice = budget.remaining().compareTo(SLICE) < 0 ? budget.remaining() : SLICE;
            Budget turn = new Budget(slice);
            WaitForGenerationResponse answer = ask(proof, slice);
            if (answer.getProven() || !budget.remaining().isPositive()) {
                return answer;
            }
            String now = ProofView.progress(answer, proof);
            if (!now.equals(told)) {
                console.say(now);
                told = now;
            }
            // A node that answers before its time is not asked in a busy loop.
            LockSupport.parkNanos(turn.remaining().toNanos());
        }
    }

    private WaitForGenerationResponse ask(AwaitedProof proof, Duration slice) {
        // 0 on the wire would mean the node's own default.
        int millis = (int) Math.max(1, slice.toMillis());
        try {
            return control.readWithin(slice.plus(GRACE), stub -> stub.waitForGeneration(proof.within(millis)));
        } catch (CommandFailure e) {
            if (e.code() != ExitCode.UNKNOWN) {
                throw e;
            }
            throw new CommandFailure(
                    ExitCode.UNKNOWN,
                    "whether %s is installed is not known: %s".formatted(proof.words(), e.sentence()));
        }
    }
}
