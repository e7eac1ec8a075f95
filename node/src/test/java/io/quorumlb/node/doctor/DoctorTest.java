package io.quorumlb.node.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.proto.v1.Examination;
import io.quorumlb.proto.v1.Finding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that has just started, on this machine. */
class DoctorTest {
    private static final NodeId N1 = new NodeId("n1");

    @TempDir
    Path directory = Path.of("");

    private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.parse("2030-01-02T03:04:05Z"));

    private Doctor.Places places(Callable<List<String>> differences) {
        return new Doctor.Places(
                new TreeSet<>(List.of("lo")),
                new TreeSet<>(),
                directory,
                directory.resolve("bird.ctl"),
                directory,
                differences,
                Optional::empty,
                "1.2");
    }

    private Doctor doctor(Doctor.Places places) {
        var settings = new NodeSettings(
                "site",
                N1,
                new TreeSet<>(List.of(N1)),
                1,
                new Attachment("x-uplink", "uplink"),
                Ipv4Address.parse("10.10.0.1"),
                new TreeMap<>());
        NodeState state = NodeState.initial(settings, new MonotonicTime(0));
        return Doctor.start(() -> state, places, wall::get, () -> 0);
    }

    @Test
    void whatIsPlantedIsFound() throws Exception {
        Path setting = directory.resolve("net/ipv4/ip_forward");
        Files.createDirectories(directory.resolve("net/ipv4"));
        Files.writeString(setting, "1\n");
        try (var doctor = doctor(places(() -> List.of("datapath is system, configured is netdev")))) {
            wall.set(wall.get().plusSeconds(9));
            Examination examination = doctor.examine();
            assertEquals("n1", examination.getNode());
            assertTrue(examination.getAnswered());
            assertEquals("1.2", examination.getProgramVersion());
            assertEquals(wall.get().toEpochMilli(), examination.getWallMillis());
            List<String> codes = new ArrayList<>(
                    examination.getFindingsList().stream().map(Finding::getCode).toList());
            // The machine of the test may be short of room, or may not let this user look at the filter.
            codes.removeAll(List.of("disk-nearly-full", "not-examined"));
            // Loopback leaves checksums out, which is an offload too.
            assertEquals(List.of("offload-on", "ip-forward-on", "bird-down", "dataplane-differs", "clock-step"), codes);
            Files.writeString(setting, "0\n");
            assertTrue(doctor.examine().getFindingsList().stream()
                    .noneMatch(finding -> finding.getCode().equals("ip-forward-on")));
        }
    }

    @Test
    void tooManyAtOnceAreRefusedWithTheNumber() throws Exception {
        var entered = new Semaphore(0);
        var leave = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                var doctor = doctor(places(() -> {
                    entered.release();
                    leave.await();
                    return List.of();
                }))) {
            List<Future<Examination>> under = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                under.add(threads.submit(doctor::examine));
            }
            entered.acquire(4);
            Examination refused = doctor.examine();
            assertEquals("4 examinations are under way, the most this node makes at once", refused.getReason());
            assertEquals(false, refused.getAnswered());
            leave.countDown();
            for (Future<Examination> examination : under) {
                assertTrue(examination.get().getAnswered());
            }
        }
    }
}
