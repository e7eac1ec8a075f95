package io.quorumlb.node.api;

import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.machine.Outcome.Cause;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.site.SiteDiff;
import io.quorumlb.consensus.site.SiteDiff.Absent;
import io.quorumlb.consensus.site.SitePlan;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.consensus.wire.OriginCodec;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.state.StateWatch;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Makes the configuration what a site asks for. What has to change is found on the answering node, from what it has applied.
 * The change says from which revision it was found; if that has passed by then, it is found anew. Where nothing has to change
 * that is proposed as well: only the log knows whether what this node has applied is the latest.
 */
final class Applying {
    /** So often others may change the configuration while one call is at it, or this node be late. */
    private static final int ATTEMPTS = 5;

    private static final Duration CATCH_UP_MAX = Duration.ofSeconds(1);

    private final StateWatch watch;
    private final Writes writes;
    private final LongSupplier nanoTime;

    Applying(StateWatch watch, Writes writes, LongSupplier nanoTime) {
        this.watch = watch;
        this.writes = writes;
        this.nanoTime = nanoTime;
    }

    /** What was found at one revision. */
    private record Found(NodeState state, SitePlan.Changes plan, Command.Requested write, Applied applied) {}

    ApplyResponse answer(ApplyRequest request) throws InterruptedException {
        // What is asked for, not what has to change for it: that is another thing when it is asked again.
        Origin origin = Commands.origin(
                request.getOptions(),
                OriginCodec.content(
                        request.toBuilder().clearOptions().clearDryRun().build()));
        for (int attempt = 1; ; attempt++) {
            Found found = find(request, origin);
            if (request.getDryRun()) {
                return response(request, found, found.state().cluster().revision());
            }
            switch (writes.outcome(found.write())) {
                case Outcome.Done done -> {
                    return response(request, found, done.revision());
                }
                case Outcome.Refused refused -> {
                    if (refused.cause() != Cause.CHANGED
                            || origin.expectedRevision().isPresent()
                            || attempt == ATTEMPTS) {
                        throw Refusals.refused(refused);
                    }
                    long old = found.state().cluster().revision();
                    if (!watch.await(state -> state.cluster().revision() != old, Writes.RETRY_MAX)) {
                        throw Refusals.late(old);
                    }
                }
            }
        }
    }

    private Found find(ApplyRequest request, Origin origin) throws InterruptedException {
        long expected = origin.expectedRevision().orElse(0);
        boolean _ = watch.await(state -> state.cluster().revision() >= expected, CATCH_UP_MAX);
        NodeState state = watch.current();
        ClusterState cluster = state.cluster();
        Absent absent = request.getPrune() ? Absent.DELETED : Absent.KEPT;
        return switch (SiteDiff.between(Sites.of(request.getSite(), state), cluster.model(), absent)) {
            case SitePlan.Fixed(var refused) -> throw Refusals.refused(refused);
            case SitePlan.Changes changes -> {
                Command.Batch batch = changes.batch();
                var write = new Command.Requested(
                        origin.expecting(origin.expectedRevision().orElse(cluster.revision())), batch);
                Applied applied = StateMachine.apply(cluster, write);
                if (applied.outcome() instanceof Outcome.Refused refused) {
                    throw Refusals.refused(refused);
                }
                requireSize(batch);
                yield new Found(state, changes, write, applied);
            }
        };
    }

    private static void requireSize(Command.Batch batch) {
        int bytes = EntryCodec.toWire(batch).getSerializedSize();
        if (bytes > EntryCodec.ENTRY_BYTES_MAX) {
            throw Refusals.refused(new Outcome.Refused(
                    Cause.LIMIT,
                    "site",
                    "the change has %d bytes, at most %d are allowed: apply the site in several parts"
                            .formatted(bytes, EntryCodec.ENTRY_BYTES_MAX)));
        }
    }

    private ApplyResponse response(ApplyRequest request, Found found, long revision) {
        var response = ApplyResponse.newBuilder()
                .setRevision(revision)
                .addAllChanges(
                        found.plan().changes().stream().map(Sites::toWire).toList());
        if (request.getDryRun()) {
            var foreseen =
                    new PoolChanges(found.state(), found.applied().state(), new MonotonicTime(nanoTime.getAsLong()));
            found.plan().changes().stream()
                    .flatMap(change -> Sites.pool(change).stream())
                    .distinct()
                    .sorted()
                    .forEach(pool -> response.addPools(foreseen.of(pool)));
        }
        return response.build();
    }
}
