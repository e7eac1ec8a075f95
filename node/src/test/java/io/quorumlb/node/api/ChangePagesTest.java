package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Command.Service;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.proto.v1.CommittedChange;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.ListChangesRequest;
import io.quorumlb.proto.v1.ListChangesResponse;
import io.quorumlb.proto.v1.WatchRequest;
import io.quorumlb.proto.v1.WatchResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangePagesTest {
    private final LoneNode node = LoneNode.leading();

    ChangePagesTest() throws IOException {}

    @AfterEach
    void stop() {
        node.close();
    }

    private void service(NodeId which, Service service) {
        var _ = node.commit(
                new Command.SetService(which, service, "test", new TreeSet<>(List.of(LoneNode.N2, LoneNode.N3))));
    }

    private ListChangesResponse list(ListChangesRequest request) {
        return node.api().listChanges(request);
    }

    private static ListChangesRequest after(long index) {
        return ListChangesRequest.newBuilder().setAfterIndex(index).build();
    }

    @Test
    void withoutAnIndexItSaysWhereChangesBeginAndEnd() {
        service(LoneNode.N1, Service.OUT);
        service(LoneNode.N1, Service.IN);
        ListChangesResponse ends = list(ListChangesRequest.getDefaultInstance());
        assertEquals(List.of(), ends.getChangesList());
        assertEquals(0, ends.getSince());
        assertEquals(2, ends.getIndex());
    }

    @Test
    void aPageHasWhatWatchTells() {
        long before = System.currentTimeMillis();
        service(LoneNode.N1, Service.OUT);
        service(LoneNode.N1, Service.IN);
        Iterator<WatchResponse> watched =
                node.api().watch(WatchRequest.newBuilder().setAfterIndex(0).build());
        List<WatchResponse> told = new ArrayList<>();
        told.add(watched.next());
        told.add(watched.next());
        ListChangesResponse page = list(after(0));
        assertEquals(
                told,
                page.getChangesList().stream().map(CommittedChange::getChange).toList());
        assertEquals(2, page.getIndex());
        for (CommittedChange change : page.getChangesList()) {
            assertTrue(
                    change.getAppliedMillis() >= before && change.getAppliedMillis() <= System.currentTimeMillis(),
                    change::toString);
        }
        assertEquals(List.of(told.getLast()), changes(list(after(1))));
        assertEquals(List.of(), changes(list(after(2))));
    }

    private static List<WatchResponse> changes(ListChangesResponse page) {
        return page.getChangesList().stream().map(CommittedChange::getChange).toList();
    }

    @Test
    void manyChangesComeInPagesWithoutGapOrRepetition() {
        int count = 2 * ChangePages.ENTRIES_MAX + 1;
        for (int i = 0; i < count; i++) {
            service(LoneNode.N1, i % 2 == 0 ? Service.OUT : Service.IN);
        }
        List<Long> told = new ArrayList<>();
        long index = 0;
        int pages = 0;
        while (index < count) {
            ListChangesResponse page = list(after(index));
            page.getChangesList().forEach(change -> told.add(change.getChange().getIndex()));
            index = page.getIndex();
            pages++;
        }
        assertEquals(3, pages);
        List<Long> all = new ArrayList<>();
        for (long i = 1; i <= count; i++) {
            all.add(i);
        }
        assertEquals(all, told);
    }

    @Test
    void whoWaitsIsAnsweredByTheNextChange() throws Exception {
        service(LoneNode.N1, Service.OUT);
        ListenableFuture<ListChangesResponse> waiting = ControlServiceGrpc.newFutureStub(node.channel)
                .listChanges(after(1).toBuilder().setWaitMillis(20_000).build());
        service(LoneNode.N1, Service.IN);
        ListChangesResponse page = waiting.get(15, TimeUnit.SECONDS);
        assertEquals(2, page.getIndex());
        assertEquals(1, page.getChangesCount());
    }

    @Test
    void whoIsAheadWaitsInVainAndKeepsItsIndex() {
        service(LoneNode.N1, Service.OUT);
        ListChangesResponse page = list(after(7).toBuilder().setWaitMillis(1).build());
        assertEquals(0, page.getChangesCount());
        assertEquals(7, page.getIndex());
    }

    @Test
    void aWaitThatIsTooLongIsRefused() {
        var refused = assertThrows(
                StatusRuntimeException.class,
                () -> list(after(0).toBuilder().setWaitMillis(20_001).build()));
        assertEquals(Code.INVALID_ARGUMENT, refused.getStatus().getCode());
        String said = String.valueOf(refused.getStatus().getDescription());
        assertTrue(said.contains("wait_millis") && said.contains("20001") && said.contains("0..20000"), said);
    }

    @Test
    void whatIsNoLongerKeptIsSaid() {
        service(LoneNode.N1, Service.OUT);
        // A snapshot has come: nothing before it is known one by one.
        node.journal.advanced(100, node.watch.current().cluster());
        assertEquals(100, list(ListChangesRequest.getDefaultInstance()).getSince());
        var gone = assertThrows(StatusRuntimeException.class, () -> list(after(1)));
        assertEquals(Code.OUT_OF_RANGE, gone.getStatus().getCode());
    }
}
