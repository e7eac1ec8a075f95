package io.quorumlb.ovs.pipeline;

import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.SlotFunction;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.hash.Corpus;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedListener;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a packet gets its slot: the flow table's hash, or the datapath's hash read in a group. The pool id is the salt of
 * both, so that pools spread one client independently of each other.
 *
 * <p>The flows and the group that the fingerprint uses are always there: a packet that carries the mark gets its slot like
 * any other, and then goes to the controller and nowhere else.
 */
public final class SlotFunctions {
    /** What {@code reg4} holds in a packet that only asks for its slot; no packet from outside does. */
    public static final int MARK = 0x5155;

    /** The group of the fingerprint: 16 bits of the datapath's hash with a salt of its own. */
    public static final int FINGERPRINT_GROUP = Cookie.GROUP_OWNER;

    /** Enough for the headers. */
    private static final int PACKET_BYTES = 128;

    private static final int SYM_L4 = 1;

    private SlotFunctions() {}

    /** Returns the number of the group that gives a pool's packets their slots. */
    public static int groupOf(int poolId) {
        return Cookie.GROUP_OWNER | poolId;
    }

    /** Returns the pool of a group of ours, 0 for the fingerprint's. */
    public static int poolOf(int group) {
        return group & ~Cookie.GROUP_OWNER_MASK;
    }

    /** Returns what the table's hash reads of a packet. */
    public static Action.PacketFields packetFields(HashFields fields) {
        return switch (fields) {
            case FIVE_TUPLE -> Action.PacketFields.SYMMETRIC_L3L4_UDP;
            case SOURCE_ADDRESS -> Action.PacketFields.NW_SRC;
            case ADDRESSES -> Action.PacketFields.SYMMETRIC_L3;
        };
    }

    /** Returns the flow that gives a listener's packets their slots. */
    static Flow flow(SlotFunction function, ServedPool pool, ServedListener listener) {
        return flow(function, pool, listener, 100, Match.of().with(Field.REG3, listener.id()));
    }

    /** Returns the flow that gives a listener's packets their slots of the pool that it falls back to. */
    static Flow fallback(SlotFunction function, ServedPool pool, ServedListener listener) {
        Match match = Match.of().with(Field.REG0, pool.id()).with(Field.REG3, listener.id());
        return flow(function, pool, listener, 110, match);
    }

    private static Flow flow(
            SlotFunction function, ServedPool pool, ServedListener listener, int priority, Match match) {
        var key = new FlowKey(PipelineTable.SLOT_FUNCTION.id(), priority, match);
        long cookie = Cookie.of(Cookie.Kind.LISTENER, pool.id(), listener.id());
        return byGroup(function, listener)
                ? new Flow(key, cookie, List.of(Instruction.ApplyActions.of(new Action.ToGroup(groupOf(pool.id())))))
                : new Flow(
                        key,
                        cookie,
                        List.of(
                                Instruction.ApplyActions.of(new Action.Multipath(
                                        packetFields(listener.hash()),
                                        pool.id(),
                                        pool.table().slots() - 1,
                                        Field.REG1)),
                                new Instruction.GotoTable(PipelineTable.SLOTS.id())));
    }

    /** Returns true if the datapath's hash decides: it has ports for TCP only, and never goes without them. */
    private static boolean byGroup(SlotFunction function, ServedListener listener) {
        boolean tcp = switch (listener.traffic()) {
            case Traffic.Ports ports -> ports.transport() == Traffic.Transport.TCP;
            case Traffic.AllPorts(var transport) -> transport == Traffic.Transport.TCP;
            case Traffic.Everything _ -> false;
        };
        return tcp && function == SlotFunction.DP_HASH && listener.hash() == HashFields.FIVE_TUPLE;
    }

    /** Returns all groups that the switch should hold, by number. */
    public static SortedMap<Integer, Group> groups(SwitchIntent intent) {
        SortedMap<Integer, Group> groups = new TreeMap<>();
        groups.put(FINGERPRINT_GROUP, fingerprintGroup());
        for (ServedPool pool : intent.pools()) {
            boolean used = intent.listeners().stream()
                    .filter(listener -> listener.reaches(pool.id()))
                    .anyMatch(listener -> byGroup(intent.slotFunction(), listener));
            if (used) {
                int id = groupOf(pool.id());
                groups.put(id, group(id, pool.id(), pool.table().slots()));
            }
        }
        return Collections.unmodifiableSortedMap(groups);
    }

    /** Returns the group of the fingerprint: the same in every switch. */
    public static Group fingerprintGroup() {
        return group(FINGERPRINT_GROUP, Corpus.DATAPATH_BASIS, Corpus.SLOTS);
    }

    private static Group group(int id, int basis, int slots) {
        int bits = Integer.numberOfTrailingZeros(slots);
        return new Group(
                id,
                new Group.Selection.DatapathHash(SYM_L4, basis),
                List.of(
                        new Action.Move(Field.DP_HASH, 0, Field.REG1, 0, bits),
                        new Action.Resubmit(PipelineTable.SLOTS.id())));
    }

    /** Returns the flows of the fingerprint: the same in every switch. */
    public static List<Flow> fingerprint() {
        long cookie = Cookie.of(Cookie.Kind.FINGERPRINT, 0, 0);
        Match marked = Match.of().with(Field.REG4, MARK);
        List<Flow> flows = new ArrayList<>();
        flows.add(new Flow(
                new FlowKey(PipelineTable.SLOTS.id(), 200, marked),
                cookie,
                List.of(new Instruction.GotoTable(PipelineTable.FINGERPRINT.id()))));
        flows.add(new Flow(
                new FlowKey(PipelineTable.FINGERPRINT.id(), 100, marked),
                cookie,
                List.of(Instruction.ApplyActions.of(new Action.Controller(PACKET_BYTES)))));
        return Collections.unmodifiableList(flows);
    }
}
