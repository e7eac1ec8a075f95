package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.CreatePoolRequest;
import io.quorumlb.proto.v1.CreatePoolResponse;
import io.quorumlb.proto.v1.Evidence;
import io.quorumlb.proto.v1.Generation;
import io.quorumlb.proto.v1.GenerationCause;
import io.quorumlb.proto.v1.GenerationEvidence;
import io.quorumlb.proto.v1.GetPoolPlanResponse;
import io.quorumlb.proto.v1.Guard;
import io.quorumlb.proto.v1.GuardOverride;
import io.quorumlb.proto.v1.Health;
import io.quorumlb.proto.v1.Hold;
import io.quorumlb.proto.v1.ListGenerationsRequest;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import io.quorumlb.proto.v1.ListPoolsResponse;
import io.quorumlb.proto.v1.MemberSlots;
import io.quorumlb.proto.v1.OverrideGuardsRequest;
import io.quorumlb.proto.v1.OverrideGuardsResponse;
import io.quorumlb.proto.v1.PlannedGeneration;
import io.quorumlb.proto.v1.Pool;
import io.quorumlb.proto.v1.PoolGuards;
import io.quorumlb.proto.v1.SetPoolGuardsRequest;
import io.quorumlb.proto.v1.SetPoolGuardsResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuardCommandsTest {
    private static final PoolGuards GUARDS = PoolGuards.newBuilder()
            .setMassFailurePercent(50)
            .setMovedMaxPercent(40)
            .setPanicPercent(0)
            .setFlapLimit(4000)
            .setFlapReuse(1500)
            .setFlapHalfLifeMillis(60_000)
            .setGenerationIntervalMillis(200)
            .setSettleMaxMillis(3000)
            .build();

    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    @Test
    void guardsAreShown() {
        node.answers(
                "ListPools",
                ListPoolsResponse.newBuilder()
                        .addPools(Pool.newBuilder().setName("web").setGuards(GUARDS))
                        .build());
        Ran ran = Ran.at(node, "pool guards web").endsWith(ExitCode.YES);
        assertTrue(ran.out().contains("max-moved                  40%  most slots"), ran.out());
        assertTrue(ran.out().contains("min-generation-interval  200ms"), ran.out());
        Ran.at(node, "pool guards wob").endsWith(ExitCode.NO).writes("pool wob does not exist\n");
    }

    @Test
    void onlyWhatIsGivenIsChanged() {
        node.answers(
                "SetPoolGuards",
                SetPoolGuardsResponse.newBuilder()
                        .setRevision(18)
                        .setGuards(GUARDS)
                        .build());
        Ran ran = Ran.at(node, "pool guards web --max-moved 40% --min-generation-interval 0 --flap-half-life 2m")
                .endsWith(ExitCode.YES);
        assertTrue(ran.out().startsWith("pool web guarded anew, revision 18\n"), ran.out());
        assertEquals(
                SetPoolGuardsRequest.newBuilder()
                        .setPool("web")
                        .setGuards(PoolGuards.newBuilder()
                                .setMovedMaxPercent(40)
                                .setGenerationIntervalMillis(0)
                                .setFlapHalfLifeMillis(120_000))
                        .build(),
                node.onlyRequest());
    }

    @Test
    void aPoolMayBeCreatedWithGuards() {
        node.answers(
                "CreatePool",
                CreatePoolResponse.newBuilder().setId(4).setRevision(18).build());
        Ran.at(node, "pool create web --panic 30% --flap-limit 0 --flap-reuse 0 --mass-failure 100 --settle-max 1s")
                .endsWith(ExitCode.YES);
        CreatePoolRequest request = (CreatePoolRequest) node.onlyRequest();
        assertEquals(
                PoolGuards.newBuilder()
                        .setPanicPercent(30)
                        .setFlapLimit(0)
                        .setFlapReuse(0)
                        .setMassFailurePercent(100)
                        .setSettleMaxMillis(1000)
                        .build(),
                request.getPool().getGuards());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--max-moved 101%", "--panic half", "--min-generation-interval 5h", "--flap-limit -1"})
    void whatMakesNoSenseIsUsage(String options) {
        Ran.at(node, "pool guards web " + options).endsWith(ExitCode.USAGE);
    }

    @Test
    void anOverrideNamesItsGuardsByWordOrByReasonCode() {
        node.answers(
                "OverrideGuards",
                OverrideGuardsResponse.newBuilder()
                        .setRevision(18)
                        .setOverride(GuardOverride.newBuilder()
                                .addGuards(Guard.GUARD_MASS_FAILURE)
                                .addGuards(Guard.GUARD_DISRUPTION)
                                .setBaseGeneration(7))
                        .build());
        Ran.at(node, "pool override web --guard mass-failure-held --guard disruption --generation 7")
                .endsWith(ExitCode.YES)
                .writes(
                        "what follows generation 7 of pool web may pass the guards mass-failure, disruption, revision 18\n");
        assertEquals(
                OverrideGuardsRequest.newBuilder()
                        .setPool("web")
                        .addGuards(Guard.GUARD_MASS_FAILURE)
                        .addGuards(Guard.GUARD_DISRUPTION)
                        .setBaseGeneration(7)
                        .build(),
                node.onlyRequest());
        Ran.at(node, "pool override web --guard held-down-flapping").endsWith(ExitCode.YES);
        Ran ran = Ran.at(node, "pool override web --guard dog").endsWith(ExitCode.USAGE);
        assertTrue(ran.err().contains("none of"), ran.err());
    }

    @Test
    void thePlanSaysWhatIsHeldAndWhatWouldFollow() {
        node.answers(
                "GetPoolPlan",
                GetPoolPlanResponse.newBuilder()
                        .setGeneration(7)
                        .setAnsweredBy("n1")
                        .addHolds(Hold.newBuilder().setCode("mass-failure-held").setDetail("3 of 4"))
                        .setUnguarded(PlannedGeneration.newBuilder()
                                .setNumber(8)
                                .setCause(GenerationCause.GENERATION_CAUSE_OVERRIDE)
                                .setReason("be1 down")
                                .setExpectedDigest("ab".repeat(32))
                                .setMoved(264)
                                .setCollateral(8))
                        .addListeners("www")
                        .addListeners("www6")
                        .addMembers(slots("be1", 256, 0).setLost(256))
                        .addMembers(
                                slots("be2", 256, 504).setGained(256).setLost(8).setCollateral(8))
                        .addMembers(slots("be3", 512, 520).setGained(8))
                        .build());
        Ran.at(node, "pool plan web").endsWith(ExitCode.NO).writes("""
                pool web, generation 7, behind www, www6, as n1 sees it
                next: nothing
                held: mass-failure-held: 3 of 4
                without guards: generation 8, override: be1 down; 264 slots move, 8 of them needlessly; digest abababababababab
                to let it pass once: lbctl pool override web --generation 7

                MEMBER  SLOTS  AFTER  SHARE  SHARE AFTER  GAINED  LOST  COLLATERAL
                be1       256      0  25.0%         0.0%       0   256           0
                be2       256    504  25.0%        49.2%     256     8           8
                be3       512    520  50.0%        50.8%       8     0           0
                """);
    }

    private static MemberSlots.Builder slots(String member, int before, int after) {
        return MemberSlots.newBuilder().setMember(member).setBefore(before).setAfter(after);
    }

    @Test
    void aFirstPlanHasNoSharesBefore() {
        node.answers(
                "GetPoolPlan",
                GetPoolPlanResponse.newBuilder()
                        .setAnsweredBy("n1")
                        .setNext(PlannedGeneration.newBuilder()
                                .setNumber(1)
                                .setCause(GenerationCause.GENERATION_CAUSE_HEALTH)
                                .setReason("be1 up")
                                .setMoved(256))
                        .addMembers(slots("be1", 0, 256).setGained(256))
                        .build());
        Ran ran = Ran.at(node, "pool plan web").endsWith(ExitCode.YES);
        assertTrue(ran.out().endsWith("""
                MEMBER  SLOTS  AFTER  SHARE  SHARE AFTER  GAINED  LOST  COLLATERAL
                be1         0    256      -       100.0%     256     0           0
                """), ran.out());
    }

    @Test
    void aPlanWithoutAnythingIsYes() {
        node.answers(
                "GetPoolPlan",
                GetPoolPlanResponse.newBuilder()
                        .setGeneration(7)
                        .setAnsweredBy("n1")
                        .build());
        Ran.at(node, "pool plan web").endsWith(ExitCode.YES).writes("""
                pool web, generation 7, as n1 sees it
                nothing is due and nothing is held
                """);
    }

    @Test
    void generationsAreListedWithTheirEvidence() {
        node.answers(
                "ListGenerations",
                ListGenerationsResponse.newBuilder()
                        .addGenerations(Generation.newBuilder()
                                .setNumber(8)
                                .setRevision(17)
                                .setCause(GenerationCause.GENERATION_CAUSE_HEALTH)
                                .setReason("be1 down (seen by 3 nodes)")
                                .setExpectedDigest("ab".repeat(32))
                                .setEligible(3)
                                .setMembers(4)
                                .addEvidence(GenerationEvidence.newBuilder()
                                        .setMember("be1")
                                        .setEvidence(Evidence.newBuilder()
                                                .setMemberId(1)
                                                .setObserver("n2")
                                                .setHealth(Health.HEALTH_DOWN)
                                                .setSinceMillis(1240)
                                                .setDetail("timeout after 500 ms"))))
                        .build());
        Ran.at(node, "-o wide pool history web --limit 3")
                .endsWith(ExitCode.YES)
                .writes("""
                GENERATION  REVISION  CAUSE   ELIGIBLE  REASON                      DIGEST
                         8        17  health       3/4  be1 down (seen by 3 nodes)  abababababababab

                evidence for 8:
                be1: n2 had seen it down for 1.2s (timeout after 500 ms)
                """);
        assertEquals(
                ListGenerationsRequest.newBuilder().setPool("web").setLimit(3).build(), node.onlyRequest());
    }

    @Test
    void heldChangesAndMembersHeldDownAreShown() {
        var status = Samples.converged().toBuilder();
        status.getNodesBuilder(0)
                .getReportBuilder()
                .getPoolsBuilder(0)
                .addHolds(Hold.newBuilder().setCode("disruption-held").setDetail("too much"));
        node.answers("GetClusterStatus", status.build());
        Ran ran = Ran.at(node, "cluster status").endsWith(ExitCode.YES);
        assertTrue(ran.out().contains("pool web: disruption-held: too much\n"), ran.out());
        var members = Samples.members().toBuilder();
        members.getMembersBuilder(0).setHeldDown("flapping, penalty 5000");
        node.answers("ListMembers", members.build());
        Ran listed = Ran.at(node, "member list").endsWith(ExitCode.YES);
        assertTrue(listed.out().contains("(held_down: flapping, penalty 5000)"), listed.out());
    }
}
