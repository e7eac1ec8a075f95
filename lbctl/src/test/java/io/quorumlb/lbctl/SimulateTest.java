package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.quorumlb.proto.v1.MaglevSimulation;
import io.quorumlb.proto.v1.SimulatedFailure;
import io.quorumlb.proto.v1.SimulatedTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
    private static final String FOUR = "maglev simulate 10.20.0.2:8080 10.30.0.2:8080 10.20.0.3:8080 10.30.0.3:8080";

    private static MaglevSimulation json(String line) throws InvalidProtocolBufferException {
        var simulation = MaglevSimulation.newBuilder();
        JsonFormat.parser()
                .merge(Ran.line(line + " -o json").endsWith(ExitCode.YES).out(), simulation);
        return simulation.build();
    }

    @Test
    void fourMembersUnderBothVersions() {
        Ran.line(FOUR).endsWith(ExitCode.YES).writesGolden("simulated.txt");
    }

    @Test
    void weightsMembersThatAreOutAndAnotherPicture() {
        Ran.line("maglev simulate 10.20.0.2:8080=3 [2001:DB8::1]:80=10/4 10.20.0.4:8080=5/0 --slots 256 --picture 1")
                .endsWith(ExitCode.YES)
                .writesGolden("simulated-weights.txt");
    }

    @Test
    void jsonHoldsEverything() throws InvalidProtocolBufferException {
        MaglevSimulation simulation = json(FOUR);
        SimulatedTable one = simulation.getTables(0);
        SimulatedTable two = simulation.getTables(1);
        assertTrue(one.getDigest().startsWith("0a16713c5a9eb94d"));
        assertTrue(two.getDigest().startsWith("226e56c1f4d374e1"));
        assertEquals(1024, two.getOwnersCount());
        assertEquals(8, one.getFailures(0).getCollateral());
        assertEquals(
                0,
                two.getFailuresList().stream()
                        .mapToInt(SimulatedFailure::getCollateral)
                        .sum());
        assertEquals(12, two.getPairsTried());
    }

    @Test
    void manyPairsAreSampled() throws InvalidProtocolBufferException {
        SimulatedTable two = json("maglev simulate --members 60 --slots 4096").getTables(1);
        assertEquals(60 * 59, two.getPairs());
        assertTrue(two.getPairsTried() > 1000 && two.getPairsTried() <= 2000);
        assertEquals(60, two.getFailuresCount());
    }

    @Test
    void membersComeFromAFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("members");
        Files.writeString(file, "# the site\n10.20.0.2:8080\n\n10.30.0.2:8080 1 # p3\n10.20.0.3:8080 1 1\n");
        assertEquals(
                json("maglev simulate 10.20.0.2:8080 10.30.0.2:8080 10.20.0.3:8080"),
                json("maglev simulate --file " + file));
        Files.writeString(file, "10.20.0.2:8080 1 1 1\n");
        Ran.line("maglev simulate --file " + file).endsWith(ExitCode.USAGE).says("line 1 has 4 words");
    }

    @Test
    void aPoolThatNoVersionTakesIsSaidAndNotTrue() {
        Ran ran = Ran.line("maglev simulate --members 300 --slots 256").endsWith(ExitCode.NO);
        assertTrue(ran.out().contains("version 1 would be refused: quotas"), ran.out());
        assertTrue(ran.out().contains("version 2 would be refused: member 198.18.0.100:80"), ran.out());
        assertTrue(ran.out().contains("at least 512 slots would do"), ran.out());
    }

    @Test
    void thePictureIsColouredOnATerminal() {
        Ran ran = Ran.with(Map.of(), Console.Colour.ON, FOUR).endsWith(ExitCode.YES);
        assertTrue(ran.out().contains("\u001b[30;48;5;"), ran.out());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "maglev simulate | no members",
                "maglev simulate 10.20.0.2 | '10.20.0.2' is not address:port",
                "maglev simulate 10.20.0.2:80=1001 | weight 1001 of member 10.20.0.2:80 is outside 0..1000",
                "maglev simulate 10.20.0.2:80=2/3 | effective weight 3 of member 10.20.0.2:80",
                "maglev simulate 10.20.0.2:80=much | weight 'much' of member 10.20.0.2:80",
                "maglev simulate 10.20.0.2:80 10.20.0.2:80 | member 10.20.0.2:80 is given twice",
                "maglev simulate 10.20.0.2:80 --slots 1000 | slots 1000: a power of two",
                "maglev simulate 10.20.0.2:80 --pool-id 0 | pool id 0 is outside",
                "maglev simulate 10.20.0.2:80 --picture 3 | --picture: '3' is none of [1, 2, none]",
                "maglev simulate --members 70000 | --members 70000 is outside",
                "maglev simulate --file /none/such | --file /none/such cannot be read",
            })
    void wrongLinesAreUsageErrors(String line, String part) {
        Ran.line(line.strip()).endsWith(ExitCode.USAGE).says(part.strip()).writes("");
    }
}
