package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.quorumlb.proto.v1.DiffGenerationsResponse;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.DrainMemberResponse;
import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.EnableMemberResponse;
import io.quorumlb.proto.v1.ExplainMemberRequest;
import io.quorumlb.proto.v1.ExplainMemberResponse;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.GetNodeStatusRequest;
import io.quorumlb.proto.v1.GetNodeStatusResponse;
import io.quorumlb.proto.v1.HoldMemberRequest;
import io.quorumlb.proto.v1.HoldMemberResponse;
import io.quorumlb.proto.v1.ListGenerationsResponse;
import io.quorumlb.proto.v1.MemberTimers;
import io.quorumlb.proto.v1.ReleaseMemberRequest;
import io.quorumlb.proto.v1.ReleaseMemberResponse;
import io.quorumlb.proto.v1.RollbackPoolRequest;
import io.quorumlb.proto.v1.RollbackPoolResponse;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands of a day's operations. */
class OperationCommandsTest {
    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private static <M extends Message> M parse(String text, Class<M> type) {
        try {
            return TextFormat.parse(text, type);
        } catch (TextFormat.ParseException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static ExplainMemberResponse heldDown() {
        return parse("""
                answered_by: 'n1'
                member { id: 1 name: 'be1' pool: 'web' address: '10.20.0.2:8080' weight: 10 admin: ADMIN_STATE_ENABLED }
                generation: 7
                observers {
                  observer: 'n1'
                  probes {
                    node: 'n1' answered: true health: HEALTH_UP since_millis: 700000 streak: 2 streak_success: true
                    results { age_millis: 400 success: true took_millis: 2 detail: '200 in 2 ms' }
                    results { age_millis: 1400 took_millis: 500 detail: 'no answer within 500 ms' }
                  }
                  heard: HEALTH_UP heard_age_millis: 400 counts: true
                }
                observers {
                  observer: 'n2'
                  probes { node: 'n2' reason: 'not connected' }
                  heard: HEALTH_UP heard_age_millis: 91000
                }
                observers {
                  observer: 'n3'
                  probes { node: 'n3' answered: true streak: 1 }
                }
                votes_up: 1 votes_stale: 2 majority: 2 fresh_for_millis: 3000
                ruling: RULING_HELD_DOWN
                ruling_detail: 'an operator holds it down: it takes no traffic, whatever the nodes see'
                holds { code: 'disruption-held' detail: 'the configuration would move 700 of 1024 slots' }
                next_effective_weight: 10
                penalty: 4200 held_down: true flap_limit: 4000 flap_reuse: 1500 rise: 2 fall: 3
                last_turn {
                  number: 6 revision: 19 effective_before: 10 cause: GENERATION_CAUSE_CONFIGURATION
                  reason: 'be1 held down by an operator' applied_age_millis: 61000
                  evidence { member_id: 1 observer: 'n1' health: HEALTH_UP since_millis: 5000 detail: '200 in 1 ms' }
                }
                timers { hold { held_as: HELD_AS_DOWN until_millis: 5 reason: 'a deploy' left_millis: 540000 } }
                """, ExplainMemberResponse.class);
    }

    private static ExplainMemberResponse serving() {
        return parse("""
                answered_by: 'n1'
                member { id: 1 name: 'be1' pool: 'web' address: '10.20.0.2:8080' weight: 10 admin: ADMIN_STATE_ENABLED }
                generation: 7 effective_weight: 10
                votes_up: 3 majority: 2 fresh_for_millis: 3000
                ruling: RULING_MAJORITY_UP
                ruling_detail: 'a majority of all nodes sees it up: it takes traffic'
                """, ExplainMemberResponse.class);
    }

    private static MemberTimers timers(String text) {
        return parse(text, MemberTimers.class);
    }

    private static Message timedMembers() {
        var members = Samples.members().toBuilder();
        members.getMembersBuilder(0)
                .setTimers(timers("hold { held_as: HELD_AS_UP reason: 'I know better' left_millis: 60000 }"
                        + " ramp { steps: 10 done: 3 left_millis: 130000 }"));
        members.getMembersBuilder(1).setTimers(timers("drain_end { left_millis: 7300000 }"));
        return members.build();
    }

    private static GetClusterStatusResponse timedStatus() {
        var status = Samples.converged().toBuilder();
        status.addTimedMembersBuilder()
                .setPool("web")
                .setMember("be1")
                .setTimers(timers("hold { held_as: HELD_AS_DOWN left_millis: 60000 }"));
        return status.build();
    }

    private static DiffGenerationsResponse diff() {
        return parse("""
                from: 5 to: 7 slots_before: 1024 slots_after: 1024 moved: 342 foreign_moved: 1
                members { id: 1 name: 'be1' address: '10.20.0.2:8080' weight_before: 10 weight_after: 10
                          effective_before: 10 member_slots_before: 341 }
                members { id: 2 name: 'be2' address: '10.20.0.3:8080' weight_before: 10 weight_after: 20
                          effective_before: 10 effective_after: 20 member_slots_before: 341 member_slots_after: 1024 }
                members { id: 3 address: '10.20.0.4:8080' weight_before: 10 effective_before: 10
                          member_slots_before: 342 }
                """, DiffGenerationsResponse.class);
    }

    private static ListGenerationsResponse history() {
        return parse("""
                generations { number: 7 revision: 19 cause: GENERATION_CAUSE_HEALTH reason: 'be1 down (seen by 2 nodes)'
                  eligible: 2 members: 3
                  evidence { member: 'be1' evidence { observer: 'n1' health: HEALTH_DOWN since_millis: 200 } }
                  evidence { member: 'be1' evidence { observer: 'n2' health: HEALTH_DOWN since_millis: 100 } } }
                generations { number: 6 revision: 19 cause: GENERATION_CAUSE_CONFIGURATION reason: 'be1 added'
                  eligible: 3 members: 3 }
                """, ListGenerationsResponse.class);
    }

    private static RollbackPoolResponse planned() {
        return parse("""
                revision: 18
                members { member: 'be1' weight_before: 7 weight_after: 10 ceiling_before: 7 ceiling_after: 10
                          admin_before: ADMIN_STATE_ENABLED admin_after: ADMIN_STATE_ENABLED }
                members { member: 'be3' weight_before: 10 weight_after: 10 ceiling_before: 10 ceiling_after: 10
                          admin_before: ADMIN_STATE_ENABLED admin_after: ADMIN_STATE_DRAINED created_since: true }
                change {
                  pool: 'web' generation: 7
                  next { number: 8 reason: 'be3 drained' moved: 300 }
                  unguarded { number: 8 reason: 'be3 drained' moved: 300 }
                  members { member: 'be1' before: 300 after: 600 gained: 300 }
                }
                """, RollbackPoolResponse.class);
    }

    private static GetNodeStatusResponse node(int index) {
        return GetNodeStatusResponse.newBuilder()
                .setAnsweredBy("n1")
                .setStatus(Samples.troubled().getNodes(index))
                .build();
    }

    static Stream<Arguments> reads() {
        return Stream.of(
                Arguments.of("member explain web/be1", "ExplainMember", heldDown(), ExitCode.NO, "explained.txt"),
                Arguments.of(
                        "member explain web/be1", "ExplainMember", serving(), ExitCode.YES, "explained-serving.txt"),
                Arguments.of("member list", "ListMembers", timedMembers(), ExitCode.YES, "timed-members.txt"),
                Arguments.of("cluster status", "GetClusterStatus", timedStatus(), ExitCode.YES, "timed-status.txt"),
                Arguments.of("pool diff web 5", "DiffGenerations", diff(), ExitCode.NO, "diff.txt"),
                Arguments.of("pool history web", "ListGenerations", history(), ExitCode.YES, "history.txt"),
                Arguments.of("pool rollback web 5 --dry-run", "RollbackPool", planned(), ExitCode.YES, "rollback.txt"),
                Arguments.of("cluster nodes", "GetClusterStatus", Samples.troubled(), ExitCode.NO, "nodes.txt"),
                Arguments.of("cluster nodes n2", "GetNodeStatus", node(1), ExitCode.YES, "node.txt"),
                Arguments.of("cluster nodes n4", "GetNodeStatus", node(3), ExitCode.NO, "node-never.txt"));
    }

    @ParameterizedTest(name = "{0}: {4}")
    @MethodSource("reads")
    void peopleReadIt(String line, String method, Message response, ExitCode code, String golden) {
        node.answers(method, response);
        Ran ran = Ran.at(node, line).endsWith(code).writesGolden(golden);
        assertEquals("", ran.err());
    }

    @Test
    void theMemberGoesIntoTheRequest() {
        node.answers("ExplainMember", serving());
        Ran.at(node, "-o json member explain web/be1").endsWith(ExitCode.YES);
        assertEquals(
                ExplainMemberRequest.newBuilder()
                        .setPool("web")
                        .setMember("be1")
                        .build(),
                node.onlyRequest());
    }

    @Test
    void theNodeGoesIntoTheRequest() {
        node.answers("GetNodeStatus", node(0));
        Ran.at(node, "-o yaml cluster nodes n1").endsWith(ExitCode.YES);
        assertEquals(GetNodeStatusRequest.newBuilder().setNode("n1").build(), node.onlyRequest());
    }

    @Test
    void theLeaderIsNamedIfThereIsOne() {
        node.answers("GetClusterStatus", Samples.converged());
        Ran ran = Ran.at(node, "cluster leader").endsWith(ExitCode.YES);
        assertEquals(
                "n1 leads in term %d\n"
                        .formatted(Samples.converged().getNodes(0).getReport().getTerm()),
                ran.out());
        var headless = Samples.converged().toBuilder();
        headless.getNodesBuilder(0).setReachable(false);
        try (var other = new FakeNode().answers("GetClusterStatus", headless.build())) {
            Ran.at(other, "cluster leader").endsWith(ExitCode.UNKNOWN).writes("no leader is known to n1\n");
        }
    }

    static Stream<Arguments> writes() {
        return Stream.of(
                Arguments.of(
                        "member hold web/be1 --down --for 10m --reason deploy --wait committed",
                        "HoldMember",
                        parse(
                                "pool: 'web' member: 'be1' held_as: HELD_AS_DOWN duration_millis: 600000 reason: 'deploy'",
                                HoldMemberRequest.class),
                        HoldMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 held down for 10m00s, revision 18\n"),
                Arguments.of(
                        "member hold web/be1 --up --for 2d --wait none",
                        "HoldMember",
                        parse(
                                "pool: 'web' member: 'be1' held_as: HELD_AS_UP duration_millis: 172800000",
                                HoldMemberRequest.class),
                        HoldMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 held up for 48h00m, revision 18\n"),
                Arguments.of(
                        "pool rollback web 5 --wait committed",
                        "RollbackPool",
                        parse("pool: 'web' generation: 5", RollbackPoolRequest.class),
                        RollbackPoolResponse.newBuilder().setRevision(18).build(),
                        "pool web is configured as in generation 5 already\n"),
                Arguments.of(
                        "member release web/be1 --wait committed",
                        "ReleaseMember",
                        parse("pool: 'web' member: 'be1'", ReleaseMemberRequest.class),
                        ReleaseMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 released, revision 18\n"),
                Arguments.of(
                        "member drain web/be1 --deadline 10m --then delete --wait committed",
                        "DrainMember",
                        parse(
                                "pool: 'web' member: 'be1' deadline_millis: 600000 final_action: DRAIN_ACTION_DELETE",
                                DrainMemberRequest.class),
                        DrainMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 drained, deleted in 10m00s, revision 18\n"),
                Arguments.of(
                        "member enable web/be1 --ramp 10m --steps 5 --wait committed",
                        "EnableMember",
                        parse("pool: 'web' member: 'be1' ramp_millis: 600000 ramp_steps: 5", EnableMemberRequest.class),
                        EnableMemberResponse.newBuilder().setRevision(18).build(),
                        "web/be1 enabled, takes its whole weight in 10m00s, revision 18\n"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("writes")
    void aWriteSaysWhatItDid(String line, String method, Message request, Message response, String out) {
        node.answers(method, response);
        Ran.at(node, line).endsWith(ExitCode.YES).writes(out);
        assertEquals(request, node.onlyRequest());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "member hold web/be1 --for 10m| --down or --up, one of them",
                "member hold web/be1 --down --up --for 10m| --down or --up, one of them",
                "member hold web/be1 --down| --for",
                "member hold web/be1 --down --for 8d| '8d' is outside 1s..7d",
                "member hold web/be1 --down --for soon| 'soon' is not a time",
                "member drain web/be1 --deadline 10m| --deadline and --then belong together",
                "member drain web/be1 --then delete| --deadline and --then belong together",
                "member drain web/be1 --deadline 10m --then explode| --then: 'explode' is none of [delete]",
            })
    void wrongLinesAreUsageErrors(String line, String part) {
        Ran.line(line).endsWith(ExitCode.USAGE).says(part).writes("");
    }
}
