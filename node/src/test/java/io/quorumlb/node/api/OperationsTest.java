package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DiffGenerationsRequest;
import io.quorumlb.proto.v1.DiffGenerationsResponse;
import io.quorumlb.proto.v1.DrainAction;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.ExplainMemberRequest;
import io.quorumlb.proto.v1.ExplainMemberResponse;
import io.quorumlb.proto.v1.ExportRequest;
import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.HeldAs;
import io.quorumlb.proto.v1.HoldMemberRequest;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberDifference;
import io.quorumlb.proto.v1.MemberRollback;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.ObserverView;
import io.quorumlb.proto.v1.ReleaseMemberRequest;
import io.quorumlb.proto.v1.RollbackPoolRequest;
import io.quorumlb.proto.v1.RollbackPoolResponse;
import io.quorumlb.proto.v1.Ruling;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What operators ask of members for a time, and why a member takes the traffic that it takes. */
class OperationsTest {
    private final LoneNode node = LoneNode.leading();
    private final ControlServiceGrpc.ControlServiceBlockingStub api = node.api();

    OperationsTest() throws IOException {
        var _ = api.createSegment(Site.SEGMENT);
        var _ = api.createPool(Site.POOL);
        var _ = api.createMember(Site.member("be1", "10.20.0.2:8080"));
        var _ = api.createMember(Site.member("be2", "10.20.0.3:8080"));
        awaitServing();
    }

    /** New members take traffic once they are seen up. */
    private void awaitServing() {
        long start = System.nanoTime();
        var members = ListMembersRequest.newBuilder().setPool("web").build();
        while (!api.listMembers(members).getMembersList().stream()
                .allMatch(member -> member.getEffectiveWeight() == 100)) {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20), "both members serve");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void proven(long revision) {
        assertTrue(api.waitForGeneration(WaitForGenerationRequest.newBuilder()
                        .setPool("web")
                        .setRevision(revision)
                        .build())
                .getProven());
    }

    private static HoldMemberRequest hold(HeldAs heldAs, long millis) {
        return HoldMemberRequest.newBuilder()
                .setPool("web")
                .setMember("be1")
                .setHeldAs(heldAs)
                .setDurationMillis(millis)
                .setReason("a deploy")
                .build();
    }

    private ExplainMemberResponse explained() {
        return api.explainMember(ExplainMemberRequest.newBuilder()
                .setPool("web")
                .setMember("be1")
                .build());
    }

    private MemberStatus listed() {
        return api.listMembers(ListMembersRequest.newBuilder().setPool("web").build())
                .getMembers(0);
    }

    private static StatusRuntimeException refused(Code code, Runnable call) {
        StatusRuntimeException refused = assertThrows(StatusRuntimeException.class, call::run);
        assertEquals(code, refused.getStatus().getCode(), refused::getMessage);
        return refused;
    }

    @Test
    void aMemberThatServesIsExplained() {
        ExplainMemberResponse answer = explained();
        assertEquals(Ruling.RULING_MAJORITY_UP, answer.getRuling());
        assertEquals("a majority of all nodes sees it up: it takes traffic", answer.getRulingDetail());
        assertEquals(100, answer.getEffectiveWeight());
        assertEquals(1, answer.getVotesUp());
        assertEquals(0, answer.getVotesStale());
        ObserverView own = answer.getObservers(0);
        assertEquals("n1", own.getObserver());
        assertTrue(own.getCounts());
        assertEquals(Health.HEALTH_UP, own.getHeard());
        assertTrue(own.getProbes().getAnswered());
        assertEquals(Health.HEALTH_UP, own.getProbes().getHealth());
        assertTrue(own.getProbes().hasSinceMillis());
        assertEquals("200 in 1 ms", own.getProbes().getResults(0).getDetail());
        assertTrue(own.getProbes().getResultsCount() <= 10);
        assertEquals(100, answer.getLastTurn().getEffectiveAfter());
        assertTrue(answer.getLastTurn().hasAppliedAgeMillis());
        assertFalse(answer.getTimers().hasHold());
    }

    @Test
    void whoIsHeldDownIsOutAndExplainedAndReleased() {
        long revision = api.holdMember(hold(HeldAs.HELD_AS_DOWN, 600_000)).getRevision();
        proven(revision);
        ExplainMemberResponse answer = explained();
        assertEquals(Ruling.RULING_HELD_DOWN, answer.getRuling());
        assertEquals(0, answer.getEffectiveWeight());
        assertEquals("be1 held down by an operator", answer.getLastTurn().getReason());
        assertEquals(1, answer.getVotesUp(), "what is seen is gathered all the same");
        assertEquals("a deploy", answer.getTimers().getHold().getReason());
        long left = listed().getTimers().getHold().getLeftMillis();
        assertTrue(left > 0 && left <= 600_000, () -> "left " + left);
        assertEquals(
                "be1",
                api.getClusterStatus(GetClusterStatusRequest.getDefaultInstance())
                        .getTimedMembers(0)
                        .getMember());
        proven(api.releaseMember(ReleaseMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build())
                .getRevision());
        assertEquals(100, listed().getEffectiveWeight());
        assertFalse(listed().hasTimers());
    }

