package io.quorumlb.verify.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.testbed.DualStackSite;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an Open vSwitch promises beyond the contract of the switch: the model sends every packet where it does. */
abstract class OvsContract extends DatapathContract {
    @Override
    abstract OvsSwitchBench bench();

    /** Returns a verdict as a trace tells it: flows of the path by table and priority only. */
    private static Verdict told(Verdict verdict) {
        List<FlowKey> path = verdict.path().stream()
                .map(key -> new FlowKey(key.table(), key.priority(), Match.of()))
                .toList();
        return switch (verdict) {
            case Verdict.Sent sent -> new Verdict.Sent(sent.departures(), path);
            case Verdict.Dropped dropped -> new Verdict.Dropped(dropped.table(), dropped.cause(), path);
        };
    }

    private void agree(List<Flow> flows, List<Packet> packets) throws Exception {
        try (var model = new ModelSwitchBench()) {
            for (var bench : List.of(bench(), model)) {
                try (var datapath = bench.open()) {
                    datapath.install(delta(datapath, flows));
                }
            }
            for (Packet packet : packets) {
                assertEquals(bench().trace(packet), told(model.trace(packet)), () -> packet + " through " + flows);
            }
        }
    }

    @Test
    void theModelAgreesOnWhatBecomesOfRequests() throws Exception {
        var packets = new ArrayList<Packet>();
        var random = new Random(7);
        for (Packet packet : requests(300)) {
            packets.add(
                    switch (random.nextInt(12)) {
                        case 0 -> packet.with(Field.IP_TTL, random.nextInt(3));
                        case 1 -> packet.with(Field.TCP_DST, 79 + random.nextInt(3));
                        case 2 ->
                            packet.with(Field.ETH_DST, ContractSite.own(20).value());
                        case 3 -> packet.with(Field.IP_FRAG, 1);
                        case 4 -> packet.with(Field.IN_PORT, 1 + random.nextInt(6));
                        default -> packet;
                    });
        }
        agree(Pipeline.flows(ContractSite.intent()), packets);
    }

    @Test
    void theModelAgreesOnEveryKindOfListenerInBothFamilies() throws Exception {
        var packets = new ArrayList<Packet>();
        var random = new Random(8);
        for (Request request : dualStackRequests(600, 8)) {
            Packet packet = request.packet();
            packets.add(
                    switch (random.nextInt(14)) {
                        case 0 -> packet.with(Field.IP_TTL, random.nextInt(3));
                        case 1 ->
                            packet.get(Field.IP_PROTO) == Packet.IPPROTO_UDP
                                    ? packet.with(Field.UDP_DST, 8998 + random.nextInt(10))
                                    : packet;
                        case 2 ->
                            packet.get(Field.IP_PROTO) == Packet.IPPROTO_TCP
                                    ? packet.with(Field.TCP_DST, 8998 + random.nextInt(105))
                                    : packet;
                        case 3 -> packet.with(Field.IP_FRAG, 1);
                        case 4 -> packet.with(Field.IN_PORT, 1 + random.nextInt(6));
                        case 5 ->
                            packet.with(Field.ETH_DST, DualStackSite.own(20).value());
                        default -> packet;
                    });
        }
        agree(Pipeline.flows(DualStackSite.intent()), packets);
    }

    /** Flows that no pipeline has: masks, overlaps, moves, several tables, hashes with other salts. */
    @Test
    void theModelAgreesOnRandomFlows() throws Exception {
        int sent = 0;
        for (long seed = 1; seed <= 30; seed++) {
            var random = new Random(seed);
            List<Flow> flows = randomFlows(random);
            var packets = new ArrayList<Packet>();
            for (Packet packet : requests(20)) {
                packets.add(packet.with(Field.IN_PORT, 1 + random.nextInt(3))
                        .with(Field.IPV4_DST, 0x0a63_0000L + random.nextInt(4))
                        .with(Field.IP_TTL, random.nextInt(4)));
            }
            agree(flows, packets);
            for (Packet packet : packets) {
                sent += bench().trace(packet) instanceof Verdict.Sent ? 1 : 0;
            }
        }
        assertTrue(sent > 100 && sent < 500, "too one-sided to prove anything: " + sent + " of 600 sent");
    }

    private static List<Flow> randomFlows(Random random) {
        var flows = new ArrayList<Flow>();
        for (int table = 0; table <= 3; table++) {
            for (int priority = 1; priority <= 6; priority++) {
                flows.add(new Flow(
                        new FlowKey(table, priority, randomMatch(random)),
                        SwitchBench.OURS.value() | flows.size(),
                        randomInstructions(random, table)));
            }
        }
        return flows;
    }

    private static Match randomMatch(Random random) {
        Match match = Match.of().with(Field.ETH_TYPE, 0x0800).with(Field.IP_PROTO, 6);
        if (random.nextBoolean()) {
            match = match.with(Field.IN_PORT, 1 + random.nextInt(3));
        }
        if (random.nextBoolean()) {
            match = match.with(Field.IPV4_DST, 0x0a63_0000L + random.nextInt(4), 0xffff_fffeL + random.nextInt(2));
        }
        if (random.nextInt(3) == 0) {
            match = match.with(Field.TCP_SRC, 1 << random.nextInt(4), 1 << random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
            match = match.with(Field.REG1, random.nextInt(4), 3);
        }
        return match;
    }

    private static List<Instruction> randomInstructions(Random random, int table) {
        var actions = new ArrayList<Action>();
        switch (random.nextInt(7)) {
            case 0 -> actions.add(new Action.SetField(Field.IPV4_DST, 0x0a63_0000L + random.nextInt(4)));
            case 1 -> actions.add(new Action.SetField(Field.REG1, random.nextInt(4), 3));
            case 2 ->
                actions.add(new Action.Multipath(
                        List.of(Action.PacketFields.values()).get(random.nextInt(3)),
                        random.nextInt(65536),
                        random.nextInt(300),
                        Field.REG1));
            case 3 -> actions.add(new Action.Move(Field.ETH_SRC, Field.ETH_DST));
            case 4 -> actions.add(new Action.Move(Field.IPV4_SRC, 3, Field.REG1, 0, 5));
            case 5 -> actions.add(new Action.DecTtl());
            default -> actions.add(new Action.Move(Field.TCP_DST, Field.TCP_SRC));
        }
        if (table < 3 && random.nextInt(3) > 0) {
            int target = table + 1 + random.nextInt(3 - table);
            return List.of(new Instruction.ApplyActions(actions), new Instruction.GotoTable(target));
        }
        actions.add(
                switch (random.nextInt(5)) {
                    case 0 -> new Action.InPort();
                    case 1 -> new Action.Output(77);
                    default -> new Action.Output(1 + random.nextInt(4));
                });
        return List.of(new Instruction.ApplyActions(actions));
    }
}
