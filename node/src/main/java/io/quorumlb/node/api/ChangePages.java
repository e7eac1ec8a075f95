package io.quorumlb.node.api;

import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.proto.v1.CommittedChange;
import io.quorumlb.proto.v1.ListChangesRequest;
import io.quorumlb.proto.v1.ListChangesResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/** Tells what the cluster commits page by page, to who has no stream. */
final class ChangePages {
    static final int ENTRIES_MAX = 500;
    static final int CHANGES_MAX = 5_000;
    private static final int WAITERS_MAX = 256;
    private static final int WAIT_MILLIS_MAX = 20_000;

    private final ChangeJournal journal;
    private final Semaphore free = new Semaphore(WAITERS_MAX);

    ChangePages(ChangeJournal journal) {
        this.journal = journal;
    }

    /**
     * Returns the next page, once there is one or the time is over.
     *
     * @throws io.grpc.StatusRuntimeException with OUT_OF_RANGE if what comes next is no longer kept
     */
    ListChangesResponse answer(ListChangesRequest request) throws InterruptedException {
        long waitMillis = Integer.toUnsignedLong(request.getWaitMillis());
        if (waitMillis > WAIT_MILLIS_MAX) {
            throw Refusals.outside("wait_millis", Long.toString(waitMillis), "0.." + WAIT_MILLIS_MAX);
        }
        if (!request.hasAfterIndex()) {
            ChangeJournal.Page end = journal.after(journal.index(), Duration.ZERO);
            return answer(end).setIndex(end.index()).build();
        }
        if (waitMillis == 0) {
            return page(request.getAfterIndex(), Duration.ZERO);
        }
        if (!free.tryAcquire()) {
            throw Refusals.tooManyWatchers(WAITERS_MAX);
        }
        try {
            return page(request.getAfterIndex(), Duration.ofMillis(waitMillis));
        } finally {
            free.release();
        }
    }

    private ListChangesResponse page(long after, Duration wait) throws InterruptedException {
        ChangeJournal.Page page = journal.after(after, wait);
        if (!page.complete()) {
            throw Refusals.compacted(after, page.since());
        }
        var answer = answer(page).setIndex(page.index());
        int changes = 0;
        for (ChangeJournal.Entry entry : page.entries()) {
            changes += entry.changes().size();
            boolean room = answer.getChangesCount() < ENTRIES_MAX && changes <= CHANGES_MAX;
            if (!room && answer.getChangesCount() > 0) {
                CommittedChange last = answer.getChanges(answer.getChangesCount() - 1);
                return answer.setIndex(last.getChange().getIndex())
                        .setRevision(last.getChange().getRevision())
                        .build();
            }
            answer.addChanges(CommittedChange.newBuilder()
                    .setChange(WatchCodec.toWire(entry))
                    .setAppliedMillis(entry.appliedMillis()));
        }
        return answer.build();
    }

    private static ListChangesResponse.Builder answer(ChangeJournal.Page page) {
        return ListChangesResponse.newBuilder().setRevision(page.revision()).setSince(page.since());
    }
}
