package io.quorumlb.node.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.node.doctor.Surroundings.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files, directories and sockets of the test's own. */
class SurroundingsReaderTest {
    @TempDir
    Path directory = Path.of("");

    private Surroundings read(List<String> differences) {
        return read(() -> differences, directory);
    }

    private Surroundings read(Callable<List<String>> differences, Path data) {
        var places = new Doctor.Places(
                new TreeSet<>(List.of("qlb-none")),
                new TreeSet<>(List.of("x-uplink")),
                data,
                directory.resolve("bird.ctl"),
                directory,
                differences,
                Optional::empty,
                "1");
        return new SurroundingsReader(places).read(Optional.empty(), Instant.EPOCH);
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(Objects.requireNonNull(path.getParent()));
        Files.writeString(path, text);
    }

    @Test
    void settingsOfTheKernelAreReadAndAbsentOnesAreNone() throws IOException {
        assertTrue(read(List.of()).forwarding().isEmpty());
        write("net/ipv4/ip_forward", "1\n");
        write("net/ipv6/conf/all/forwarding", "0\n");
        assertEquals(
                "{net.ipv4.ip_forward=Known[value=1], net.ipv6.conf.all.forwarding=Known[value=0]}",
                read(List.of()).forwarding().toString());
    }

    @Test
    void theDirectorysFileSystemHasRoom() throws IOException {
        Space space = read(List.of()).space() instanceof Read.Known<Space>(var known) ? known : new Space("", 0, 0);
        assertEquals(directory.toString(), space.directory());
        assertEquals(Files.getFileStore(directory).getTotalSpace(), space.total());
        assertTrue(space.usable() > 0 && space.usable() <= space.total(), space::toString);
        assertInstanceOf(
                Read.Unknown.class, read(List::of, directory.resolve("absent")).space());
    }

    @Test
    void whoIsAbsentIsSaidToBe() {
        Surroundings found = read(List.of("datapath is system"));
        String bird = found.bird().orElse("");
        assertTrue(bird.startsWith("BIRD cannot be reached at " + directory.resolve("bird.ctl")), bird);
        assertEquals(new Read.Known<>(List.of("datapath is system")), found.differences());
        assertInstanceOf(Read.Unknown.class, found.offloads().get("qlb-none"));
    }

    @Test
    void aSwitchThatDoesNotAnswerMakesNoDifferences() {
        assertEquals(
                new Read.Unknown<>("silent"),
                read(
                                () -> {
                                    throw new IOException("silent");
                                },
                                directory)
                        .differences());
    }
}
