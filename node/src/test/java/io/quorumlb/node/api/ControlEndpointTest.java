package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.CompactPoolRequest;
import io.quorumlb.proto.v1.CompactPoolResponse;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.CreateMemberResponse;
import io.quorumlb.proto.v1.DeleteListenerRequest;
import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DeletePoolRequest;
import io.quorumlb.proto.v1.DeleteSegmentRequest;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GetNodeStatusRequest;
import io.quorumlb.proto.v1.GetPoolPlanRequest;
import io.quorumlb.proto.v1.GetPoolSlotsRequest;
import io.quorumlb.proto.v1.GetPoolSlotsResponse;
import io.quorumlb.proto.v1.Guard;
import io.quorumlb.proto.v1.HashFields;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.InstallState;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListListenersRequest;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.MemberShare;
import io.quorumlb.proto.v1.MemberSlots;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.OverrideGuardsRequest;
import io.quorumlb.proto.v1.PoolGuards;
import io.quorumlb.proto.v1.SetMemberCeilingRequest;
import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.SetPoolGuardsRequest;
import io.quorumlb.proto.v1.SetSlotFunctionRequest;
import io.quorumlb.proto.v1.SlotFunction;
import io.quorumlb.proto.v1.WaitForGenerationRequest;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ControlEndpointTest {
    private static final WaitForGenerationRequest WAIT = WaitForGenerationRequest.newBuilder()
            .setPool("web")
            .setTimeoutMillis(15_000)
            .build();

    private final LoneNode node = LoneNode.leading();
    private final ControlServiceGrpc.ControlServiceBlockingStub api = node.api();

    ControlEndpointTest() throws IOException {
        assertEquals(1, api.createSegment(Site.SEGMENT).getId());
        assertEquals(1, api.createPool(Site.POOL).getId(), "the id of the request is ignored");
        assertEquals(1, api.createMember(Site.member("be1", "10.20.0.2:8080")).getId());
        CreateMemberResponse second = api.createMember(Site.member("be2", "10.20.0.3:8080"));
        assertEquals(2, second.getId());
        assertEquals(4, second.getRevision());
        assertEquals(1, api.createListener(Site.LISTENER).getId());
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theSlotFunctionIsChosenOnceTheSwitchHasProvenIt() {
        assertEquals(
                SlotFunction.SLOT_FUNCTION_MULTIPATH,
                api.getClusterStatus(GetClusterStatusRequest.getDefaultInstance())
                        .getSlotFunction());
        assertTrue(api.waitForGeneration(WAIT).getProven(), "the fingerprint is known by then");
        var request = SetSlotFunctionRequest.newBuilder()
                .setSlotFunction(SlotFunction.SLOT_FUNCTION_DP_HASH)
                .build();
        assertEquals(5, api.setSlotFunction(request).getRevision(), "no configuration of a pool has changed");
        assertEquals(
                SlotFunction.SLOT_FUNCTION_DP_HASH,
                api.getClusterStatus(GetClusterStatusRequest.getDefaultInstance())
                        .getSlotFunction());
    }

    @Test
    void whatWasWrittenIsListed() {
        assertEquals(
                Site.SEGMENT.getSegment().toBuilder().setId(1).setRevision(1).build(),
                api.listSegments(ListSegmentsRequest.getDefaultInstance()).getSegments(0));
        assertEquals(
                Site.POOL.getPool().toBuilder().setId(1).setRevision(2).build(),
                api.listPools(ListPoolsRequest.getDefaultInstance()).getPools(0).toBuilder()
                        .clearGuards()
                        .build());
        assertEquals(
                Site.LISTENER.getListener().toBuilder()
                        .setId(1)
                        .setRevision(5)
                        .setHash(HashFields.HASH_FIELDS_FIVE_TUPLE)
                        .build(),
                api.listListeners(ListListenersRequest.getDefaultInstance()).getListeners(0));
        assertEquals(5, api.listPools(ListPoolsRequest.getDefaultInstance()).getRevision());
        assertEquals(
                Site.member("be2", "10.20.0.3:8080").getMember().toBuilder()
                        .setId(2)
                        .setRevision(4)
                        .setAdmin(AdminState.ADMIN_STATE_ENABLED)
                        .build(),
                members().get(1).getMember());
    }

    @Test
    void aProvenGenerationIsShownWithItsTable() {
        WaitForGenerationResponse proven = bothTakeTraffic();
        assertTrue(proven.getProven(), proven::toString);
        assertEquals(List.of("n1"), proven.getProvenByList());
        assertEquals(0, proven.getMissingCount());
        GetPoolSlotsResponse slots = slots();
        assertEquals(proven.getGeneration(), slots.getGeneration());
        assertEquals(256, slots.getOwnersCount());
        assertEquals(
                256,
                slots.getMembersList().stream().mapToInt(MemberShare::getSlots).sum());
        assertEquals("be1", slots.getMembers(0).getName());
        assertEquals(
                slots.getMembers(0).getSlots(),
                slots.getOwnersList().stream().filter(owner -> owner == 1).count());
        MemberStatus be1 = members().getFirst();
        assertEquals(100, be1.getEffectiveWeight());
        assertEquals(slots.getMembers(0).getSlots(), be1.getSlots());
        assertEquals("n1", be1.getObservations(0).getObserver());
        assertEquals(Health.HEALTH_UP, be1.getObservations(0).getHealth());
    }

    @Test
    void aHeldChangeIsPlannedOverriddenAndListed() {
        bothTakeTraffic();
        for (String member : List.of("be1", "be2")) {
            var _ = api.drainMember(DrainMemberRequest.newBuilder()
                    .setPool("web")
                    .setMember(member)
                    .build());
        }
        var asked = GetPoolPlanRequest.newBuilder().setPool("web").build();
        var plan = api.getPoolPlan(asked);
        assertEquals("disruption-held", plan.getHolds(0).getCode(), plan::toString);
        assertFalse(plan.hasNext());
        assertEquals(plan.getGeneration() + 1, plan.getUnguarded().getNumber());
        assertEquals(List.of("www"), plan.getListenersList());
        assertEquals(
                List.of("be1", "be2"),
                plan.getMembersList().stream().map(MemberSlots::getMember).toList());
        assertEquals(
                256,
                plan.getMembersList().stream().mapToInt(MemberSlots::getLost).sum(),
                "both leave");
        assertEquals(0, plan.getMembers(0).getAfter());
        assertEquals(0, plan.getMembers(0).getCollateral());
        long revision = api.overrideGuards(OverrideGuardsRequest.newBuilder()
                        .setPool("web")
                        .addGuards(Guard.GUARD_DISRUPTION)
                        .setBaseGeneration(plan.getGeneration())
                        .build())
                .getRevision();
        assertTrue(reflects(revision).getProven());
        var newest = api.listGenerations(ListGenerationsRequest.newBuilder()
                        .setPool("web")
                        .setLimit(1)
                        .build())
                .getGenerations(0);
        assertEquals(GenerationCause.GENERATION_CAUSE_OVERRIDE, newest.getCause());
        assertEquals(0, newest.getEligible());
        assertEquals(0, api.getPoolPlan(asked).getHoldsCount());
        assertEquals(0, api.getPoolPlan(asked).getMembers(0).getLost(), "nothing is due: all stays");
    }

    @Test
    void generationsOfHealthCarryTheirEvidence() {
        bothTakeTraffic();
        var evidence = api
                .listGenerations(
                        ListGenerationsRequest.newBuilder().setPool("web").build())
                .getGenerationsList()
                .stream()
                .flatMap(generation -> generation.getEvidenceList().stream())
                .toList();
        assertTrue(
                evidence.stream()
                        .anyMatch(piece -> piece.getMember().equals("be1")
                                && piece.getEvidence().getObserver().equals("n1")
                                && piece.getEvidence().getHealth() == Health.HEALTH_UP),
                evidence::toString);
    }

    @Test
    void guardsAreChangedOneByOne() {
        var changed = api.setPoolGuards(SetPoolGuardsRequest.newBuilder()
                .setPool("web")
                .setGuards(PoolGuards.newBuilder().setPanicPercent(30))
                .build());
        assertEquals(30, changed.getGuards().getPanicPercent());
        assertEquals(60, changed.getGuards().getMovedMaxPercent());
        assertEquals(
                changed.getGuards(),
                api.listPools(ListPoolsRequest.getDefaultInstance()).getPools(0).getGuards());
    }

    @Test
    void theClusterStatusSaysWhatEachNodeReports() {
        bothTakeTraffic();
        GetClusterStatusResponse status = api.getClusterStatus(GetClusterStatusRequest.getDefaultInstance());
        assertEquals("site", status.getClusterId());
        assertEquals("n1", status.getAnsweredBy());
        assertTrue(status.getConverged(), status::getVerdict);
        assertEquals("CONVERGED 1/1", status.getVerdict());
        var report = status.getNodes(0).getReport().getPools(0);
        assertEquals(InstallState.INSTALL_STATE_CONVERGED, report.getState());
        assertEquals(status.getPools(0).getExpectedDigest(), report.getInstalledDigest());
        assertEquals("web", status.getPools(0).getName());
    }

    @Test
    void oneNodeIsAskedForByItsName() {
        bothTakeTraffic();
        for (String name : List.of("", "n1")) {
            var answer = api.getNodeStatus(
                    GetNodeStatusRequest.newBuilder().setNode(name).build());
            assertEquals("n1", answer.getAnsweredBy());
            assertEquals("n1", answer.getStatus().getNode());
            assertTrue(answer.getStatus().getReachable());
            assertEquals(1, answer.getStatus().getReport().getPoolsCount());
        }
        var refused = assertThrows(
                StatusRuntimeException.class,
                () -> api.getNodeStatus(
                        GetNodeStatusRequest.newBuilder().setNode("n9").build()));
        assertEquals(Status.Code.NOT_FOUND, refused.getStatus().getCode());
        assertEquals(
                "node 'n9' does not exist: there are n1", refused.getStatus().getDescription());
    }

    @Test
    void drainingMovesAllSlotsAndEnablingBringsThemBack() {
        bothTakeTraffic();
        List<Integer> before = slots().getOwnersList();
        long revision = api.drainMember(DrainMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build())
                .getRevision();
        assertTrue(reflects(revision).getProven());
        assertTrue(slots().getOwnersList().stream().allMatch(owner -> owner == 2));
        assertEquals(
                AdminState.ADMIN_STATE_DRAINED, members().getFirst().getMember().getAdmin());
        revision = api.enableMember(EnableMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build())
                .getRevision();
        assertTrue(reflects(revision).getProven());
        assertEquals(before, slots().getOwnersList());
    }

    @Test
    void weightMovesSlots() {
        bothTakeTraffic();
        long revision = api.setMemberWeight(SetMemberWeightRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .setWeight(300)
                        .build())
                .getRevision();
        assertTrue(reflects(revision).getProven());
        assertEquals(192, slots().getMembers(0).getSlots());
    }

    @Test
    void aRampTakesPartOfTheWeight() {
        bothTakeTraffic();
        long revision = api.setMemberCeiling(SetMemberCeilingRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .setCeiling(25)
                        .build())
                .getRevision();
        assertTrue(reflects(revision).getProven());
        assertEquals(25, members().getFirst().getEffectiveWeight());
        assertEquals(100, members().getFirst().getMember().getWeight());
    }

    @Test
    void compactingWithoutDeletedMembersSaysSo() {
        bothTakeTraffic();
        CompactPoolResponse dry = api.compactPool(
                CompactPoolRequest.newBuilder().setPool("web").setDryRun(true).build());
        assertEquals(CompactPoolResponse.getDefaultInstance(), dry);
        assertTrue(
                api.compactPool(CompactPoolRequest.newBuilder().setPool("web").build())
                                .getRevision()
                        > 0);
    }

    @Test
    void allIsDeletedFromTheEndOfTheChain() {
        var _ = api.deleteListener(
                DeleteListenerRequest.newBuilder().setName("www").build());
        for (String member : List.of("be1", "be2")) {
            var _ = api.deleteMember(DeleteMemberRequest.newBuilder()
                    .setPool("web")
                    .setMember(member)
                    .build());
        }
        var _ = api.deletePool(DeletePoolRequest.newBuilder().setName("web").build());
        var _ = api.deleteSegment(
                DeleteSegmentRequest.newBuilder().setName("p2").build());
        assertEquals(
                0, api.listSegments(ListSegmentsRequest.getDefaultInstance()).getSegmentsCount());
    }

    @Test
    void waitingEndsAtTheTimeoutWithWhatIsMissing() {
        bothTakeTraffic();
        WaitForGenerationResponse later = api.waitForGeneration(
                WAIT.toBuilder().setGeneration(1000).setTimeoutMillis(50).build());
        assertFalse(later.getProven());
        assertEquals(1000, later.getGeneration());
        assertEquals("n1", later.getMissing(0).getNode());
        assertTrue(later.getMissing(0).getReason().contains("generation"), later::toString);
        WaitForGenerationResponse newer = api.waitForGeneration(
                WAIT.toBuilder().setRevision(1000).setTimeoutMillis(50).build());
        assertFalse(newer.getProven());
        assertTrue(
                newer.getMissing(newer.getMissingCount() - 1).getReason().contains("revision 1000"), newer::toString);
    }

    @Test
    void theHealthServiceFollowsReadiness() {
        bothTakeTraffic();
        Iterator<HealthCheckResponse> health = HealthGrpc.newBlockingStub(node.channel)
                .withDeadlineAfter(20, java.util.concurrent.TimeUnit.SECONDS)
                .watch(HealthCheckRequest.newBuilder()
                        .setService(ControlServiceGrpc.SERVICE_NAME)
                        .build());
        ServingStatus status = health.next().getStatus();
        while (status != ServingStatus.SERVING) {
            status = health.next().getStatus();
        }
    }

    private WaitForGenerationResponse bothTakeTraffic() {
        WaitForGenerationResponse last = api.waitForGeneration(WAIT);
        while (members().stream().anyMatch(member -> member.getEffectiveWeight() == 0)) {
            // The first probes come one after the other; each makes a generation of its own.
            last = api.waitForGeneration(
                    WAIT.toBuilder().setGeneration(last.getGeneration() + 1).build());
        }
        return last;
    }

    private WaitForGenerationResponse reflects(long revision) {
        return api.waitForGeneration(WAIT.toBuilder().setRevision(revision).build());
    }

    private GetPoolSlotsResponse slots() {
        return api.getPoolSlots(GetPoolSlotsRequest.newBuilder().setPool("web").build());
    }

    private List<MemberStatus> members() {
        return api.listMembers(ListMembersRequest.newBuilder().setPool("web").build())
                .getMembersList();
    }
}
