package io.quorumlb.node.announce;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.quorumlb.maglev.IpFamily;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A BIRD of this test alone: own configuration, own socket, no kernel routes, no peers. */
final class RealBird implements AutoCloseable {
    private static final long START_NANOS_MAX = Duration.ofSeconds(10).toNanos();

    final Path socket;
    final Path include;
    final Path include6;
    final Path lease;
    private final Path directory;
    private final Path log;
    private final Process process;

    private RealBird(Path directory, Process process) {
        this.directory = directory;
        this.process = process;
        socket = directory.resolve("bird.ctl");
        include = directory.resolve("vips.conf");
        include6 = directory.resolve("vips6.conf");
        lease = directory.resolve("announce-lease");
        log = directory.resolve("bird.log");
    }

    /** Starts one in the directory; files of an earlier one there are kept. Skips the test where BIRD is absent. */
    static RealBird start(Path directory) throws IOException {
        Optional<Path> program = program();
        if (program.isEmpty() && "1".equals(System.getenv("QUORUMLB_REQUIRE_BIRD"))) {
            fail("QUORUMLB_REQUIRE_BIRD=1, but there is no bird on the PATH or in /usr/sbin");
        }
        assumeTrue(program.isPresent(), "bird is not installed");
        Path include = directory.resolve("vips.conf");
        Path include6 = directory.resolve("vips6.conf");
        for (Path file : List.of(include, include6)) {
            if (!Files.exists(file)) {
                Files.writeString(file, "");
            }
        }
        Path configuration = directory.resolve("bird.conf");
        Files.writeString(configuration, """
                log "%s" all;
                router id 192.0.2.1;
                protocol device {}
                protocol static vips {
                  disabled yes;
                  ipv4;
                  include "%s";
                }
                protocol static vips6 {
                  disabled yes;
                  ipv6;
                  include "%s";
                }
                """.formatted(directory.resolve("bird.log"), include, include6));
        Process process = new ProcessBuilder(
                        program.orElseThrow().toString(),
                        "-f",
                        "-c",
                        configuration.toString(),
                        "-s",
                        directory.resolve("bird.ctl").toString(),
                        "-P",
                        directory.resolve("bird.pid").toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("bird.out").toFile())
                .start();
        var bird = new RealBird(directory, process);
        bird.awaitAnswer();
        return bird;
    }

    private static Optional<Path> program() {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("") + File.pathSeparator + "/usr/sbin";
        return Stream.of(path.split(File.pathSeparator, -1))
                .map(directory -> Path.of(directory, "bird"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private void awaitAnswer() throws IOException {
        long start = System.nanoTime();
        while (System.nanoTime() - start < START_NANOS_MAX) {
            try (BirdSession _ = BirdSession.open(socket, Duration.ofSeconds(2))) {
                return;
            } catch (BirdException _) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
        }
        throw new IOException("bird did not answer: " + Files.readString(directory.resolve("bird.out")));
    }

    BirdAnnouncer announcer() {
        return announcer(lease);
    }

    BirdAnnouncer announcer(Path confirmation) {
        return new BirdAnnouncer(
                socket, new TreeMap<>(Map.of(IpFamily.IPV4, include, IpFamily.IPV6, include6)), confirmation);
    }

    /** Asks one question over a connection of its own. */
    BirdReply ask(String command) throws BirdException {
        try (BirdSession session = BirdSession.open(socket, Duration.ofSeconds(2))) {
            return session.ask(command);
        }
    }

    /** Returns how often BIRD's log has the text. */
    long logged(String text) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.filter(line -> line.contains(text)).count();
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException _) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
