package io.quorumlb.verify.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** Connections from the client to a VIP that its {@code hold} keeps open and asks, again and again, who serves them. */
final class HeldConnections implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process hold;
    private final BufferedReader told;
    private final OutputStream asks;
    private final Round opened;

    private HeldConnections(Process hold) {
        this.hold = hold;
        this.told = hold.inputReader(StandardCharsets.UTF_8);
        this.asks = hold.getOutputStream();
        this.opened = read();
    }

    /**
     * What became of the connections that were asked in one round.
     *
     * @param members who answered, by source port
     * @param broken why no answer came, by source port: such a connection is not asked again
     */
    record Round(SortedMap<Integer, String> members, SortedMap<Integer, String> broken) {}

    /** Opens a connection from each source port, first to last, and asks on each. */
    static HeldConnections open(SitePool pool, int first, int last) {
        // The client's tool lives as long as its standard input: nothing is left behind if this JVM dies.
        List<String> command = List.of(
                "docker",
                "exec",
                "-i",
                "quorumlb-client",
                "/opt/site/hold",
                "--json",
                "--target",
                pool.target(),
                "--source-ports",
                first + "-" + last);
        try {
            return new HeldConnections(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        }
    }

    /** Returns the round in which they were opened. */
    Round opened() {
        return opened;
    }

    /** Asks on all that have not broken before. */
    Round ask() {
        try {
            asks.write('\n');
            asks.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("hold has ended", e);
        }
        return read();
    }

    private Round read() {
        try {
            String line = told.readLine();
            if (line == null) {
                throw new IllegalStateException("hold ended with status " + hold.waitFor());
            }
            JsonNode round = parse(line);
            return new Round(byPort(round.get("answers")), byPort(round.get("broken")));
        } catch (IOException e) {
            throw new UncheckedIOException("hold cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JacksonException e) {
            throw new IllegalStateException("hold says: " + line, e);
        }
    }

    private static SortedMap<Integer, String> byPort(JsonNode object) {
        SortedMap<Integer, String> texts = new TreeMap<>();
        object.properties()
                .forEach(entry -> texts.put(
                        Integer.valueOf(entry.getKey()), entry.getValue().asString()));
        return texts;
    }

    /** Closes all connections. */
    @Override
    public void close() {
        try {
            asks.close();
            hold.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException("hold had ended already", e);
        } catch (InterruptedException e) {
            hold.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
