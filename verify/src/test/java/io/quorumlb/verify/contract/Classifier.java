package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Flows made ready to send packets through. */
final class Classifier {
    static final List<Field> REGISTERS =
            List.of(Field.REG0, Field.REG1, Field.REG2, Field.REG3, Field.REG4, Field.XXREG2);

    private static final int IN_PORT = FieldIndex.of(Field.IN_PORT);
    private static final int TTL = FieldIndex.of(Field.IP_TTL);

    /** A flow with its match as three arrays: word of a field, mask, value. */
    private static final class Ready {
        private final Flow flow;
        private final int[] words;
        private final long[] masks;
        private final long[] values;

        private Ready(Flow flow) {
            this.flow = flow;
            List<Match.Term> terms = flow.key().match().terms();
            List<Match.Term> wide =
                    terms.stream().filter(term -> term.maskHigh() != 0).toList();
            words = IntStream.concat(
                            terms.stream().mapToInt(term -> FieldIndex.of(term.field())),
                            wide.stream().mapToInt(term -> FieldIndex.high(term.field())))
                    .toArray();
            masks = LongStream.concat(
                            terms.stream().mapToLong(Match.Term::mask),
                            wide.stream().mapToLong(Match.Term::maskHigh))
                    .toArray();
            values = LongStream.concat(
                            terms.stream().mapToLong(Match.Term::value),
                            wide.stream().mapToLong(Match.Term::high))
                    .toArray();
        }

        private boolean matches(long[] packet) {
            for (int i = 0; i < words.length; i++) {
                if ((packet[words[i]] & masks[i]) != values[i]) {
                    return false;
                }
            }
            return true;
        }
    }

    private final SortedMap<Integer, List<Ready>> tables = new TreeMap<>();
    private final IntPredicate portExists;
    private final Map<Integer, Group> groups;

    /**
     * Makes flows ready.
     *
     * @param flows in the order of their keys: per table the higher priority first
     * @param groups by number
     * @param portExists whether the switch has a port of that number
     */
    Classifier(Iterable<Flow> flows, Map<Integer, Group> groups, IntPredicate portExists) {
        this.portExists = portExists;
        this.groups = new TreeMap<>(groups);
        for (Flow flow : flows) {
            tables.computeIfAbsent(flow.key().table(), _ -> new ArrayList<>()).add(new Ready(flow));
        }
    }

    private Optional<Flow> find(int table, long[] packet) {
        for (Ready ready : tables.getOrDefault(table, List.of())) {
            if (ready.matches(packet)) {
                return Optional.of(ready.flow);
            }
        }
        return Optional.empty();
    }

    /** Returns what becomes of a packet; tells each flow that it met. */
    Verdict forward(Packet packet, Consumer<FlowKey> met) {
        long[] fields = packet.values();
        var path = new ArrayList<FlowKey>();
        var departures = new ArrayList<Verdict.Departure>();
        var cause = Verdict.Cause.FLOW;
        int table = 0;
        int next = 0;
        while (next >= 0) {
            table = next;
            next = -1;
            Optional<Flow> flow = find(table, fields);
            if (flow.isEmpty()) {
                cause = Verdict.Cause.NO_FLOW;
                break;
            }
            path.add(flow.get().key());
            met.accept(flow.get().key());
            for (Instruction instruction : flow.get().instructions()) {
                switch (instruction) {
                    case Instruction.ApplyActions(List<Action> actions)
                    when actions.getFirst() instanceof Action.ToGroup(int id) -> next = toGroup(id, fields);
                    case Instruction.ApplyActions(List<Action> actions) -> {
                        Optional<Verdict.Cause> stopped = apply(actions, fields, departures);
                        if (stopped.isPresent()) {
                            cause = stopped.get();
                        }
                        if (cause == Verdict.Cause.TIME_TO_LIVE) {
                            return ended(departures, table, cause, path);
                        }
                    }
                    case Instruction.GotoTable(int target) -> next = target;
                    case Instruction.Unrecognised unknown ->
                        throw new IllegalStateException("the model does not know " + unknown);
                }
            }
        }
        return ended(departures, table, cause, path);
    }

