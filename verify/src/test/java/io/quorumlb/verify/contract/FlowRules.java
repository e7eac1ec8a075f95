package io.quorumlb.verify.contract;

import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.util.Optional;

/** What a switch refuses in a flow. */
final class FlowRules {
    private static final long ETH_TYPE_IPV4 = 0x0800;
    private static final long ETH_TYPE_IPV6 = 0x86dd;
    private static final long ETH_TYPE_ARP = 0x0806;
    private static final int IPPROTO_ICMPV6 = 58;
    private static final int SOLICITATION = 135;
    private static final int ADVERTISEMENT = 136;

    private FlowRules() {}

    /** Returns why the switch refuses a flow, in the words of OpenFlow; empty if it takes it. */
    static Optional<String> refusal(Flow flow) {
        Match match = flow.key().match();
        for (Match.Term term : match.terms()) {
            if (!present(match, term.field())) {
                return Optional.of("BAD_MATCH/OFPBMC_BAD_PREREQ");
            }
        }
        for (Instruction instruction : flow.instructions()) {
            switch (instruction) {
                case Instruction.GotoTable(int target) -> {
                    if (target <= flow.key().table()) {
                        return Optional.of("BAD_INSTRUCTION/OFPBIC_BAD_TABLE_ID");
                    }
                }
                case Instruction.ApplyActions(var actions) -> {
                    for (Action action : actions) {
                        if (!fits(match, action)) {
                            return Optional.of("BAD_ACTION/OFPBAC_MATCH_INCONSISTENT");
                        }
                    }
                }
                case Instruction.Unrecognised unknown ->
                    throw new IllegalArgumentException("the model does not know " + unknown);
            }
        }
        return Optional.empty();
    }

    private static boolean fits(Match match, Action action) {
        return switch (action) {
            case Action.SetField set -> present(match, set.field());
            case Action.Move move -> present(match, move.source()) && present(match, move.destination());
            case Action.DecTtl _ -> present(match, Field.IP_TTL);
            case Action.Output _,
                    Action.InPort _,
                    Action.Controller _,
                    Action.ToMeter _,
                    Action.ToGroup _,
                    Action.Resubmit _,
                    Action.Multipath _ -> true;
            case Action.Unrecognised unknown ->
                throw new IllegalArgumentException("the model does not know " + unknown);
        };
    }

    /** Returns whether every packet that matches has the field. */
    private static boolean present(Match match, Field field) {
        return switch (field) {
            case IN_PORT, ETH_DST, ETH_SRC, ETH_TYPE, REG0, REG1, REG2, REG3, REG4, XXREG2 -> true;
            case DP_HASH -> false;
            case IP_PROTO, IP_FRAG, IP_TTL ->
                exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV4) || exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV6);
            case IPV4_SRC, IPV4_DST -> exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV4);
            case IPV6_SRC, IPV6_DST -> exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV6);
            case TCP_SRC, TCP_DST -> ip(match, 6);
            case UDP_SRC, UDP_DST -> ip(match, 17);
            case ICMPV4_TYPE, ICMPV4_CODE -> exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV4) && ip(match, 1);
            case ICMPV6_TYPE, ICMPV6_CODE -> icmpv6(match);
            case ND_TARGET, ND_RESERVED, ND_OPTIONS_TYPE ->
                neighbour(match, SOLICITATION) || neighbour(match, ADVERTISEMENT);
            case ND_SLL -> neighbour(match, SOLICITATION);
            case ND_TLL -> neighbour(match, ADVERTISEMENT);
            case ARP_OP, ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA -> exactly(match, Field.ETH_TYPE, ETH_TYPE_ARP);
        };
    }

    private static boolean ip(Match match, long protocol) {
        return present(match, Field.IP_PROTO) && exactly(match, Field.IP_PROTO, protocol);
    }

    private static boolean icmpv6(Match match) {
        return exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV6) && ip(match, IPPROTO_ICMPV6);
    }

    /** A code that is not compared counts as zero, as the switch has it. */
    private static boolean neighbour(Match match, long type) {
        return icmpv6(match)
                && exactly(match, Field.ICMPV6_TYPE, type)
                && (match.term(Field.ICMPV6_CODE).isEmpty() || exactly(match, Field.ICMPV6_CODE, 0));
    }

    private static boolean exactly(Match match, Field field, long value) {
        return match.term(field)
                .filter(term -> term.isExact() && term.value() == value)
                .isPresent();
    }
}
