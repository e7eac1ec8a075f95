package io.quorumlb.ovs.install;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashFields;
import io.quorumlb.maglev.IpFamily;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.MacAddress;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.hash.Corpus;
import io.quorumlb.ovs.hash.Fingerprint;
import io.quorumlb.ovs.hash.Tuple;
import io.quorumlb.ovs.openflow.OpenFlowClient;
import io.quorumlb.ovs.openflow.OpenFlowConnection;
import io.quorumlb.ovs.openflow.OpenFlowException;
import io.quorumlb.ovs.openflow.OutgoingFrame;
import io.quorumlb.ovs.openflow.SwitchWatcher;
import io.quorumlb.ovs.packet.TransportFrame;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.unixctl.UnixControl;
import io.quorumlb.ovs.unixctl.UnixControlException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks a switch which slots it gives to packets: the flow table's hash by tracing, which changes nothing; the datapath's
 * hash by real packets, because a trace of that would only repeat our own reckoning. Has connections of its own, so that
 * installing never waits for it.
 */
final class SlotProbe {
    private static final Pattern WRITTEN = Pattern.compile("NXM_NX_REG([123])\\[\\] is now (0x[0-9a-f]+|0)");
    /** The switch need not wait for us between two calls, and no more than these stand before those of others. */
    private static final int TRACES_UNDER_WAY = 20;

    private static final List<HashFields> FIELDS = List.of(HashFields.values());
    private static final List<Field> REGISTERS = List.of(Field.REG1, Field.REG2, Field.REG3);

    private final OvsBridge bridge;
    private final MacAddress source;
    private final MacAddress destination;

    /** Asks with frames of these addresses. */
    SlotProbe(OvsBridge bridge, MacAddress source, MacAddress destination) {
        this.bridge = bridge;
        this.source = source;
        this.destination = destination;
    }

    /**
     * Returns the fingerprint. The switch must hold the group and the flows of the fingerprint.
     *
     * @param count tuples of the corpus to ask about
     * @throws DatapathException if not even the flow table's hash could be asked
     */
    Fingerprint fingerprint(int count) throws DatapathException {
        List<Tuple> corpus = Corpus.tuples(count);
        Digest table = Fingerprint.digest(traced(corpus));
        try {
            List<Tuple> tcp = corpus.stream()
                    .filter(tuple -> tuple.protocol() == Tuple.TCP)
                    .toList();
            return new Fingerprint(table, Fingerprint.digest(sent(tcp, SlotFunctions.FINGERPRINT_GROUP)));
        } catch (OpenFlowException failed) {
            return new Fingerprint(table, Optional.empty(), "no slot by the datapath's hash: " + failed.getMessage());
        }
    }

    /** Returns the slots by the table's hashes: of each tuple one for each choice of fields. The salt changes with the tuple. */
    List<Integer> traced(List<Tuple> tuples) throws DatapathException {
        List<Integer> slots = new ArrayList<>(tuples.size() * FIELDS.size());
        try (var control = UnixControl.open(bridge.controlSocket(), bridge.limit())) {
            Deque<UnixControl.PendingCall> underWay = new ArrayDeque<>(TRACES_UNDER_WAY);
            for (int index = 0; index < tuples.size(); index++) {
                if (underWay.size() == TRACES_UNDER_WAY) {
                    slots.addAll(written(underWay.removeFirst().result()));
                }
                underWay.addLast(control.begin(
                        "ofproto/trace-packet-out",
                        bridge.name(),
                        flow(tuples.get(index)),
                        actions(Corpus.tableBasis(index))));
            }
            for (UnixControl.PendingCall trace : underWay) {
                slots.addAll(written(trace.result()));
            }
        } catch (UnixControlException failed) {
            throw new DatapathException(
                    DatapathException.Outcome.UNREACHABLE,
                    "cannot trace on bridge " + bridge.name() + ": " + failed.getMessage(),
                    failed);
        }
        return slots;
    }

    private static String actions(int basis) {
        List<String> actions = new ArrayList<>();
        for (int choice = 0; choice < FIELDS.size(); choice++) {
            actions.add(new Action.Multipath(
                            SlotFunctions.packetFields(FIELDS.get(choice)),
                            basis,
                            Corpus.SLOTS - 1,
                            REGISTERS.get(choice))
                    .toString());
        }
        return String.join(",", actions);
    }

    private static List<Integer> written(String trace) throws DatapathException {
        List<Integer> slots = new ArrayList<>(FIELDS.size());
        Matcher matcher = WRITTEN.matcher(trace);
        while (matcher.find()) {
            slots.add(Integer.decode(matcher.group(2)));
        }
        if (slots.size() != FIELDS.size()) {
            throw new DatapathException(
                    DatapathException.Outcome.UNKNOWN,
                    "a trace must tell %d slots, tells %d: %s".formatted(FIELDS.size(), slots.size(), trace.strip()));
        }
        return slots;
    }

    /** Returns a packet in the words of {@code ovs-ofctl}. */
    String flow(Tuple tuple) {
        String protocol = tuple.protocol() == Tuple.TCP ? "tcp" : "udp";
        boolean four = tuple.source().family() == IpFamily.IPV4;
        return "in_port=CONTROLLER,dl_src=%s,dl_dst=%s,%s%s,%s=%s,%s=%s,nw_ttl=64,%s_src=%d,%s_dst=%d"
                .formatted(
                        source,
                        destination,
                        protocol,
                        four ? "" : "6",
                        four ? "nw_src" : "ipv6_src",
                        tuple.source(),
                        four ? "nw_dst" : "ipv6_dst",
                        tuple.destination(),
                        protocol,
                        tuple.sourcePort(),
                        protocol,
                        tuple.destinationPort());
    }

    /**
     * Returns the slots that real packets get in a group.
     *
     * @param tuples TCP
     * @param group group of the fingerprint or of a pool
     */
    List<Integer> sent(List<Tuple> tuples, int group) throws OpenFlowException {
        List<Action> actions = List.of(new Action.SetField(Field.REG4, SlotFunctions.MARK), new Action.ToGroup(group));
        List<OutgoingFrame> frames = tuples.stream()
                .map(tuple -> new OutgoingFrame(
                        new TransportFrame(
                                        destination,
                                        source,
                                        tuple.source(),
                                        tuple.destination(),
                                        tuple.protocol(),
                                        tuple.sourcePort(),
                                        tuple.destinationPort())
                                .bytes(),
                        actions))
                .toList();
        try (var client = new OpenFlowClient(bridge.limit(), bridge.silenceMax(), SwitchWatcher.none());
                OpenFlowConnection connection = client.connect(bridge.managementSocket())) {
            return connection.send(frames, PipelineTable.FINGERPRINT.id()).stream()
                    .map(SlotProbe::slot)
                    .toList();
        }
    }

    /** A register that is zero is left out. */
    private static int slot(Match fields) {
        return fields.term(Field.REG1).map(term -> (int) term.value()).orElse(0);
    }
}
