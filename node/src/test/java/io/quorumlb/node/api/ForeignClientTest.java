package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.proto.v1.ListPoolsRequest;
import io.quorumlb.proto.v1.Pool;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that know the API by its .proto files alone, in another language: the programs of {@code verify/client}. */
class ForeignClientTest {
    private LoneNode node;
    private String endpoint;

    @BeforeEach
    void start() throws IOException {
        NodeProgram.assumeInstalled();
        node = LoneNode.leading();
        endpoint = "127.0.0.3:" + node.server.apiPort();
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
    }

    @Test
    void aWholeOrchestrationLeavesNothingBehind() throws Exception {
        NodeProgram client = NodeProgram.run("orchestrate.js", "--endpoint", endpoint);
        assertEquals(0, client.status(), client.output());
        for (String step : List.of(
                "make it at once: revision 1, proven",
                "drain m1: proven as generation",
                "enable m1: proven",
                "m1 is enabled still",
                "the configuration is at revision",
                "take it back: proven",
                "look at what the watch has told: 12 events")) {
            assertTrue(client.output().contains(step), () -> "no '" + step + "' in " + client.output());
        }
        assertEquals(List.of(), pools());
    }

    @Test
    void itNamesTheStepThatFailsAndLeavesAloneWhatIsNotItsOwn() throws Exception {
        var _ = node.api().createSegment(Site.SEGMENT);
        var _ = node.api().createPool(Site.POOL);
        NodeProgram client = NodeProgram.run("orchestrate.js", "--endpoint", endpoint, "--pool", "web");
        assertEquals(1, client.status(), client.output());
        assertTrue(
                client.output().contains("step 'ask what would be made' failed: something is there"), client.output());
        assertEquals(List.of("web"), pools());
    }

    @Test
    void itTakesBackWhatItMadeWhenAStepFails() throws Exception {
        node.membersAnswer = false;
        NodeProgram client = NodeProgram.run("orchestrate.js", "--endpoint", endpoint, "--patience", "1");
        assertEquals(1, client.status(), client.output());
        assertTrue(client.output().matches("(?s).*orchestrate: step '(make|wait)[^']*' failed: .*"), client.output());
        assertTrue(client.output().contains("delete it all"), client.output());
        assertEquals(List.of(), pools());
    }

    @Test
    void wrongArgumentsAreSaid() throws Exception {
        NodeProgram noPort = NodeProgram.run("orchestrate.js", "--endpoint", "nowhere");
        assertEquals(64, noPort.status(), noPort.output());
        assertTrue(noPort.output().contains("endpoint is 'nowhere', must be HOST:PORT"), noPort.output());
        NodeProgram half = NodeProgram.run("bench.js", "--key", "k");
        assertEquals(64, half.status(), half.output());
        assertTrue(half.output().contains("--cert and --key belong together"), half.output());
        NodeProgram nothing = NodeProgram.run("orchestrate.js", "--ca", "/nowhere/ca.crt");
        assertEquals(64, nothing.status(), nothing.output());
        assertTrue(nothing.output().contains("no such file or directory, open '/nowhere/ca.crt'"), nothing.output());
        NodeProgram rate = NodeProgram.run("bench.js", "--rate", "0");
        assertEquals(64, rate.status(), rate.output());
        assertTrue(rate.output().contains("rate is '0', must be 1..1000"), rate.output());
    }

    /** That it runs and cleans up; how fast is another matter, so its status is not looked at. */
    @Test
    void theLoadIsMeasuredAndTakenAway() throws Exception {
        NodeProgram bench = NodeProgram.run(
                "bench.js",
                "--endpoint",
                endpoint,
                "--many-pools",
                "4",
                "--few-members",
                "3",
                "--pools",
                "3",
                "--members",
                "4",
                "--flips",
                "8",
                "--rate",
                "20",
                "--seconds",
                "1",
                "--watchers",
                "3");
        for (String exact : List.of(
                "20 writes, 20/s, 3 followers: not done +0 writes +0 writes +0.00 +met",
                "20 writes, 20/s, 3 followers: changes that a follower was not told +0 events .* met",
                "20 writes, 20/s, 3 followers: followers cut off +0 times .* met",
                "one of 4 members flips, 3 pools, n=8: pools rebuilt without need +0 pools .* met")) {
            assertTrue(
                    bench.output().lines().anyMatch(line -> line.matches(exact)),
                    () -> "no '" + exact + "' in " + bench.output());
        }
        assertEquals(List.of(), pools());
    }

    private List<String> pools() {
        return node.api().listPools(ListPoolsRequest.getDefaultInstance()).getPoolsList().stream()
                .map(Pool::getName)
                .toList();
    }
}
