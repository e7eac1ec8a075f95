package io.quorumlb.node.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The journal of what the cluster commits. */
class ChangeJournalTest {
    private static final Duration NO_WAIT = Duration.ZERO;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final ChangeJournal journal = new ChangeJournal();
    private ClusterState state = ClusterState.empty();
    private long index;

    /** An entry that changes something: a node goes out of service, or back in. */
    private void change() {
        var service = index % 2 == 0 ? Command.Service.OUT : Command.Service.IN;
        NodeId node = new NodeId("n1");
        state = StateMachine.apply(
                        state,
                        new Command.SetService(
                                node, service, "test", new TreeSet<>(List.of(new NodeId("n2"), new NodeId("n3")))))
                .state();
        journal.advanced(++index, state);
    }

    private List<Long> indexes(ChangeJournal.Page page) {
        return page.entries().stream().map(ChangeJournal.Entry::index).toList();
    }

    @Test
    void whatComesAfterAnIndexIsThereInOrder() throws InterruptedException {
        change();
        change();
        journal.advanced(++index, state);
        change();
        assertEquals(List.of(1L, 2L), indexes(journal.after(0, NO_WAIT)).subList(0, 2));
        ChangeJournal.Page page = journal.after(1, NO_WAIT);
        assertEquals(2, indexes(page).getFirst());
        assertTrue(page.complete());
        assertEquals(index, page.index());
        assertEquals(List.of(), journal.after(index, NO_WAIT).entries());
    }

    @Test
    void aReaderIsWokenByTheNextChange() throws InterruptedException {
        change();
        var started = new CountDownLatch(1);
        Thread writer = Thread.ofVirtual().start(() -> {
            try {
                if (started.await(20, TimeUnit.SECONDS)) {
                    change();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        started.countDown();
        assertEquals(List.of(2L), indexes(journal.after(1, LONG)));
        writer.join();
    }

    @Test
    void afterASnapshotOnlyWhatFollowsIsKnown() throws InterruptedException {
        change();
        index = 101;
        journal.advanced(index, state);
        ChangeJournal.Page lost = journal.after(1, LONG);
        assertFalse(lost.complete());
        assertEquals(101, lost.since());
        change();
        assertEquals(List.of(102L), indexes(journal.after(101, LONG)));
    }

    @Test
    void theOldestGoFirst() throws InterruptedException {
        for (int i = 0; i < 5000; i++) {
            change();
        }
        assertFalse(journal.after(10, LONG).complete());
        ChangeJournal.Page page = journal.after(5000 - 4096, NO_WAIT);
        assertTrue(page.complete());
        assertEquals(4096, page.entries().size());
        assertEquals(904, journal.after(10, NO_WAIT).since());
    }

    @Test
    void whoIsAheadOfThisNodeWaits() throws InterruptedException {
        change();
        ChangeJournal.Page page = journal.after(7, NO_WAIT);
        assertTrue(page.complete());
        assertEquals(7, page.index());
        assertEquals(List.of(), page.entries());
    }
}
