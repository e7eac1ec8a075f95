package io.quorumlb.ovs.openflow;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowKey;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.util.List;

/** One flow for each kind of match, action and instruction. */
public final class SampleFlows {
    private static final long COOKIE = 0x5155_0100_0001_0000L;
    private static final Match IP = Match.of().with(Field.ETH_TYPE, 0x0800);
    private static final Match TCP = IP.with(Field.IP_PROTO, 6);
    private static final Match IPV6 = Match.of().with(Field.ETH_TYPE, 0x86dd);
    private static final Match ICMPV6 = IPV6.with(Field.IP_PROTO, 58);
    private static final long NETWORK = 0xfd00_0099_0000_0000L;
    private static final Match ARP = Match.of().with(Field.ETH_TYPE, 0x0806);

    private SampleFlows() {}

    /** Chooses a slot. */
    public static Flow selector() {
        return flow(
                10,
                100,
                TCP.with(Field.IPV4_DST, 0x0a63000aL).with(Field.TCP_DST, 80),
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.REG0, 1),
                        new Action.Multipath(Action.PacketFields.SYMMETRIC_L3L4_UDP, 1, 1023, Field.REG1)),
                new Instruction.GotoTable(11));
    }

    /** Reads the datapath's hash. */
    public static Group group() {
        return new Group(
                0x5155_0007,
                new Group.Selection.DatapathHash(1, 7),
                List.of(new Action.Move(Field.DP_HASH, 0, Field.REG1, 0, 10), new Action.Resubmit(11)));
    }

    /** Answers ARP. */
    public static Flow arpResponder() {
        return flow(
                0,
                1000,
                ARP.with(Field.ARP_OP, 1).with(Field.ARP_TPA, 0x0a00_0001L),
                Instruction.ApplyActions.of(
                        new Action.Move(Field.ETH_SRC, Field.ETH_DST),
                        new Action.SetField(Field.ETH_SRC, 0x0200_0000_0001L),
                        new Action.SetField(Field.ARP_OP, 2),
                        new Action.Move(Field.ARP_SHA, Field.ARP_THA),
                        new Action.SetField(Field.ARP_SHA, 0x0200_0000_0001L),
                        new Action.Move(Field.ARP_SPA, Field.ARP_TPA),
                        new Action.SetField(Field.ARP_SPA, 0x0a00_0001L),
                        new Action.InPort()));
    }

    /** Answers an echo. */
    public static Flow echoResponder() {
        return flow(
                30,
                100,
                IP.with(Field.IP_PROTO, 1)
                        .with(Field.IP_FRAG, 0)
                        .with(Field.ICMPV4_TYPE, 8)
                        .with(Field.ICMPV4_CODE, 0),
                Instruction.ApplyActions.of(
                        new Action.Move(Field.IPV4_SRC, Field.XXREG2),
                        new Action.Move(Field.IPV4_DST, Field.IPV4_SRC),
                        new Action.Move(Field.XXREG2, 0, Field.IPV4_DST, 0, 32),
                        new Action.SetField(Field.ICMPV4_TYPE, 0),
                        new Action.SetField(Field.IP_TTL, 64),
                        new Action.InPort()));
    }

    /** Answers an echo over IPv6. */
    public static Flow echoResponder6() {
        return flow(
                30,
                100,
                ICMPV6.with(Field.IP_FRAG, 0).with(Field.ICMPV6_TYPE, 128).with(Field.ICMPV6_CODE, 0),
                Instruction.ApplyActions.of(
                        new Action.Move(Field.IPV6_SRC, Field.XXREG2),
                        new Action.Move(Field.IPV6_DST, Field.IPV6_SRC),
                        new Action.Move(Field.XXREG2, Field.IPV6_DST),
                        new Action.Move(Field.ETH_DST, 0, Field.XXREG2, 0, 48),
                        new Action.SetField(Field.ICMPV6_TYPE, 129),
                        new Action.InPort()));
    }

    /** Turns a neighbour solicitation into an advertisement. */
    public static Flow solicited() {
        return flow(
                0,
                990,
                ICMPV6.with(Field.IP_TTL, 255)
                        .with(Field.ICMPV6_TYPE, 135)
                        .with(Field.ICMPV6_CODE, 0)
                        .with(Match.Term.wide(Field.ND_TARGET, NETWORK, 0x10)),
                Instruction.ApplyActions.of(
                        new Action.Move(Field.IPV6_SRC, Field.IPV6_DST),
                        Action.SetField.wide(Field.IPV6_SRC, NETWORK, 0x10),
                        new Action.SetField(Field.ICMPV6_TYPE, 136),
                        new Action.SetField(Field.ND_OPTIONS_TYPE, 2),
                        new Action.SetField(Field.ND_RESERVED, 0x6000_0000L)),
                new Instruction.GotoTable(33));
    }

    /** Completes the advertisement. */
    public static Flow advertised() {
        return flow(
                33,
                100,
                ICMPV6.with(Field.ICMPV6_TYPE, 136),
                Instruction.ApplyActions.of(new Action.Move(Field.ETH_SRC, Field.ND_TLL), new Action.InPort()));
    }

    /** Rewrites to a member of version 6. */
    public static Flow member6() {
        return flow(
                13,
                100,
                IPV6.with(Field.IP_PROTO, 17).with(Field.REG2, 3).with(Field.REG3, 1),
                Instruction.ApplyActions.of(
                        Action.SetField.wide(Field.IPV6_DST, NETWORK, 0x00ff_0000_0000_0000L),
                        new Action.SetField(Field.UDP_DST, 5353),
                        new Action.DecTtl(),
                        new Action.Output(2)));
    }

    /** Rewrites to a member, takes from the TTL, sends. */
    public static Flow member() {
        return flow(
                13,
                100,
                TCP.with(Field.REG2, 3).with(Field.REG3, 1).with(Field.IN_PORT, 1),
                Instruction.ApplyActions.of(
                        new Action.SetField(Field.IPV4_DST, 0x0a1e_000dL),
                        new Action.SetField(Field.TCP_DST, 8080),
                        new Action.DecTtl(),
                        new Action.SetField(Field.ETH_DST, 0x0200_0000_0002L),
                        new Action.SetField(Field.REG1, 0x7, 0xff),
                        new Action.Move(Field.REG0, 0, Field.XXREG2, 3, 10),
                        new Action.Output(2)));
    }

    /** All, and further ones for masks, fragments, TTL, UDP and an empty match. */
    public static List<Flow> all() {
        return List.of(
                selector(),
                arpResponder(),
                echoResponder(),
                member(),
                echoResponder6(),
                solicited(),
                advertised(),
                member6(),
                flow(
                        0,
                        931,
                        IPV6.with(new Match.Term(Field.IPV6_SRC, NETWORK, 0, -1, 0)),
                        new Instruction.GotoTable(8)),
                flow(0, 932, IPV6.with(Match.Term.wide(Field.IPV6_SRC, 0, 0)), new Instruction.GotoTable(8)),
                flow(8, 90, TCP.with(Field.TCP_DST, 0x1f40, 0xfffc), new Instruction.GotoTable(10)),
                flow(0, 930, IPV6.with(Field.IP_FRAG, 1, 1)),
                flow(0, 930, IP.with(Field.IP_FRAG, 1, 1).with(Field.IPV4_DST, 0x0a63000aL)),
                flow(0, 931, IP.with(Field.IPV4_DST, 0x0a630000L, 0xffff0000L), new Instruction.GotoTable(8)),
                flow(20, 20, IP.with(Field.IP_TTL, 1)),
                flow(
                        15,
                        100,
                        IP.with(Field.IP_PROTO, 17).with(Field.UDP_SRC, 53).with(Field.IN_PORT, 0xffff_fffeL),
                        Instruction.ApplyActions.of(
                                new Action.SetField(Field.IPV4_SRC, 0x0a63000aL),
                                new Action.SetField(Field.UDP_SRC, 5353)),
                        new Instruction.GotoTable(25)),
                flow(
                        15,
                        100,
                        TCP.with(Field.TCP_SRC, 8080).with(Field.ETH_SRC, 0x0200_0000_0009L),
                        new Instruction.GotoTable(25)),
                flow(
                        11,
                        100,
                        Match.of().with(Field.REG0, 1).with(Field.REG1, 992),
                        Instruction.ApplyActions.of(new Action.SetField(Field.REG2, 3)),
                        new Instruction.GotoTable(12)),
                flow(
                        0,
                        800,
                        Match.of().with(Field.IN_PORT, 2),
                        Instruction.ApplyActions.of(new Action.Output(0xffff_fffe))),
                flow(250, 0, Match.of()));
    }

    private static Flow flow(int table, int priority, Match match, Instruction... instructions) {
        return new Flow(new FlowKey(table, priority, match), COOKIE, List.of(instructions));
    }
}
