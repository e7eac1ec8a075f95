package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.node.state.ChangeJournal;
import io.quorumlb.proto.v1.CommittedChange;
import io.quorumlb.proto.v1.ListChangesRequest;
import io.quorumlb.proto.v1.ListChangesResponse;
import io.quorumlb.proto.v1.WatchRequest;
import io.quorumlb.proto.v1.WatchResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Pages of a journal, and of a node's own. */
class ChangePagesTest {
    private final ChangeJournal journal = new ChangeJournal();
    private final ChangePages pages = new ChangePages(journal);
    private ClusterState cluster = ClusterState.empty();
    private long index;

    private static Command service(Service service) {
        return new Command.SetService(LoneNode.N1, service, "test", new TreeSet<>(List.of(LoneNode.N2, LoneNode.N3)));
    }

    private void commit(Service service) {
        index++;
        cluster = StateMachine.apply(cluster, service(service)).state();
        journal.advanced(index, cluster);
    }

    private static ListChangesRequest after(long index) {
        return ListChangesRequest.newBuilder().setAfterIndex(index).build();
    }

    private static List<WatchResponse> changes(ListChangesResponse page) {
        return page.getChangesList().stream().map(CommittedChange::getChange).toList();
    }

    @Test
    void withoutAnIndexItSaysWhereChangesBeginAndEnd() throws Exception {
        commit(Service.OUT);
        commit(Service.IN);
        ListChangesResponse ends = pages.answer(ListChangesRequest.getDefaultInstance());
        assertEquals(List.of(), ends.getChangesList());
        assertEquals(0, ends.getSince());
        assertEquals(2, ends.getIndex());
    }

    @Test
    void aPageHasWhatWatchTells() throws Exception {
        try (var node = LoneNode.leading()) {
            long before = System.currentTimeMillis();
            var _ = node.commit(service(Service.OUT));
            Iterator<WatchResponse> watched =
                    node.api().watch(WatchRequest.newBuilder().setAfterIndex(0).build());
            ListChangesResponse page = node.api().listChanges(after(0));
            assertEquals(watched.next(), changes(page).getFirst());
            long applied = page.getChanges(0).getAppliedMillis();
            assertTrue(applied >= before && applied <= System.currentTimeMillis(), page::toString);
        }
    }

    @Test
    void aPageGoesOnAfterTheIndex() throws Exception {
        commit(Service.OUT);
        commit(Service.IN);
        ListChangesResponse all = pages.answer(after(0));
        assertEquals(2, all.getIndex());
        assertEquals(List.of(changes(all).getLast()), changes(pages.answer(after(1))));
        assertEquals(List.of(), changes(pages.answer(after(2))));
    }

    @Test
    void manyChangesComeInPagesWithoutGapOrRepetition() throws Exception {
        int count = 2 * ChangePages.ENTRIES_MAX + 1;
        List<Long> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            commit(i % 2 == 0 ? Service.OUT : Service.IN);
            all.add(index);
        }
        List<Long> told = new ArrayList<>();
        long known = 0;
        int number = 0;
        while (known < count) {
            ListChangesResponse page = pages.answer(after(known));
            changes(page).forEach(change -> told.add(change.getIndex()));
            known = page.getIndex();
            number++;
        }
        assertEquals(3, number);
        assertEquals(all, told);
    }

    @Test
    void whoWaitsIsAnsweredByTheNextChange() throws Exception {
        commit(Service.OUT);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ListChangesResponse> waiting = threads.submit(() ->
                    pages.answer(after(1).toBuilder().setWaitMillis(20_000).build()));
            commit(Service.IN);
            ListChangesResponse page = waiting.get();
            assertEquals(2, page.getIndex());
            assertEquals(1, page.getChangesCount());
        }
    }

    @Test
    void whoIsAheadWaitsInVainAndKeepsItsIndex() throws Exception {
        commit(Service.OUT);
        ListChangesResponse page =
                pages.answer(after(7).toBuilder().setWaitMillis(1).build());
        assertEquals(0, page.getChangesCount());
        assertEquals(7, page.getIndex());
    }

    @Test
    void aWaitThatIsTooLongIsRefused() {
        var refused = assertThrows(
                StatusRuntimeException.class,
                () -> pages.answer(after(0).toBuilder().setWaitMillis(20_001).build()));
        assertEquals(Code.INVALID_ARGUMENT, refused.getStatus().getCode());
        String said = String.valueOf(refused.getStatus().getDescription());
        assertTrue(said.contains("wait_millis") && said.contains("20001") && said.contains("0..20000"), said);
    }

    @Test
    void whatIsNoLongerKeptIsSaid() throws Exception {
        commit(Service.OUT);
        // A snapshot has come: nothing before it is known one by one.
        journal.advanced(100, cluster);
        assertEquals(100, pages.answer(ListChangesRequest.getDefaultInstance()).getSince());
        var gone = assertThrows(StatusRuntimeException.class, () -> pages.answer(after(1)));
        assertEquals(Code.OUT_OF_RANGE, gone.getStatus().getCode());
    }
}
