package io.quorumlb.node.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.Symptom;
import io.quorumlb.node.doctor.Surroundings.Space;
import io.quorumlb.node.doctor.Surroundings.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One thing wrong at a time: it is named, with its value, and nothing else is. */
class LocalJudgeTest {
    private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
    private static final long MIB = 1L << 20;

    private final SortedMap<String, Read<Boolean>> offloads = new TreeMap<>();
    private final SortedSet<String> guarded = new TreeSet<>(List.of("x-uplink", "x-p2", "docker0"));
    private final SortedMap<String, Read<String>> forwarding = new TreeMap<>();
    private Read<Space> space = new Read.Known<>(new Space("/data", 500 * MIB, 4096 * MIB));
    private Optional<String> bird = Optional.empty();
    private Read<List<String>> differences = new Read.Known<>(List.of());
    private Optional<Instant> certificateEnd = Optional.empty();
    private Optional<Step> step = Optional.empty();

    LocalJudgeTest() {
        offloads.put("uplink", new Read.Known<>(false));
        forwarding.put("net.ipv4.ip_forward", new Read.Known<>("0"));
    }

    private List<String> found() {
        return found(new Read.Known<>(guarded));
    }

    private List<String> found(Read<SortedSet<String>> guards) {
        var surroundings = new Surroundings(
                offloads,
                new TreeSet<>(List.of("x-uplink", "x-p2")),
                guards,
                forwarding,
                space,
                bird,
                differences,
                certificateEnd,
                step,
                NOW);
        return LocalJudge.of("n1", surroundings).stream()
                .map(judgement -> judgement.node() + " " + judgement.code().code() + ": " + judgement.problem())
                .toList();
    }

    @Test
    void aHealthyNodeHasNothing() {
        assertEquals(List.of(), found());
    }

    @Test
    void anOffloadIsNamedWithItsInterface() {
        offloads.put("p2", new Read.Known<>(true));
        assertEquals(List.of("n1 offload-on: TX checksum offload of interface p2 is on"), found());
    }

    @Test
    void everyPortWithoutAGuardIsNamed() {
        guarded.remove("x-p2");
        assertEquals(
                List.of("n1 guard-missing: no nftables chain of policy drop is at the ingress hook of port x-p2"),
                found());
    }

    @Test
    void forwardingByTheKernelIsNamedWithItsSetting() {
        forwarding.put("net.ipv6.conf.all.forwarding", new Read.Known<>("1"));
        assertEquals(List.of("n1 ip-forward-on: net.ipv6.conf.all.forwarding is 1, must be 0"), found());
    }

    @ParameterizedTest
    @CsvSource({"255, 1000, true", "256, 1000, false", "409, 4100, true", "411, 4100, false"})
    void aDiskIsNearlyFullBelowTenPercentOr256Mib(long usable, long total, boolean full) {
        space = new Read.Known<>(new Space("/data", usable * MIB, total * MIB));
        assertEquals(
                full
                        ? List.of(("n1 disk-nearly-full: the file system of /data has %d MiB of %d MiB usable,"
                                        + " at least 10 %% and 256 MiB must be")
                                .formatted(usable, total))
                        : List.of(),
                found());
    }

    @Test
    void aSilentBirdIsNamed() {
        bird = Optional.of("BIRD cannot be reached at /run/bird/bird.ctl");
        assertEquals(List.of("n1 bird-down: BIRD cannot be reached at /run/bird/bird.ctl"), found());
    }

    @Test
    void aBridgeThatIsMadeOtherwiseIsNamed() {
        differences = new Read.Known<>(List.of("datapath is system, configured is netdev"));
        assertEquals(List.of("n1 dataplane-differs: datapath is system, configured is netdev"), found());
    }

    @Test
    void aCertificateThatEndsWithinFourteenDaysIsNamed() {
        certificateEnd = Optional.of(NOW.plus(Duration.ofDays(14)));
        assertEquals(List.of(), found());
        certificateEnd = Optional.of(NOW.plus(Duration.ofDays(14)).minusSeconds(1));
        assertEquals(
                List.of(
                        "n1 certificate-ends: the certificate that clients see ends at 2030-01-16T03:04:04Z, in 13 days"),
                found());
        certificateEnd = Optional.of(NOW);
        assertEquals(
                List.of("n1 certificate-ended: the certificate that clients see has ended at 2030-01-02T03:04:05Z"),
                found());
    }

    @ParameterizedTest
    @CsvSource({"7300, forward by 7.3 s", "-1200, back by 1.2 s"})
    void aStepOfTheClockIsNamedForAnHour(long millis, String text) {
        Instant seen = NOW.minus(Duration.ofMinutes(59));
        step = Optional.of(new Step(seen, Duration.ofMillis(millis)));
        assertEquals(
                List.of("n1 clock-step: the wall clock was moved %s, seen at 2030-01-02T02:05:05Z".formatted(text)),
                found());
        step = Optional.of(new Step(NOW.minus(Duration.ofMinutes(61)), Duration.ofMillis(millis)));
        assertEquals(List.of(), found());
    }

    @Test
    void whatCannotBeReadIsSaidToBeUnknown() {
        offloads.put("uplink", new Read.Unknown<>("no such interface"));
        forwarding.put("net.ipv4.ip_forward", new Read.Unknown<>("denied"));
        space = new Read.Unknown<>("gone");
        // The node's own state tells that the switch does not answer.
        differences = new Read.Unknown<>("no answer");
        assertEquals(
                List.of(
                        "n1 not-examined: whether TX checksum offload of interface uplink is on is not known: no such"
                                + " interface",
                        "n1 not-examined: whether the ingress guard is loaded is not known: not permitted",
                        "n1 not-examined: net.ipv4.ip_forward is not known: denied",
                        "n1 not-examined: the room for the data directory is not known: gone"),
                found(new Read.Unknown<>("not permitted")));
    }

    @Test
    void everySymptomOfTheNodeIsAFindingOfItsOwn() {
        List<Symptom> symptoms = new ArrayList<>();
        for (Symptom.Kind kind : Symptom.Kind.values()) {
            symptoms.add(new Symptom(kind, new NodeId("n2"), kind + " was found"));
        }
        List<Judgement> judgements = LocalJudge.of(symptoms);
        assertEquals(
                symptoms.size(),
                judgements.stream().map(Judgement::code).distinct().count());
        assertEquals("n2", judgements.getFirst().node());
        assertEquals("SWITCH_UNREACHABLE was found", judgements.getFirst().problem());
    }
}
