package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that refuses ends the redrawing of a test. */
class RedrawingTest {
    private static final Status REFUSED = Status.NOT_FOUND.withDescription("there is nothing");

    private final FakeNode node = new FakeNode();

    @AfterEach
    void stop() {
        node.close();
    }

    private Ran onTerminal(String line) {
        return Ran.with(Map.of(GlobalOptions.ENDPOINTS_VARIABLE, node.endpoint()), Console.Colour.ON, line);
    }

    @Test
    void eachAnswerIsDrawnOverTheOneBefore() {
        node.answers("ListPools", Samples.pools())
                .answers("ListPools", Samples.pools())
                .fails("ListPools", REFUSED);
        Ran ran = onTerminal("pool list --watch --every 1ms")
                .endsWith(ExitCode.NO)
                .says("there is nothing");
        List<String> screens = List.of(ran.out().split("\u001b\\[H", -1));
        assertEquals(3, screens.size(), ran::out);
        assertEquals("\u001b[2J", screens.get(0));
        assertEquals(screens.get(1), screens.get(2));
        assertTrue(screens.get(1).endsWith("\u001b[K\n\u001b[J"), ran::out);
        assertTrue(screens.get(1).contains("web"), ran::out);
    }

    @Test
    void whatIsThereStaysWhileNobodyAnswers() {
        node.answers("ListPools", Samples.pools())
                .fails("ListPools", Status.UNAVAILABLE.withDescription("no leader"))
                .fails("ListPools", REFUSED);
        Ran ran = onTerminal("pool list --watch --every 1ms")
                .endsWith(ExitCode.NO)
                .says("no leader");
        assertEquals(2, ran.out().split("\u001b\\[H", -1).length, ran::out);
    }

    @Test
    void outputThatIsNoTerminalIsRefused() {
        Ran.at(node, "pool list --watch")
                .endsWith(ExitCode.USAGE)
                .says("the output is none")
                .writes("");
        assertEquals(List.of(), node.requests());
    }

    @Test
    void onlyTablesAreRedrawn() {
        onTerminal("pool list --watch -o json").endsWith(ExitCode.USAGE).says("tables only");
    }

    @ParameterizedTest
    @ValueSource(strings = {"member drain web/be1 --watch", "events --watch", "watch --watch"})
    void commandsThatDoMoreThanShowRefuse(String line) {
        onTerminal(line).endsWith(ExitCode.USAGE).says("--watch is for commands that only show");
        assertEquals(List.of(), node.requests());
    }

    @Test
    void anIntervalIsADuration() {
        onTerminal("pool list --watch --every soon").endsWith(ExitCode.USAGE).says("'soon' is not a duration");
    }
}
