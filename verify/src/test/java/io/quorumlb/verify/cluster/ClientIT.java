package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** A client in another language deploys a service through a node that does not lead, while connections come in. */
@ClusterTest
@Order(2)
final class ClientIT {
    private static final Path ROOT =
            Path.of(System.getProperty("quorumlb.root", "..")).toAbsolutePath().normalize();

    private static final String TARGET = "10.99.0.40:80";
    private static final String PAUSE_SECONDS = "8";
    private static final Duration ROUTED = Duration.ofSeconds(5);

    /** Seconds: longer than from a pause to the one after the next, shorter than to that one's end. */
    private static final String TRAFFIC_SECONDS = "22";

    private static final String SERVES = " wait until all members take traffic: ";
    private static final Pattern CHANGE =
            Pattern.compile("(\\S+Z) (drain m1|enable m1|change the weight of m1|take it back): .*\\((\\d+) ms\\)");
    private static final Pattern DELETE = Pattern.compile("(\\S+Z) delete it all.*\\((\\d+) ms\\)");

    /** A change of the table may break a connection that is under way: one that began so shortly before. */
    private static final double UNDER_WAY_SECONDS = 0.5;

    /** Seconds since 1970. */
    private record Span(double from, double to) {
        static Span of(Matcher line) {
            double end = Instant.parse(line.group(1)).toEpochMilli() / 1000.0;
            return new Span(end - Integer.parseInt(line.group(line.groupCount())) / 1000.0, end);
        }

        boolean mayBreak(Traffic.Connection connection) {
            return connection.startedAt() > from - UNDER_WAY_SECONDS && connection.startedAt() < to;
        }
    }

    @Test
    void noConnectionIsLostWhileAMemberIsOutAndBackAgain(Site site) throws IOException, InterruptedException {
        NodeApi follower = site.api(Site.others(site.leader()).getFirst());
        Process client =
                new ProcessBuilder(command(follower)).redirectErrorStream(true).start();
        List<String> said = new ArrayList<>();
        try (BufferedReader output = client.inputReader(StandardCharsets.UTF_8)) {
            String line = output.readLine();
            while (line != null && !line.contains(SERVES)) {
                said.add(line);
                line = output.readLine();
            }
            said.add(String.valueOf(line));
            assertTrue(line != null, () -> String.join("\n", said));
            Waiting.start().until("an answer from " + TARGET, ROUTED, () -> {
                Traffic one = Traffic.send(site.container("client"), TARGET, "--count", "1", "--timeout", "0.5");
                return one.answered() == 1 ? Optional.empty() : Optional.of(one.toString());
            });
            Traffic traffic = Traffic.send(
                    site.container("client"), TARGET, "--rate", "50", "--seconds", TRAFFIC_SECONDS, "--timeout", "2");
            output.lines().forEach(said::add);
            assertEquals(0, client.waitFor(), () -> String.join("\n", said));
            compare(said, traffic);
        } finally {
            client.destroy();
        }
        site.awaitConverged(Site.ALL, Site.RECOVERY);
    }

    private static List<String> command(NodeApi node) {
        List<String> command = new ArrayList<>(List.of(
                "node",
                ROOT.resolve("verify/client/orchestrate.js").toString(),
                "--endpoint",
                node.address() + ":7400",
                "--vip",
                TARGET,
                "--pause-seconds",
                PAUSE_SECONDS));
        Path access = ROOT.resolve("cluster-compose/.state/access");
        if (Files.exists(access.resolve("admin.key"))) {
            // What the site's clients are known by, where it asks for that.
            command.addAll(List.of("--ca", access.resolve("ca.crt").toString()));
            command.addAll(List.of("--cert", access.resolve("admin.crt").toString()));
            command.addAll(List.of("--key", access.resolve("admin.key").toString()));
        }
        return command;
    }

    private static void compare(List<String> said, Traffic traffic) {
        String all = String.join("\n", said);
        List<Span> changes = spans(CHANGE, said);
        assertEquals(4, changes.size(), all);
        double first = traffic.each().getFirst().startedAt();
        double last = traffic.each().getLast().startedAt();
        assertTrue(
                first < changes.getFirst().from() && changes.getLast().to() < last,
                () -> "traffic from " + first + " to " + last + " does not cover the changes of " + all);
        assertTrue(last < spans(DELETE, said).getFirst().from(), () -> "traffic went on for too long: " + all);
        List<Traffic.Connection> lost =
                traffic.each().stream().filter(Traffic.Connection::lost).toList();
        List<Traffic.Connection> inPeace = lost.stream()
                .filter(connection -> changes.stream().noneMatch(change -> change.mayBreak(connection)))
                .toList();
        Figures.say(
                "deploy by the Node client beside 50 connections/s: %d of %d lost, %d of them apart from a change",
                lost.size(), traffic.connections(), inPeace.size());
        assertEquals(List.of(), inPeace, traffic + "\n" + all);
        assertTrue(lost.size() <= changes.size(), traffic + "\n" + all);
    }

    private static List<Span> spans(Pattern pattern, List<String> said) {
        return said.stream()
                .map(pattern::matcher)
                .filter(Matcher::matches)
                .map(Span::of)
                .toList();
    }
}