    @Test
    void aHoldEndsByItself() {
        long before = explained().getGeneration();
        var _ = api.holdMember(hold(HeldAs.HELD_AS_DOWN, 1_000));
        assertTrue(api.waitForGeneration(WaitForGenerationRequest.newBuilder()
                        .setPool("web")
                        .setGeneration(before + 2)
                        .setTimeoutMillis(60_000)
                        .build())
                .getProven());
        assertEquals(100, listed().getEffectiveWeight());
        assertFalse(listed().hasTimers());
        MemberDifference between = api.diffGenerations(DiffGenerationsRequest.newBuilder()
                        .setPool("web")
                        .setFrom(before + 1)
                        .setTo(before + 2)
                        .build())
                .getMembers(0);
        assertEquals(0, between.getEffectiveBefore(), "out while it was held");
        assertEquals(100, between.getEffectiveAfter());
    }

    @Test
    void anExportIsWithoutHolds() {
        var before = api.export(ExportRequest.getDefaultInstance()).getSite();
        var _ = api.holdMember(hold(HeldAs.HELD_AS_UP, 600_000));
        assertEquals(before, api.export(ExportRequest.getDefaultInstance()).getSite());
    }

    @Test
    void aDrainWithADeadlineDeletes() {
        var _ = api.drainMember(DrainMemberRequest.newBuilder()
                .setPool("web")
                .setMember("be1")
                .setDeadlineMillis(60_000)
                .setFinalAction(DrainAction.DRAIN_ACTION_DELETE)
                .build());
        assertTrue(listed().getTimers().getDrainEnd().getLeftMillis() > 0);
        assertEquals(Ruling.RULING_DRAINED, explained().getRuling());
        var _ = api.enableMember(
                EnableMemberRequest.newBuilder().setPool("web").setMember("be1").build());
        assertFalse(listed().hasTimers());
    }

    @Test
    void aSlowStartBeginsWithAPart() {
        proven(api.enableMember(EnableMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .setRampMillis(600_000)
                        .setRampSteps(4)
                        .build())
                .getRevision());
        assertEquals(20, listed().getEffectiveWeight());
        assertEquals(4, listed().getTimers().getRamp().getSteps());
        assertEquals(0, listed().getTimers().getRamp().getDone());
    }

    private static SetMemberWeightRequest.Builder weight(int weight) {
        return SetMemberWeightRequest.newBuilder()
                .setPool("web")
                .setMember("be1")
                .setWeight(weight);
    }

    @Test
    void aLargerWeightIsTakenSlowly() {
        long seen = listed().getMember().getRevision();
        var request = weight(300).setRampMillis(600_000).setRampSteps(4);
        request.getOptionsBuilder().setExpectedObjectRevision(seen);
        proven(api.setMemberWeight(request.build()).getRevision());
        assertEquals(300, listed().getMember().getWeight());
        assertEquals(140, listed().getEffectiveWeight());
        assertEquals(100, listed().getTimers().getRamp().getFrom());
        assertTrue(listed().getTimers().getRamp().getLeftMillis() > 0);
        request.clearOptions();
        String message = String.valueOf(refused(
                        Code.INVALID_ARGUMENT,
                        () -> api.setMemberWeight(request.setWeight(50).build()))
                .getStatus()
                .getDescription());
        assertTrue(message.contains("only a rise is ramped"), message);
        var _ = refused(
                Code.INVALID_ARGUMENT,
                () -> api.setMemberWeight(weight(400).setRampSteps(3).build()));
        var _ = refused(
                Code.INVALID_ARGUMENT,
                () -> api.setMemberWeight(
                        weight(400).setRampMillis(1_000).setRampSteps(101).build()));
        proven(api.setMemberWeight(weight(50).build()).getRevision());
        assertEquals(50, listed().getEffectiveWeight());
        assertFalse(listed().hasTimers(), "at once, and no ramp is left");
    }

    @Test
    void twoGenerationsDiffer() {
        long before = explained().getGeneration();
        proven(api.holdMember(hold(HeldAs.HELD_AS_DOWN, 600_000)).getRevision());
        DiffGenerationsResponse diff = api.diffGenerations(DiffGenerationsRequest.newBuilder()
                .setPool("web")
                .setFrom(before)
                .build());
        assertEquals(before, diff.getFrom());
        assertEquals(before + 1, diff.getTo());
        MemberDifference be1 = diff.getMembers(0);
        assertEquals("be1", be1.getName());
        assertEquals(100, be1.getEffectiveBefore());
        assertEquals(0, be1.getEffectiveAfter());
        assertEquals(0, be1.getMemberSlotsAfter());
        assertEquals(be1.getMemberSlotsBefore(), diff.getMoved(), "of two members only the slots of one can move");
        assertEquals(256, diff.getMembers(1).getMemberSlotsAfter());
        DiffGenerationsResponse same = api.diffGenerations(
                DiffGenerationsRequest.newBuilder().setPool("web").build());
        assertEquals(same.getTo(), same.getFrom(), "0 is the present one");
        assertEquals(0, same.getMoved());
        String message = String.valueOf(refused(
                        Code.NOT_FOUND,
                        () -> api.diffGenerations(DiffGenerationsRequest.newBuilder()
                                .setPool("web")
                                .setFrom(99)
                                .build()))
                .getStatus()
                .getDescription());
        assertTrue(message.contains("generation 99 of pool 'web' is not kept: 1 to "), message);
    }

