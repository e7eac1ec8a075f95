package io.quorumlb.ovs.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import io.quorumlb.ovs.testbed.DualStackSite;
import io.quorumlb.ovs.testbed.EmptyPoolSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds docs/pipeline.md to what the code does. */
class PipelineDocumentTest {
    private static final List<Flow> FLOWS = Stream.of(
                    DualStackSite.intent(),
                    withoutNeighbours(DualStackSite.intent()),
                    EmptyPoolSite.empty(_ -> new WhenEmpty.FailOpen()),
                    EmptyPoolSite.empty(_ -> new WhenEmpty.Reject()),
                    EmptyPoolSite.empty(EmptyPoolSite::fallback))
            .flatMap(intent -> Pipeline.flows(intent).stream())
            .toList();

    private static SwitchIntent withoutNeighbours(SwitchIntent intent) {
        return new SwitchIntent(
                intent.uplink(),
                new TreeMap<>(),
                intent.segments(),
                intent.listeners(),
                intent.pools().stream()
                        .map(pool -> new ServedPool(
                                pool.id(),
                                pool.generation(),
                                pool.digest(),
                                pool.table(),
                                pool.members().stream()
                                        .map(member -> new ServedMember(
                                                member.id(),
                                                member.address(),
                                                member.port(),
                                                member.segment(),
                                                Optional.empty()))
                                        .toList()))
                        .toList(),
                intent.routers());
    }

    private static List<String> document() throws IOException {
        return Files.readAllLines(Path.of("../docs/pipeline.md"));
    }

    /** Returns the cells of all table rows between two lines, header and ruler left out. */
    private static List<List<String>> rows(String heading) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        boolean inside = false;
        for (String line : document()) {
            if (line.startsWith("## ")) {
                inside = line.equals(heading);
            } else if (inside && line.startsWith("|") && !line.startsWith("|---")) {
                rows.add(Arrays.stream(line.split("\\|"))
                        .skip(1)
                        .map(String::strip)
                        .toList());
            }
        }
        assertTrue(!rows.isEmpty(), heading + " has no rows");
        return rows;
    }

    @Test
    void eachTableHasItsSectionInOrder() throws IOException {
        List<String> expected = Stream.of(PipelineTable.values())
                .map(table -> "## Table %d: %s".formatted(table.id(), table.name()))
                .toList();
        assertEquals(
                expected,
                document().stream().filter(line -> line.startsWith("## Table ")).toList());
    }

    @Test
    void everyRowIsThereAndNoOther() throws IOException {
        for (PipelineTable table : PipelineTable.values()) {
            SortedSet<String> documented = new TreeSet<>();
            rows("## Table %d: %s".formatted(table.id(), table.name())).stream()
                    .filter(row -> !row.getFirst().equals("priority"))
                    .forEach(row -> documented.add(row.get(0) + " " + row.get(1)));
            SortedSet<String> real = new TreeSet<>();
            FLOWS.stream()
                    .filter(flow -> flow.key().table() == table.id())
                    .forEach(flow -> real.add(flow.key().priority() + " " + kind(flow)));
            assertEquals(real, documented, table.name());
        }
    }

    private static Cookie.Kind kind(Flow flow) {
        return Stream.of(Cookie.Kind.values())
                .filter(kind -> Cookie.isKind(flow.cookie(), kind))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void registersAreSetAndReadWhereTheMapSays() throws IOException {
        List<List<String>> rows = rows("## Registers");
        List<Field> registers = List.of(Field.REG0, Field.REG1, Field.REG2, Field.REG3, Field.REG4);
        assertEquals(registers.size() + 1, rows.size(), "a header and a row per register");
        for (int i = 0; i < registers.size(); i++) {
            Field register = registers.get(i);
            List<String> row = rows.get(i + 1);
            assertEquals("`" + register.ovsName() + "`", row.get(0));
            assertEquals(row.get(3), tables(flow -> writes(flow, register)), register + " is set in");
            assertEquals(row.get(4), tables(flow -> reads(flow.key().match(), register)), register + " is read in");
        }
    }

    private static String tables(Predicate<Flow> uses) {
        SortedSet<Integer> tables = new TreeSet<>();
        FLOWS.stream()
                .filter(flow -> flow.key().table() != PipelineTable.MARKER.id())
                .filter(uses)
                .forEach(flow -> tables.add(flow.key().table()));
        return String.join(", ", tables.stream().map(String::valueOf).toList());
    }

    private static boolean reads(Match match, Field register) {
        return match.term(register).isPresent();
    }

    private static boolean writes(Flow flow, Field register) {
        return flow.instructions().stream()
                .flatMap(instruction -> instruction instanceof Instruction.ApplyActions(List<Action> actions)
                        ? actions.stream()
                        : Stream.of())
                .anyMatch(action -> switch (action) {
                    case Action.SetField set -> set.field() == register;
                    case Action.Multipath multipath -> multipath.register() == register;
                    case Action.Move move -> move.destination() == register;
                    default -> false;
                });
    }

    @Test
    void cookieKindsAreThoseOfTheCode() throws IOException {
        List<String> expected = Stream.of(Cookie.Kind.values())
                .map(kind -> "0x%02x %s".formatted(kind.code(), kind.name()))
                .toList();
        List<String> documented = rows("## Cookies").stream()
                .filter(row -> row.getFirst().startsWith("0x"))
                .map(row -> row.get(0) + " " + row.get(1))
                .toList();
        assertEquals(expected, documented);
    }
}
