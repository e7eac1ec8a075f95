package io.quorumlb.node.announce;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.maglev.IpAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BirdAnnouncerTest {
    private static final AnnounceResult ANNOUNCED = new AnnounceResult(true, "");
    private static final AnnounceResult WITHDRAWN = new AnnounceResult(false, "");

    @TempDir
    private Path directory;

    @Test
    void announcesAndConfirms() throws Exception {
        try (var bird = RealBird.start(directory)) {
            assertEquals(List.of(), routes(bird));

            assertEquals(ANNOUNCED, bird.announcer().announce(vips("10.99.0.10")));

            assertEquals(List.of("10.99.0.10/32"), routes(bird));
            assertEquals("route 10.99.0.10/32 blackhole;\n", Files.readString(bird.include));
            assertEquals("1\n", Files.readString(bird.lease));
        }
    }

    @Test
    void theSteadyStateOnlyRenewsTheLease() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10"));
            var written = Files.getLastModifiedTime(bird.include);
            var inode = Files.getAttribute(bird.include, "unix:ino");
            long reconfigured = bird.logged("Reconfigured");

            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10")));
            assertEquals(ANNOUNCED, bird.announcer().announce(vips("10.99.0.10")), "another process, same routes");

            assertEquals(written, Files.getLastModifiedTime(bird.include));
            assertEquals(inode, Files.getAttribute(bird.include, "unix:ino"));
            assertEquals(reconfigured, bird.logged("Reconfigured"));
            assertEquals(1, bird.logged("Enabling protocol vips"));
            assertEquals("3\n", Files.readString(bird.lease), "the next process counts on");
        }
    }

    @Test
    void keepingConfirmsWhatIsAnnouncedAndNothingElse() throws Exception {
        try (var bird = RealBird.start(directory)) {
            assertEquals(WITHDRAWN, bird.announcer().keep(), "nothing is announced");
            assertFalse(
                    Files.exists(bird.lease) && !Files.readString(bird.lease).isBlank(), "nothing is confirmed");
            bird.announcer().announce(vips("10.99.0.10"));
            assertEquals(ANNOUNCED, bird.announcer().keep(), "another process");
            assertEquals("2\n", Files.readString(bird.lease));
            assertEquals(List.of("10.99.0.10/32"), routes(bird));
        }
    }

    @Test
    void restoringBringsBackWhatNobodyConfirmedInTime() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10"));
            bird.ask("disable \"vips*\" \"no controller confirmed the announcement\"");
            assertEquals(WITHDRAWN, announcer.keep(), "that is not kept");

            assertEquals(ANNOUNCED, announcer.restore());

            assertEquals(List.of("10.99.0.10/32"), routes(bird));
            assertEquals("2\n", Files.readString(bird.lease));
            assertEquals(2, bird.logged("Enabling protocol vips"), "vips6 was down before and stays so");
        }
    }

    @Test
    void restoringLeavesWithdrawnWhatAControllerOrAnOperatorHasWithdrawn() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            assertEquals(WITHDRAWN, announcer.restore(), "nothing was announced");
            announcer.announce(vips("10.99.0.10"));
            announcer.withdraw();
            bird.ask("disable \"vips*\" \"no controller confirmed the announcement\"");
            assertEquals(WITHDRAWN, announcer.restore());
            announcer.announce(vips("10.99.0.10"));
            bird.ask("disable vips \"maintenance\"");
            assertEquals(WITHDRAWN, announcer.restore());
            assertEquals(List.of(), routes(bird));
        }
    }

    @Test
    void changingTheVipsLeavesTheOthersAnnounced() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10", "10.99.0.11"));

            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10", "10.99.0.12")));

            assertEquals(List.of("10.99.0.10/32", "10.99.0.12/32"), routes(bird));
            assertEquals(0, bird.logged("Disabling protocol vips"));
            assertFalse(Files.readString(bird.include).contains("disabled"), "a restarted BIRD waits for us");
        }
    }

    @Test
    void withdrawsOnceAndAnnouncesAgain() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            assertEquals(WITHDRAWN, announcer.withdraw(), "nothing to withdraw");
            announcer.announce(vips("10.99.0.10"));
            String lease = Files.readString(bird.lease);

            assertEquals(WITHDRAWN, announcer.withdraw());
            assertEquals(WITHDRAWN, announcer.withdraw());

            assertEquals(List.of(), routes(bird));
            assertEquals(1, bird.logged("Disabling protocol vips"));
            assertEquals(lease, Files.readString(bird.lease), "a withdrawal confirms nothing");
            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10")));
            assertEquals(List.of("10.99.0.10/32"), routes(bird));
        }
    }

    @Test
    void noVipIsAWithdrawal() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10"));
            assertEquals(WITHDRAWN, announcer.announce(vips()));
            assertEquals(List.of(), routes(bird));
        }
    }

    @Test
    void routesWithdrawnBySomeoneElseComeBack() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10"));
            bird.ask("disable vips");

            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10")));

            assertEquals(List.of("10.99.0.10/32"), routes(bird));
        }
    }

    @Test
    void aRestartedBirdIsAnnouncedToAgain() throws Exception {
        BirdAnnouncer announcer;
        try (var bird = RealBird.start(directory)) {
            announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10"));
        }
        AnnounceResult gone = announcer.announce(vips("10.99.0.10"));
        assertFalse(gone.announced());
        assertTrue(gone.problem().contains("is it running?"), gone.problem());
        try (var bird = RealBird.start(directory)) {
            assertEquals(List.of(), routes(bird));
            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10")));
            assertEquals(List.of("10.99.0.10/32"), routes(bird));
        }
    }

    @Test
    void aConfigurationThatBirdRefusesIsAProblemAndConfirmsNothing() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            announcer.announce(vips("10.99.0.10"));
            String lease = Files.readString(bird.lease);
            Files.writeString(directory.resolve("bird.conf"), "this is no configuration;\n");

            AnnounceResult refused = announcer.announce(vips("10.99.0.11"));

            assertFalse(refused.announced());
            assertTrue(refused.problem().startsWith("BIRD refuses 'configure': 8002 "), refused.problem());
            assertEquals(lease, Files.readString(bird.lease));
        }
    }

    @Test
    void aBirdWithoutTheProtocolIsToldApart() throws Exception {
        try (var bird = RealBird.start(directory)) {
            Files.writeString(directory.resolve("bird.conf"), "router id 192.0.2.1;\nprotocol device {}\n");
            bird.ask("configure");

            AnnounceResult result = bird.announcer().announce(vips("10.99.0.10"));

            assertFalse(result.announced());
            assertTrue(result.problem().contains("protocol static vips"), result.problem());
        }
    }

    @Test
    void aLeaseThatCannotBeWrittenIsSaid() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer(directory.resolve("none/lease"));
            AnnounceResult result = announcer.announce(vips("10.99.0.10"));
            assertTrue(result.announced());
            assertTrue(result.problem().contains("none/lease"), result.problem());
        }
    }

    @Test
    void bothVersionsOfIpAreAnnouncedAndChangeAlone() throws Exception {
        try (var bird = RealBird.start(directory)) {
            var announcer = bird.announcer();
            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10", "fd00:99::10")));
            assertEquals(List.of("10.99.0.10/32"), routes(bird));
            assertEquals(List.of("fd00:99::10/128"), routes6(bird));

            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10", "fd00:99::11")));
            assertEquals(List.of("fd00:99::11/128"), routes6(bird));
            assertEquals(0, bird.logged("Disabling protocol vips"));

            assertEquals(ANNOUNCED, announcer.announce(vips("10.99.0.10", "10.99.0.11")));
            assertEquals(List.of("10.99.0.10/32", "10.99.0.11/32"), routes(bird));
            assertEquals(List.of(), routes6(bird));
            assertEquals("", Files.readString(bird.include6));
            assertEquals(1, bird.logged("Disabling protocol vips6"));

            assertEquals(ANNOUNCED, announcer.announce(vips("fd00:99::10")));
            assertEquals(List.of(), routes(bird));
            assertEquals(WITHDRAWN, announcer.withdraw());
            assertEquals(List.of(), routes6(bird));
        }
    }

    @Test
    void aBirdThatKnowsNoIpv6StillAnnouncesIpv4() throws Exception {
        try (var bird = RealBird.start(directory)) {
            Files.writeString(
                    directory.resolve("bird.conf"),
                    "router id 192.0.2.1;\nprotocol device {}\nprotocol static vips {\n  ipv4;\n  include \"%s\";\n}\n"
                            .formatted(bird.include));
            bird.ask("configure");
            assertEquals(ANNOUNCED, bird.announcer().announce(vips("10.99.0.10")));
            AnnounceResult refused = bird.announcer().announce(vips("10.99.0.10", "fd00:99::10"));
            assertFalse(refused.announced());
            assertTrue(refused.problem().contains("vips6"), refused.problem());
            assertEquals(List.of("10.99.0.10/32"), routes(bird));
        }
    }

    private static List<String> routes6(RealBird bird) throws BirdException {
        return routes(bird, "vips6", "/128");
    }

    private static List<String> routes(RealBird bird) throws BirdException {
        return routes(bird, "vips", "/32");
    }

    private static List<String> routes(RealBird bird, String protocol, String length) throws BirdException {
        return bird.ask("show route protocol " + protocol).lines().stream()
                .filter(line -> line.code() == 1007)
                .map(line -> line.text().strip().split("\\s+", -1)[0])
                .filter(text -> text.endsWith(length))
                .sorted()
                .toList();
    }

    private static SortedSet<IpAddress> vips(String... addresses) {
        return new TreeSet<>(Stream.of(addresses).map(IpAddress::parse).toList());
    }
}