    /** Does a group's actions, of which the last goes on in a table; a group that is not there ends the packet. */
    private int toGroup(int id, long[] fields) {
        Group group = groups.get(id);
        if (group == null) {
            return -1;
        }
        if (!(group.selection() instanceof Group.Selection.DatapathHash hash)) {
            throw new IllegalStateException("the model does not know " + group);
        }
        int next = -1;
        for (Action action : group.actions()) {
            switch (action) {
                case Action.Move(var _, int _, Field register, int _, int bits) ->
                    fields[FieldIndex.of(register)] = PacketHash.datapath(fields, hash.basis(), 1 << bits);
                case Action.Resubmit(int table) -> next = table;
                default -> throw new IllegalStateException("the model does not know " + group);
            }
        }
        return next;
    }

    private static Verdict ended(
            List<Verdict.Departure> departures, int table, Verdict.Cause cause, List<FlowKey> path) {
        return departures.isEmpty() ? new Verdict.Dropped(table, cause, path) : new Verdict.Sent(departures, path);
    }

    /** Does actions in order; returns why a packet was not sent or goes no further. */
    private Optional<Verdict.Cause> apply(List<Action> actions, long[] fields, List<Verdict.Departure> departures) {
        Optional<Verdict.Cause> stopped = Optional.empty();
        for (Action action : actions) {
            switch (action) {
                case Action.Output(int port) -> {
                    if (port == (int) fields[IN_PORT] || !portExists.test(port)) {
                        stopped = Optional.of(Verdict.Cause.PORT);
                    } else {
                        departures.add(new Verdict.Departure(port, Packet.of(fields)));
                    }
                }
                case Action.InPort _ -> departures.add(new Verdict.Departure((int) fields[IN_PORT], Packet.of(fields)));
                case Action.SetField set -> {
                    write(fields, FieldIndex.of(set.field()), set.value(), set.mask());
                    write(fields, FieldIndex.high(set.field()), set.high(), set.maskHigh());
                }
                case Action.Move move -> move(move, fields);
                case Action.DecTtl _ -> {
                    if (fields[TTL] <= 1) {
                        return Optional.of(Verdict.Cause.TIME_TO_LIVE);
                    }
                    fields[TTL]--;
                }
                case Action.Multipath(var reads, int basis, int maxLink, Field register) ->
                    fields[FieldIndex.of(register)] = PacketHash.link(fields, reads, basis, maxLink + 1);
                case Action.Controller _, Action.ToMeter _ -> {
                    // Nobody listens to the model, and it takes no time in which there could be too many.
                }
                case Action.ToGroup _, Action.Resubmit _ ->
                    throw new IllegalStateException("must be the last and only action: " + action);
                case Action.Unrecognised unknown ->
                    throw new IllegalStateException("the model does not know " + unknown);
            }
        }
        return stopped;
    }

    private static void write(long[] fields, int word, long value, long mask) {
        fields[word] = (fields[word] & ~mask) | value;
    }

    private static void move(Action.Move move, long[] fields) {
        BigInteger mask = BigInteger.ONE.shiftLeft(move.bits()).subtract(BigInteger.ONE);
        BigInteger bits = whole(fields, move.source())
                .shiftRight(move.sourceOffset())
                .and(mask)
                .shiftLeft(move.destinationOffset());
        BigInteger written = whole(fields, move.destination())
                .andNot(mask.shiftLeft(move.destinationOffset()))
                .or(bits);
        fields[FieldIndex.of(move.destination())] = written.longValue();
        fields[FieldIndex.high(move.destination())] =
                written.shiftRight(Long.SIZE).longValue();
    }

    private static BigInteger whole(long[] fields, Field field) {
        return unsigned(fields[FieldIndex.high(field)]).shiftLeft(Long.SIZE).or(unsigned(fields[FieldIndex.of(field)]));
    }

    private static BigInteger unsigned(long word) {
        return new BigInteger(Long.toUnsignedString(word));
    }
}
