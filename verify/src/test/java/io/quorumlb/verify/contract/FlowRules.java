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
    private static final long ETH_TYPE_ARP = 0x0806;

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
            case Action.SetField(Field field, long _, long _) -> present(match, field);
            case Action.Move move -> present(match, move.source()) && present(match, move.destination());
            case Action.DecTtl _ -> exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV4);
            case Action.Output _,
                    Action.InPort _,
                    Action.Controller _,
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
            case IN_PORT, ETH_DST, ETH_SRC, ETH_TYPE, REG0, REG1, REG2, REG3, REG9 -> true;
            case DP_HASH -> false;
            case IP_PROTO, IP_FRAG, IP_TTL, IPV4_SRC, IPV4_DST -> exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV4);
            case TCP_SRC, TCP_DST -> ip(match, 6);
            case UDP_SRC, UDP_DST -> ip(match, 17);
            case ICMPV4_TYPE, ICMPV4_CODE -> ip(match, 1);
            case ARP_OP, ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA -> exactly(match, Field.ETH_TYPE, ETH_TYPE_ARP);
        };
    }

    private static boolean ip(Match match, long protocol) {
        return exactly(match, Field.ETH_TYPE, ETH_TYPE_IPV4) && exactly(match, Field.IP_PROTO, protocol);
    }

    private static boolean exactly(Match match, Field field, long value) {
        return match.term(field)
                .filter(term -> term.isExact() && term.value() == value)
                .isPresent();
    }
}
