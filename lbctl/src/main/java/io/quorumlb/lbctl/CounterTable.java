package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Count;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.NodeCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Counts of something, in the sum and on each node; and the nodes that gave none. */
final class CounterTable {
    private static final String ALL = "all";

    /** A node reads its switch every two seconds. */
    private static final long AGE_MILLIS_MAX = 10_000;

    private final GetCountersResponse response;

    /** Reads from one answer. */
    CounterTable(GetCountersResponse response) {
        this.response = response;
    }

    /**
     * Calls for each thing in the sum, and behind it for the same thing on each node that has it, with the node's name.
     *
     * @param things all of one kind that a node has
     * @param identity what tells one thing from another
     * @param row takes the node's name, or {@code all}, and the thing
     */
    <T> void each(Function<NodeCounters, List<T>> things, Function<T, Object> identity, BiConsumer<String, T> row) {
        SortedMap<String, Map<Object, T>> byNode = new TreeMap<>();
        for (NodeCounters node : response.getNodesList()) {
            Map<Object, T> here = byNode.computeIfAbsent(node.getNode(), _ -> new HashMap<>());
            things.apply(node).forEach(thing -> here.put(identity.apply(thing), thing));
        }
        for (T thing : things.apply(response.getSum())) {
            row.accept(ALL, thing);
            byNode.forEach((node, here) ->
                    Optional.ofNullable(here.get(identity.apply(thing))).ifPresent(found -> row.accept(node, found)));
        }
    }

    /** Returns the cells of one count: packets, packets a second, bytes. */
    static List<Cell> cells(Count count) {
        return List.of(
                Cell.of(Long.toUnsignedString(count.getPackets())),
                Cell.of(String.format(Locale.ROOT, "%.1f", count.getPacketsPerSecond())),
                Cell.of(Long.toUnsignedString(count.getBytes())));
    }

    /** Adds a row of some cells and those of some counts. */
    static void row(Table table, List<Cell> first, Count... counts) {
        List<Cell> cells = new ArrayList<>(first);
        List.of(counts).forEach(count -> cells.addAll(cells(count)));
        table.row(cells.toArray(Cell[]::new));
    }

    /** Names the nodes whose counts are missing or old, so that nobody takes the sum for all there is. */
    void doubts(Page page) {
        response.getNodesList().stream()
                .filter(node -> !node.getReason().isEmpty())
                .forEach(node -> page.line(new Cell(
                        "%s is not in the sum: %s".formatted(node.getNode(), node.getReason()), Cell.Tone.BAD)));
        response.getNodesList().stream()
                .filter(node -> Integer.toUnsignedLong(node.getAgeMillis()) > AGE_MILLIS_MAX)
                .forEach(node -> page.line(new Cell(
                        "%s has not read its switch for %s"
                                .formatted(node.getNode(), Age.ofMillis(node.getAgeMillis())),
                        Cell.Tone.DOUBTFUL)));
    }

    /** Returns true if every node gave its counts, not so if some did, unknown if none did. */
    static ExitCode exitCode(GetCountersResponse response) {
        long given = response.getNodesList().stream()
                .filter(node -> node.getAnswered() && node.getReason().isEmpty())
                .count();
        if (given == 0) {
            return ExitCode.UNKNOWN;
        }
        return given == response.getNodesCount() ? ExitCode.YES : ExitCode.NO;
    }
}
