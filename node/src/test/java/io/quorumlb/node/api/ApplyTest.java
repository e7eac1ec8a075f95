package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ApplyResponse;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.ExportRequest;
import io.quorumlb.proto.v1.HashAlgorithm;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberSlots;
import io.quorumlb.proto.v1.ObjectChange;
import io.quorumlb.proto.v1.PlannedGeneration;
import io.quorumlb.proto.v1.PoolChange;
import io.quorumlb.proto.v1.Site;
import io.quorumlb.proto.v1.WriteOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ApplyTest {
    private static final Site SITE = Site.newBuilder()
            .addSegments(io.quorumlb.node.api.Site.SEGMENT.getSegment())
            .addPools(io.quorumlb.node.api.Site.POOL.getPool())
            .addMembers(member("be1", "10.20.0.2:8080"))
            .addMembers(member("be2", "10.20.0.3:8080"))
            .addListeners(io.quorumlb.node.api.Site.LISTENER.getListener())
            .build();

    private final LoneNode node = LoneNode.leading();

    ApplyTest() throws IOException {
        // Only the field initializers throw.
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static Member member(String name, String address) {
        return io.quorumlb.node.api.Site.member(name, address).getMember();
    }

    private static Site changed(Consumer<Site.Builder> change) {
        Site.Builder site = SITE.toBuilder();
        change.accept(site);
        return site.build();
    }

    private ApplyResponse apply(Site site) {
        return node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
    }

    private Site exported() {
        return node.api().export(ExportRequest.getDefaultInstance()).getSite();
    }

    private long revision() {
        return node.api().export(ExportRequest.getDefaultInstance()).getRevision();
    }

    private void bothServe() throws InterruptedException {
        assertTrue(node.watch.await(
                state -> state.cluster()
                        .generation(1)
                        .filter(generation -> generation.eligible().size() == 2)
                        .isPresent(),
                Duration.ofSeconds(20)));
    }

    private static List<String> said(ApplyResponse response) {
        return response.getChangesList().stream().map(ApplyTest::said).toList();
    }

    private static String said(ObjectChange change) {
        return "%s %s %s%s"
                .formatted(
                        change.getVerb().name().substring("CHANGE_VERB_".length()),
                        change.getKind().name().substring("OBJECT_KIND_".length()),
                        change.getName(),
                        change.getDetailsCount() == 0 ? "" : " " + String.join(", ", change.getDetailsList()));
    }

    private static StatusRuntimeException refused(Code code, String words, Runnable call) {
        StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, call::run);
        assertEquals(code, refused.getStatus().getCode(), refused::getMessage);
        String message = String.valueOf(refused.getStatus().getDescription());
        assertTrue(message.contains(words), message);
        return refused;
    }

    @Test
    void aSiteIsMadeByOneChangeAndComesBackByExport() {
        ApplyResponse response = apply(SITE);
        assertEquals(1, response.getRevision());
        assertEquals(
                List.of(
                        "CREATE SEGMENT p2",
                        "CREATE POOL web",
                        "CREATE MEMBER web/be1",
                        "CREATE MEMBER web/be2",
                        "CREATE LISTENER www"),
                said(response));
        Site back = exported();
        assertEquals(0, back.getPools(0).getId());
        assertEquals(2, back.getMembersCount());
        ApplyResponse again = apply(back);
        assertEquals(List.of(), said(again));
        assertEquals(1, again.getRevision());
    }

    @Test
    void whatChangesIsSaid() {
        var _ = apply(SITE);
        ApplyResponse response = apply(changed(site -> {
            site.getMembersBuilder(0).setWeight(50);
            site.getListenersBuilder(0).setPort(81);
            site.getPoolsBuilder(0).setMinEligible(2);
        }));
        assertEquals(
                List.of(
                        "SET POOL web min_eligible 1 -> 2",
                        "SET MEMBER web/be1 weight 100 -> 50",
                        "SET LISTENER www traffic tcp 80 -> tcp 81"),
                said(response));
        assertEquals(81, exported().getListeners(0).getPort());
    }

    @Test
    void onlyPruneDeletes() {
        var _ = apply(SITE);
        Site less = changed(site -> site.removeMembers(1).clearListeners());
        assertEquals(List.of(), said(apply(less)));
        ApplyResponse pruned = node.api()
                .apply(ApplyRequest.newBuilder().setSite(less).setPrune(true).build());
        assertEquals(List.of("DELETE LISTENER www", "DELETE MEMBER web/be2"), said(pruned));
        ApplyResponse all =
                node.api().apply(ApplyRequest.newBuilder().setPrune(true).build());
        assertEquals(List.of("DELETE MEMBER web/be1", "DELETE POOL web", "DELETE SEGMENT p2"), said(all));
        assertEquals(Site.getDefaultInstance(), exported());
    }

    @Test
    void aDryRunSaysWhatWouldFollowAndChangesNothing() throws InterruptedException {
        var _ = apply(SITE);
        bothServe();
        Site more = changed(site -> site.addMembers(member("be3", "10.20.0.4:8080")));
        ApplyResponse response = node.api()
                .apply(ApplyRequest.newBuilder().setSite(more).setDryRun(true).build());
        assertEquals(List.of("CREATE MEMBER web/be3"), said(response));
        assertEquals(1, revision());
        PoolChange pool = response.getPools(0);
        assertEquals("web", pool.getPool());
        assertEquals(List.of("www"), pool.getListenersList());
        assertEquals(pool.getGeneration() + 1, pool.getUnguarded().getNumber());
        assertEquals(
                List.of("be1", "be2", "be3"),
                pool.getMembersList().stream().map(MemberSlots::getMember).toList());
        assertEquals(
                256,
                pool.getMembersList().stream().mapToInt(MemberSlots::getBefore).sum());
        assertEquals(
                256,
                pool.getMembersList().stream().mapToInt(MemberSlots::getAfter).sum());
        assertTrue(pool.getMembers(2).getAfter() > 80
                && pool.getUnguarded().getMoved() >= pool.getMembers(2).getAfter());
        addsUp(pool.getMembersList(), pool.getUnguarded());
        assertEquals(1, revision());
    }

    static void addsUp(List<MemberSlots> members, PlannedGeneration planned) {
        for (MemberSlots member : members) {
            assertEquals(member.getAfter(), member.getBefore() + member.getGained() - member.getLost());
        }
        assertEquals(
                planned.getMoved(),
                members.stream().mapToInt(MemberSlots::getGained).sum());
        assertEquals(
                planned.getCollateral(),
                members.stream().mapToInt(MemberSlots::getCollateral).sum());
    }

    @Test
    void aPoolThatGoesLosesItsSlots() throws InterruptedException {
        var _ = apply(SITE);
        bothServe();
        PoolChange pool = node.api()
                .apply(ApplyRequest.newBuilder().setDryRun(true).setPrune(true).build())
                .getPools(0);
        assertEquals(
                256,
                pool.getMembersList().stream().mapToInt(MemberSlots::getLost).sum());
        assertTrue(pool.getMembersList().stream().allMatch(member -> member.getAfter() == 0));
    }

    @Test
    void aGuardThatWouldHoldTheChangeIsNamed() throws InterruptedException {
        var _ = apply(changed(site -> site.getPoolsBuilder(0).getGuardsBuilder().setMovedMaxPercent(1)));
        bothServe();
        ApplyResponse response = node.api()
                .apply(ApplyRequest.newBuilder()
                        .setSite(changed(site -> {
                            site.getPoolsBuilder(0).getGuardsBuilder().setMovedMaxPercent(1);
                            site.getMembersBuilder(0).setWeight(900);
                        }))
                        .setDryRun(true)
                        .build());
        PoolChange pool = response.getPools(0);
        assertFalse(pool.hasNext());
        assertEquals("disruption-held", pool.getHolds(0).getCode());
        assertTrue(pool.getUnguarded().getMoved() > 50);
    }

    @Test
    void anotherRevisionThanTheExpectedIsNamed() {
        var _ = apply(SITE);
        ApplyRequest.Builder request = ApplyRequest.newBuilder()
                .setSite(changed(site -> site.getMembersBuilder(0).setWeight(50)));
        refused(
                Code.ABORTED,
                "the configuration is at revision 1, 7 was expected",
                () -> node.api().apply(request.setOptions(expecting(7)).build()));
        refused(
                Code.INVALID_ARGUMENT,
                "options.expected_revision 18446744073709551615 is outside 0..",
                () -> node.api().apply(request.setOptions(expecting(-1)).build()));
        assertEquals(
                2, node.api().apply(request.setOptions(expecting(1)).build()).getRevision());
    }

    private static WriteOptions.Builder expecting(long revision) {
        return WriteOptions.newBuilder().setExpectedRevision(revision);
    }

    /** What is done does not come again, whatever has been changed meanwhile. */
    @Test
    void theSameCallAgainIsAnsweredAndNotDoneAgain() {
        ApplyRequest request = ApplyRequest.newBuilder()
                .setSite(SITE)
                .setOptions(WriteOptions.newBuilder().setRequestId("site-1"))
                .build();
        assertEquals(1, node.api().apply(request).getRevision());
        node.commit(new Command.SetMemberWeight("web", "be2", 7));
        assertEquals(1, node.api().apply(request).getRevision());
        assertEquals(
                7,
                node.api().export(ExportRequest.getDefaultInstance()).getSite().getMembersList().stream()
                        .filter(member -> member.getName().equals("be2"))
                        .findFirst()
                        .orElseThrow()
                        .getWeight());
        refused(
                Code.INVALID_ARGUMENT,
                "'site-1' was used for another write",
                () -> node.api().apply(request.toBuilder().setPrune(true).build()));
    }

    @Test
    void aChangeInBetweenIsSeen() {
        var _ = apply(SITE);
        AtomicInteger proposals = new AtomicInteger();
        node.log.answer(command -> {
            if (command instanceof Command.Requested && proposals.getAndIncrement() == 0) {
                node.commit(new Command.SetMemberWeight("web", "be2", 7));
            }
            return node.commit(command);
        });
        ApplyResponse response = apply(changed(site -> site.getMembersBuilder(0).setWeight(50)));
        assertEquals(2, proposals.get());
        assertEquals(
                List.of("SET MEMBER web/be1 weight 100 -> 50", "SET MEMBER web/be2 weight 7 -> 100"), said(response));
        assertEquals(3, response.getRevision());
    }

    /** What this node has applied says that there is nothing to do; the log knows better. */
    @Test
    void nothingToDoIsForTheLogToSay() {
        var _ = apply(SITE);
        AtomicInteger proposals = new AtomicInteger();
        node.log.answer(command -> {
            if (proposals.getAndIncrement() == 0) {
                node.commit(new Command.SetMemberWeight("web", "be2", 7));
            }
            return node.commit(command);
        });
        assertEquals(List.of("SET MEMBER web/be2 weight 7 -> 100"), said(apply(SITE)));
    }

    @Test
    void aNodeThatDoesNotCatchUpSaysSo() {
        var _ = apply(SITE);
        node.log.answer(_ -> new ProposeOutcome.Committed(
                new Outcome.Refused(Outcome.Cause.CHANGED, "expected_revision", "the configuration is at revision 9")));
        refused(Code.UNAVAILABLE, "has applied revision 1 only", () -> apply(SITE));
    }

    @Test
    void changesAgainAndAgainEndTheCall() {
        var _ = apply(SITE);
        AtomicInteger weight = new AtomicInteger(200);
        node.log.answer(command -> {
            if (command instanceof Command.Requested) {
                node.commit(new Command.SetMemberWeight("web", "be2", weight.incrementAndGet()));
            }
            return node.commit(command);
        });
        refused(
                Code.ABORTED,
                "read it again and decide anew",
                () -> apply(changed(site -> site.getMembersBuilder(0).setWeight(50))));
        assertEquals(205, weight.get());
        assertEquals(100, exported().getMembers(0).getWeight());
    }

    @Test
    void whatIsWrongIsNamedAndNothingChanges() {
        var _ = apply(SITE);
        refused(
                Code.INVALID_ARGUMENT,
                "members[web/be1]: weight 1001",
                () -> apply(changed(site -> site.getMembersBuilder(0).setWeight(1001))));
        refused(
                Code.INVALID_ARGUMENT,
                "members[web/be2].segment is empty",
                () -> apply(changed(site -> site.getMembersBuilder(1).setSegment(""))));
        refused(
                Code.INVALID_ARGUMENT,
                "listeners[www]: VIP 10.10.0.1 is the address of a node",
                () -> apply(changed(site -> site.getListenersBuilder(0).setVip("10.10.0.1"))));
        refused(
                Code.INVALID_ARGUMENT,
                "site.pools: 'web' is there twice",
                () -> apply(changed(site -> site.addPools(site.getPools(0)))));
        refused(
                Code.INVALID_ARGUMENT,
                "pools[web]: slots is 256 and cannot become 512",
                () -> apply(changed(site -> site.getPoolsBuilder(0).setSlots(512))));
        refused(
                Code.INVALID_ARGUMENT,
                "members[web/be3]: address 10.30.0.2 is outside segment 'p2'",
                () -> apply(changed(site -> site.addMembers(member("be3", "10.30.0.2:8080")))));
        refused(
                Code.NOT_FOUND,
                "listeners[www]: pool 'nil' does not exist",
                () -> apply(changed(site -> site.getListenersBuilder(0).setPool("nil"))));
        assertEquals(1, revision());
    }

    @Test
    void whatASiteLeavesOpenStays() {
        var _ = apply(SITE);
        var _ = node.api()
                .drainMember(DrainMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build());
        assertEquals(
                List.of(), said(apply(changed(site -> site.getPoolsBuilder(0).clearAlgorithm()))));
        assertEquals(
                HashAlgorithm.HASH_ALGORITHM_V1,
                node.api()
                        .listPools(ListPoolsRequest.getDefaultInstance())
                        .getPools(0)
                        .getAlgorithm());
        assertEquals(
                AdminState.DRAINED,
                node.watch
                        .current()
                        .cluster()
                        .model()
                        .member(1, "be1")
                        .orElseThrow()
                        .admin());
    }

    @Test
    void aSiteThatTheLogCannotTakeIsRefused() {
        String pool = "p".repeat(63);
        String name = "m".repeat(58);
        Site large = changed(site -> {
            site.getPoolsBuilder(0).setName(pool).setSlots(65_536);
            site.getListenersBuilder(0).setPool(pool);
            site.clearMembers();
            for (int i = 0; i < 19_000; i++) {
                site.addMembers(member(name + i, "10.20.0.%d:%d".formatted(1 + i % 250, 1 + i / 250)).toBuilder()
                        .setPool(pool)
                        .setWeight(1)
                        .setStaticMac("02:00:00:00:00:%02x".formatted(i % 250)));
            }
        });
        assertTrue(large.getSerializedSize() < 4 << 20);
        refused(Code.FAILED_PRECONDITION, "at most 3145728 are allowed", () -> apply(large));
        assertEquals(0, revision());
    }

    @Test
    void withoutALeaderNothingIsWritten() {
        var _ = apply(SITE);
        node.log.answer(_ -> new ProposeOutcome.Unknown("no majority has answered in time"));
        refused(
                Code.UNKNOWN,
                "may still be committed",
                () -> apply(changed(site -> site.getMembersBuilder(0).setWeight(50))));
    }
}
