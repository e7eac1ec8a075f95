package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.quorumlb.proto.v1.DrainMemberResponse;
import io.quorumlb.proto.v1.WaitForGenerationResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailoverTest {
    private final FakeNode first = new FakeNode();
    private final FakeNode second = new FakeNode()
            .answers("GetClusterStatus", Samples.converged())
            .answers(
                    "DrainMember",
                    DrainMemberResponse.newBuilder().setRevision(18).build())
            .answers(
                    "WaitForGeneration",
                    WaitForGenerationResponse.newBuilder()
                            .setProven(true)
                            .setGeneration(6)
                            .addProvenBy("n2")
                            .build());

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    private Ran atBoth(String line) {
        return Ran.line("--endpoints %s,%s %s".formatted(first.endpoint(), second.endpoint(), line));
    }

    @Test
    void deadEndpointIsPassedOver() {
        String dead = first.endpoint();
        first.close();
        Ran.line("--endpoints %s,%s cluster status".formatted(dead, second.endpoint()))
                .endsWith(ExitCode.YES)
                .says("lbctl: %s connection refused; asking the next node\n".formatted(dead))
                .writesGolden("converged.txt");
    }

    @Test
    void deadEndpointIsPassedOverByWritesToo() {
        String dead = first.endpoint();
        first.close();
        Ran ran = Ran.line("--endpoints %s,%s member drain web/be1".formatted(dead, second.endpoint()))
                .endsWith(ExitCode.YES);
        assertEquals(1, ran.err().split("asking the next node", -1).length - 1, ran.err());
    }

    @Test
    void frozenNodeIsPassedOver() throws IOException {
        // Its kernel still completes the handshake, but nobody reads what comes.
        try (var frozen = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            String endpoint = "127.0.0.1:" + frozen.getLocalPort();
            Ran.line("--endpoints %s,%s --timeout 2s member drain web/be1".formatted(endpoint, second.endpoint()))
                    .endsWith(ExitCode.YES)
                    .says(endpoint + " no answer in ");
        }
    }

    @Test
    void everybodyDeadIsUnknownAndNamesThem() {
        String dead = first.endpoint();
        first.close();
        Ran.line("cluster status --endpoints %s,nosuch.invalid:7403".formatted(dead))
                .endsWith(ExitCode.UNKNOWN)
                .says("no node could answer: %s connection refused, nosuch.invalid:7403 unknown host".formatted(dead))
                .writes("");
    }

    @Test
    void writeThatANodeCannotServeGoesToTheNext() {
        first.fails("DrainMember", Status.UNAVAILABLE.withDescription("no leader is known"));
        atBoth("member drain web/be1 --wait committed")
                .endsWith(ExitCode.YES)
                .says("no leader is known; asking the next node")
                .writes("web/be1 drained, revision 18\n");
    }

    @Test
    void writeThatMayHaveBeenDoneIsAskedAgainUnderTheSameId() {
        first.breaksOff("DrainMember");
        atBoth("member drain web/be1 --wait committed")
                .endsWith(ExitCode.YES)
                .says("the connection broke; asking the next node")
                .writes("web/be1 drained, revision 18\n");
        assertEquals(1, ids().size(), () -> "of both nodes: " + ids());
        assertEquals(1, first.requests().size());
        assertEquals(1, second.requests().size());
    }

    @Test
    void writeWithoutAnAnswerLeavesTimeForTheNextNode() {
        first.neverAnswers("DrainMember");
        atBoth("member drain web/be1 --wait committed --timeout 2s")
                .endsWith(ExitCode.YES)
                .says("asking the next node");
        assertEquals(1, ids().size(), () -> "of both nodes: " + ids());
    }

    @Test
    void writeThatNobodyAnswersIsInDoubt() {
        second.breaksOff("EnableMember");
        first.breaksOff("EnableMember");
        atBoth("member enable web/be1").endsWith(ExitCode.UNKNOWN).says("the write may still be committed");
    }

    @Test
    void eachWriteHasAnIdOfItsOwn() {
        String line = "--endpoints %s member drain web/be1 --wait committed".formatted(second.endpoint());
        Ran.line(line).endsWith(ExitCode.YES);
        Ran.line(line).endsWith(ExitCode.YES);
        assertEquals(2, second.requests().size());
        assertEquals(2, ids().size(), () -> "of both writes: " + ids());
    }

    private SortedSet<String> ids() {
        SortedSet<String> ids = new TreeSet<>(first.requestIds());
        ids.addAll(second.requestIds());
        return ids;
    }

    @Test
    void readIsRepeatedWheneverNoAnswerComes() {
        first.breaksOff("GetClusterStatus");
        atBoth("cluster status").endsWith(ExitCode.YES).says("the connection broke; asking the next node");
    }

    @Test
    void slowReadLeavesTimeForTheNextNode() {
        first.neverAnswers("GetClusterStatus");
        atBoth("cluster status --timeout 1s").endsWith(ExitCode.YES).says("asking the next node");
    }

    @Test
    void refusalIsFinal() {
        first.fails("GetClusterStatus", Status.PERMISSION_DENIED.withDescription("viewers only"));
        atBoth("cluster status").endsWith(ExitCode.NO).says("refused: viewers only");
        assertEquals(0, second.requests().size());
    }
}
