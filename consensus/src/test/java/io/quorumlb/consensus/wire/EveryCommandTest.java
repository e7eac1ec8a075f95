package io.quorumlb.consensus.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.RandomCommands;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.model.GatewayId;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.proto.v1.Batch;
import io.quorumlb.proto.v1.LogEntry;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EveryCommandTest {
    private static Stream<Class<?>> kinds(Class<?> sealed) {
        return Arrays.stream(sealed.getPermittedSubclasses())
                .flatMap(type -> type.isSealed() ? kinds(type) : Stream.of(type));
    }

    /** One example of every kind, by the name of the kind. */
    private static SortedMap<String, Command> examples() {
        SortedMap<String, Command> examples = new TreeMap<>();
        var moves = new TreeMap<GatewayId, NodeId>();
        Stream.of(
                        new Command.SetSlotFunction(SlotFunction.DP_HASH),
                        new Command.AssignGateways(moves, moves, "nothing moves"))
                .forEach(command -> examples.put(command.getClass().getSimpleName(), command));
        for (long seed = 0; seed < 20; seed++) {
            var source = new RandomCommands(seed);
            ClusterState state = ClusterState.empty();
            for (int i = 0; i < 100; i++) {
                Command command = source.next(state);
                examples.put(command.getClass().getSimpleName(), command);
                state = StateMachine.apply(state, command).state();
            }
        }
        return examples;
    }

    @Test
    void comesBackEqual() {
        SortedMap<String, Command> examples = examples();
        var kinds = new TreeSet<String>();
        kinds(Command.class).forEach(type -> kinds.add(type.getSimpleName()));
        assertEquals(kinds, examples.keySet());
        examples.values()
                .forEach(command -> assertEquals(
                        command,
                        EntryCodec.parse(
                                ByteBuffer.wrap(EntryCodec.toWire(command).toByteArray()))));
    }

    @Test
    void onlyEditsAreReadInABatch() {
        examples().values().forEach(command -> {
            LogEntry entry = LogEntry.newBuilder()
                    .setBatch(Batch.newBuilder().addEntries(EntryCodec.toWire(command)))
                    .build();
            if (command instanceof Command.Edit edit) {
                assertEquals(new Command.Batch(List.of(edit)), EntryCodec.fromWire(entry));
            } else {
                String message =
                        String.valueOf(assertThrows(UnreadableEntryException.class, () -> EntryCodec.fromWire(entry))
                                .getMessage());
                assertTrue(message.contains("is no change of configured objects"), message);
            }
        });
    }
}