    private static RollbackPoolRequest.Builder back(long generation) {
        return RollbackPoolRequest.newBuilder().setPool("web").setGeneration(generation);
    }

    @Test
    void aPoolGoesBackToHowItWasConfigured() {
        long good = explained().getGeneration();
        var _ = api.setMemberWeight(SetMemberWeightRequest.newBuilder()
                .setPool("web")
                .setMember("be1")
                .setWeight(7)
                .build());
        var _ = api.drainMember(
                DrainMemberRequest.newBuilder().setPool("web").setMember("be2").build());
        long changed = api.createMember(Site.member("be3", "10.20.0.4:8080")).getRevision();
        RollbackPoolResponse plan = api.rollbackPool(back(good).setDryRun(true).build());
        assertEquals(changed, plan.getRevision(), "a dry run writes nothing");
        assertEquals(
                List.of("be1", "be2", "be3"),
                plan.getMembersList().stream().map(MemberRollback::getMember).toList());
        assertEquals(100, plan.getMembers(0).getWeightAfter());
        assertEquals(AdminState.ADMIN_STATE_ENABLED, plan.getMembers(1).getAdminAfter());
        assertTrue(plan.getMembers(2).getCreatedSince());
        assertEquals("web", plan.getChange().getPool());
        RollbackPoolResponse done = api.rollbackPool(back(good).build());
        assertEquals(changed + 1, done.getRevision(), "one change");
        var members = api.listMembers(
                        ListMembersRequest.newBuilder().setPool("web").build())
                .getMembersList();
        assertEquals(100, members.get(0).getMember().getWeight());
        assertEquals(AdminState.ADMIN_STATE_ENABLED, members.get(1).getMember().getAdmin());
        assertEquals(AdminState.ADMIN_STATE_DRAINED, members.get(2).getMember().getAdmin());
        assertEquals(0, api.rollbackPool(back(good).build()).getMembersCount(), "it is so already");
    }

    @Test
    void aDeletedMemberDoesNotComeBackByARollback() {
        long good = explained().getGeneration();
        proven(api.deleteMember(DeleteMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build())
                .getRevision());
        String message = String.valueOf(refused(
                        Code.FAILED_PRECONDITION,
                        () -> api.rollbackPool(back(good).build()))
                .getStatus()
                .getDescription());
        assertTrue(message.contains("were deleted since: 10.20.0.2:8080; choose a later generation"), message);
        var _ = refused(Code.NOT_FOUND, () -> api.rollbackPool(back(99).build()));
        var _ = refused(Code.INVALID_ARGUMENT, () -> api.rollbackPool(back(0).build()));
    }

    @Test
    void wrongRequestsAreRefusedWithFieldValueAndLimit() {
        for (HoldMemberRequest wrong : new HoldMemberRequest[] {
            hold(HeldAs.HELD_AS_UNSPECIFIED, 1_000),
            hold(HeldAs.HELD_AS_DOWN, 999),
            hold(HeldAs.HELD_AS_DOWN, -1),
            hold(HeldAs.HELD_AS_DOWN, 1_000).toBuilder()
                    .setReason("x".repeat(201))
                    .build()
        }) {
            var _ = refused(Code.INVALID_ARGUMENT, () -> api.holdMember(wrong));
        }
        String message =
                String.valueOf(refused(Code.INVALID_ARGUMENT, () -> api.holdMember(hold(HeldAs.HELD_AS_DOWN, 999)))
                        .getStatus()
                        .getDescription());
        assertTrue(message.contains("duration_millis 999 is outside 1000..604800000"), message);
        var drain = DrainMemberRequest.newBuilder().setPool("web").setMember("be1");
        var _ = refused(
                Code.INVALID_ARGUMENT,
                () -> api.drainMember(drain.setDeadlineMillis(60_000).build()));
        var _ = refused(
                Code.INVALID_ARGUMENT,
                () -> api.drainMember(drain.setDeadlineMillis(0)
                        .setFinalAction(DrainAction.DRAIN_ACTION_DELETE)
                        .build()));
        var _ = refused(
                Code.INVALID_ARGUMENT,
                () -> api.enableMember(EnableMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .setRampSteps(3)
                        .build()));
        var _ = refused(
                Code.NOT_FOUND,
                () -> api.explainMember(ExplainMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("nil")
                        .build()));
        Member be1 = listed().getMember();
        assertEquals(100, be1.getWeight());
    }
}
