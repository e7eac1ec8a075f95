package io.quorumlb.node.api;

import io.grpc.Context;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.Proof;
import io.quorumlb.node.core.Proofs;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.proto.v1.MissingProof;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Waits until the nodes have proven a generation. */
final class GenerationWait {
    private static final long TIMEOUT_MILLIS_DEFAULT = 10_000;
    private static final long TIMEOUT_MILLIS_MAX = 600_000;

    private final StateWatch watch;
    private final LongSupplier nanoTime;

    GenerationWait(StateWatch watch, LongSupplier nanoTime) {
        this.watch = watch;
        this.nanoTime = nanoTime;
    }

    /** Answers once the generation is proven, or at the timeout with what is missing. */
    WaitForGenerationResponse answer(WaitForGenerationRequest request) throws InterruptedException {
        String name = Commands.named("pool", request.getPool());
        long asked = number("generation", request.getGeneration());
        long revision = number("revision", request.getRevision());
        long end = nanoTime.getAsLong() + timeout(request).toNanos();
        // The pool may be younger than what this node has applied.
        boolean _ = await(state -> state.cluster().revision() >= revision, end);
        int pool = Listings.pool(watch.current(), "pool", name).id();
        long generation = asked;
        if (asked == 0) {
            long reflected = Math.max(revision, watch.current().cluster().revision());
            if (!await(state -> Proofs.settled(state, pool, reflected, now()), end)) {
                return unsettled(pool, reflected);
            }
            generation = watch.current().cluster().generationNumber(pool);
        }
        long wanted = generation;
        boolean _ = await(state -> Proofs.of(state, pool, wanted, now()).complete(), end);
        return toWire(Proofs.of(watch.current(), pool, wanted, now())).build();
    }

    private boolean await(Predicate<NodeState> wanted, long end) throws InterruptedException {
        Context call = Context.current();
        boolean found = watch.await(
                state -> call.isCancelled() || wanted.test(state), Duration.ofNanos(end - nanoTime.getAsLong()));
        if (call.isCancelled()) {
            throw Refusals.cancelled();
        }
        return found;
    }

    /** The nodes may well agree on the present generation, but a newer one is due. */
    private WaitForGenerationResponse unsettled(int pool, long revision) {
        NodeState state = watch.current();
        Proof proof = Proofs.of(state, pool, state.cluster().generationNumber(pool), now());
        NodeId self = state.settings().self();
        String reason =
                "no generation of the pool reflects revision %d and the members' health yet; revision %d is applied"
                        .formatted(revision, state.cluster().revision());
        return toWire(proof)
                .setProven(false)
                .addMissing(MissingProof.newBuilder()
                        .setNode(self.value())
                        .setReachable(true)
                        .setReason(reason))
                .build();
    }

    private static WaitForGenerationResponse.Builder toWire(Proof proof) {
        var response = WaitForGenerationResponse.newBuilder()
                .setProven(proof.complete())
                .setGeneration(proof.generation());
        proof.provenBy().forEach(node -> response.addProvenBy(node.value()));
        proof.missing()
                .forEach(missing -> response.addMissing(MissingProof.newBuilder()
                        .setNode(missing.node().value())
                        .setReachable(missing.reachable())
                        .setReason(missing.reason())));
        return response;
    }

    private MonotonicTime now() {
        return new MonotonicTime(nanoTime.getAsLong());
    }

    private static long number(String field, long value) {
        if (value < 0) {
            throw Refusals.outside(field, Long.toUnsignedString(value), "0.." + Long.MAX_VALUE);
        }
        return value;
    }

    private static Duration timeout(WaitForGenerationRequest request) {
        long millis = Integer.toUnsignedLong(request.getTimeoutMillis());
        if (millis > TIMEOUT_MILLIS_MAX) {
            throw Refusals.outside(
                    "timeout_millis",
                    Long.toString(millis),
                    "1.." + TIMEOUT_MILLIS_MAX,
                    " (0 means %d)".formatted(TIMEOUT_MILLIS_DEFAULT));
        }
        return Duration.ofMillis(millis == 0 ? TIMEOUT_MILLIS_DEFAULT : millis);
    }
}
