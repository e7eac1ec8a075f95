package io.quorumlb.verify.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * What became of connections from the client to a VIP.
 *
 * @param connections how many were opened
 * @param answered how many got their answer
 * @param lost how many did not
 * @param lostFor from the start of the first lost one to the start of the last of that burst, gaps below one second
 * @param retransmits packets that TCP had to send again on those that were answered
 * @param members answers by member
 * @param errors losses by reason
 * @param memberByPort who answered, by source port
 * @param each every connection, in the order of their ends
 */
record Traffic(
        int connections,
        int answered,
        int lost,
        Duration lostFor,
        int retransmits,
        SortedMap<String, Integer> members,
        SortedMap<String, Integer> errors,
        SortedMap<Integer, String> memberByPort,
        List<Connection> each) {
    /**
     * One connection.
     *
     * @param startedAt seconds since 1970, by the machine's clock
     * @param lost true if it got no answer
     * @param millis until it had its answer whole; 0 if it was lost
     * @param retransmits packets that the client had to send again
     */
    record Connection(double startedAt, boolean lost, double millis, int retransmits) {}

    private static final double NANOS_PER_SECOND = 1e9;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Opens connections to the pool's VIP with the client's {@code connect}, given its arguments; waits for their end. */
    static Traffic send(Container client, SitePool pool, String... arguments) {
        return send(client, pool.target(), arguments);
    }

    /** Opens connections to an address:port, or sends datagrams there. */
    static Traffic send(Container client, String target, String... arguments) {
        List<String> command = new ArrayList<>(List.of("/opt/site/connect", "--json", "--target", target));
        command.addAll(List.of(arguments));
        Container.Output output = client.exec(command.toArray(String[]::new));
        if (output.status() != 0 && output.status() != 1) {
            throw new IllegalStateException(
                    "connect ended with status %d: %s".formatted(output.status(), output.err()));
        }
        SortedMap<Integer, String> memberByPort = new TreeMap<>();
        output.out()
                .lines()
                .map(JSON::readTree)
                .filter(line -> line.has("member"))
                .forEach(line -> memberByPort.put(
                        line.get("sourcePort").asInt(), line.get("member").asString()));
        List<Connection> each = output.out()
                .lines()
                .map(JSON::readTree)
                .map(line -> new Connection(
                        line.get("time").asDouble(),
                        line.has("error"),
                        line.path("millis").asDouble(),
                        line.path("retransmits").asInt()))
                .toList();
        JsonNode summary =
                JSON.readTree(output.err().lines().reduce((_, last) -> last).orElse(""));
        return new Traffic(
                summary.get("connections").asInt(),
                summary.get("answered").asInt(),
                summary.get("lost").asInt(),
                Duration.ofNanos((long) (summary.get("lostForSeconds").asDouble() * NANOS_PER_SECOND)),
                summary.get("retransmits").asInt(),
                counts(summary.get("members")),
                counts(summary.get("errors")),
                memberByPort,
                each);
    }

    /** Returns the connections that began at the time or later, seconds since 1970. */
    List<Connection> connectionsFrom(double time) {
        return each.stream()
                .filter(connection -> connection.startedAt() >= time)
                .toList();
    }

    private static SortedMap<String, Integer> counts(JsonNode object) {
        SortedMap<String, Integer> counts = new TreeMap<>();
        object.properties()
                .forEach(entry -> counts.put(entry.getKey(), entry.getValue().asInt()));
        return counts;
    }

    @Override
    public String toString() {
        return "%d of %d answered, %d lost %s, %d packets sent again, by member %s"
                .formatted(answered, connections, lost, errors, retransmits, members);
    }
}
