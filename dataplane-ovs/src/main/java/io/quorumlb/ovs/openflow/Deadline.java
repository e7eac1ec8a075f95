package io.quorumlb.ovs.openflow;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

/** The moment by which a call must have ended, on the monotonic clock. Used by one thread. */
final class Deadline {
    private final Duration limit;
    private long end;

    private Deadline(Duration limit, long end) {
        this.limit = limit;
        this.end = end;
    }

    static Deadline in(Duration limit) {
        return new Deadline(limit, System.nanoTime() + limit.toNanos());
    }

    /** Returns the nanoseconds left, zero if it has passed. */
    long remainingNanos() {
        return Math.max(0, end - System.nanoTime());
    }

    OpenFlowException missedBy(String what) {
        return new OpenFlowException(
                OpenFlowException.Kind.TIMEOUT, what + " was not done within " + limit.toMillis() + " ms");
    }

    /**
     * Waits for an answer; one that does not come ends the connection.
     *
     * @param what says for people what is waited for
     * @throws OpenFlowException if it failed, or this deadline passed first
     */
    <T> T await(Future<T> answer, String what, SwitchHandler handler) throws OpenFlowException {
        try {
            return answer.get(remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            OpenFlowException missed = missedBy(what);
            handler.fail(missed);
            throw missed;
        } catch (InterruptedException interrupted) {
            throw interrupted(interrupted, handler);
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof OpenFlowException known) {
                throw known;
            }
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            var unreachable =
                    new OpenFlowException(OpenFlowException.Kind.UNREACHABLE, what + " failed: " + cause, cause);
            handler.fail(unreachable);
            throw unreachable;
        }
    }

    /**
     * Waits for an answer that comes in parts; only a switch that says nothing of it for as long as the limit is given up.
     *
     * @param parts how many have come
     */
    <T> T await(Future<T> answer, IntSupplier parts, String what, SwitchHandler handler) throws OpenFlowException {
        int known = -1;
        while (!answer.isDone() && known != parts.getAsInt()) {
            known = parts.getAsInt();
            end = System.nanoTime() + limit.toNanos();
            try {
                return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                // Unless a part has come meanwhile, the last wait ends it.
            } catch (InterruptedException interrupted) {
                throw interrupted(interrupted, handler);
            } catch (ExecutionException _) {
                break;
            }
        }
        return await(answer, what, handler);
    }

    /** Ends the connection, whose state nobody will know, and returns the failure to throw. */
    static OpenFlowException interrupted(InterruptedException cause, SwitchHandler handler) {
        Thread.currentThread().interrupt();
        var failure = new OpenFlowException(
                OpenFlowException.Kind.UNREACHABLE, "the call to the switch was interrupted", cause);
        handler.fail(failure);
        return failure;
    }
}
