package io.quorumlb.node.api;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.proto.v1.WatchRequest;
import io.quorumlb.proto.v1.WatchResponse;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells those who follow the cluster what it commits. Each has a thread of its own and reads the journal at its own pace: one that
 * takes nothing loses its call, and no other notices.
 */
final class Watching {
    private static final Logger LOG = LoggerFactory.getLogger(Watching.class);
    private static final int WATCHERS_MAX = 256;
    private static final Duration BEAT = Duration.ofSeconds(10);
    private static final Duration SLOW_MAX = Duration.ofSeconds(10);

    private final ChangeJournal journal;
    private final Duration slowMax;
    private final Semaphore free = new Semaphore(WATCHERS_MAX);

    Watching(ChangeJournal journal) {
        this(journal, SLOW_MAX);
    }

    /** Follows with another patience. */
    Watching(ChangeJournal journal, Duration slowMax) {
        this.journal = journal;
        this.slowMax = slowMax;
    }

    /** Returns how many follow now. */
    int watchers() {
        return WATCHERS_MAX - free.availablePermits();
    }

    /** Answers until the caller goes; returns at once. */
    void start(WatchRequest request, ServerCallStreamObserver<WatchResponse> response) {
        if (!free.tryAcquire()) {
            response.onError(Refusals.tooManyWatchers(WATCHERS_MAX));
            return;
        }
        var watcher = new Watcher(request, response);
        Thread thread = Thread.ofVirtual().name("watch").unstarted(watcher);
        response.setOnReadyHandler(watcher.ready::release);
        response.setOnCancelHandler(thread::interrupt);
        thread.start();
    }

    private final class Watcher implements Runnable {
        private final WatchRequest request;
        private final ServerCallStreamObserver<WatchResponse> response;

        /** Grows when the caller has taken what it was sent. */
        private final Semaphore ready = new Semaphore(0);

        Watcher(WatchRequest request, ServerCallStreamObserver<WatchResponse> response) {
            this.request = request;
            this.response = response;
        }

        @Override
        public void run() {
            try {
                follow();
            } catch (StatusRuntimeException e) {
                response.onError(e);
            } catch (InterruptedException _) {
                // The caller has gone: nobody to tell.
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.error("a watch failed by a defect", e);
                response.onError(Refusals.defect());
            } finally {
                free.release();
            }
        }

        private void follow() throws InterruptedException {
            long known = request.hasAfterIndex() ? request.getAfterIndex() : journal.index();
            ChangeJournal.Page page = journal.after(known, Duration.ZERO);
            while (true) {
                if (!page.complete()) {
                    throw Refusals.compacted(known, page.since());
                }
                for (ChangeJournal.Entry entry : page.entries()) {
                    send(WatchCodec.toWire(entry));
                }
                if (page.entries().isEmpty()) {
                    send(WatchResponse.newBuilder()
                            .setIndex(page.index())
                            .setRevision(page.revision())
                            .build());
                }
                known = page.index();
                page = journal.after(known, BEAT);
            }
        }

        private void send(WatchResponse answer) throws InterruptedException {
            while (!response.isReady()) {
                if (!ready.tryAcquire(slowMax.toNanos(), TimeUnit.NANOSECONDS) && !response.isReady()) {
                    throw Refusals.slowWatcher(slowMax, answer.getIndex());
                }
            }
            response.onNext(answer);
        }
    }
}
