package io.quorumlb.node.json;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import io.grpc.Context;
import io.grpc.ServerCall;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One call whose caller has been let in; the request may come now. Closing it cancels what is still under way. */
final class OpenCall<Q extends Message, R extends Message> implements AutoCloseable {
    private final DirectCall<Q, R> call;
    private final ServerCall.Listener<Q> listener;
    private final Context.CancellableContext context;

    OpenCall(DirectCall<Q, R> call, ServerCall.Listener<Q> listener, Context.CancellableContext context) {
        this.call = call;
        this.listener = listener;
        this.context = context;
    }

    /**
     * Hands the request to the method, on a thread of its own, and waits for the answer.
     *
     * @param request made by {@link UnaryMethod#newRequest}
     * @param limit after this the call is cancelled
     * @throws Problem if the call ended with another status than OK
     */
    @SuppressWarnings("unchecked") // the builder is the prototype's
    R answer(Message.Builder request, Duration limit) throws Problem, InterruptedException {
        Thread.ofVirtual().name("json-call").start(context.wrap(() -> run((Q) request.build())));
        try {
            return call.answer(limit);
        } catch (TimeoutException e) {
            context.cancel(e);
            throw Problem.of(
                    Code.DEADLINE_EXCEEDED,
                    "DEADLINE",
                    "no answer within %d ms: a write may still be committed, read the object before repeating it"
                            .formatted(TimeUnit.NANOSECONDS.toMillis(limit.toNanos())));
        }
    }

    private void run(Q request) {
        try {
            listener.onMessage(request);
            listener.onHalfClose();
            listener.onComplete();
        } catch (RuntimeException e) {
            call.failed(e);
        }
    }

    @Override
    public void close() {
        context.cancel(null);
    }
}
