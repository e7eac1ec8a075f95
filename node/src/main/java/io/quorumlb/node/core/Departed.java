package io.quorumlb.node.core;

import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.ReplyKey;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedMember;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Members that were deleted and that a pool's generation still has. The replicated state sees to it that the replies of
 * its members can be told apart; those of a departed one may collide with what was configured since, until the next
 * generation is installed. Then what is configured goes first.
 */
final class Departed {
    private Departed() {}

    /** Returns the pools without the departed members whose replies could not be told from others'. */
    static List<ServedPool> without(Model model, Collection<ServedPool> pools) {
        boolean none =
                pools.stream().flatMap(pool -> pool.members().stream()).allMatch(member -> present(model, member));
        return none ? List.copyOf(pools) : filtered(model, pools);
    }

    private static boolean present(Model model, ServedMember member) {
        Member configured = model.members().get(member.id());
        return configured != null && !configured.retired();
    }

    private static List<ServedPool> filtered(Model model, Collection<ServedPool> pools) {
        List<ReplyKey> taken = new ArrayList<>();
        for (Member member : model.members().values()) {
            if (!member.retired()) {
                taken.addAll(keys(model, member.poolId(), member));
            }
        }
        List<ServedPool> kept = new ArrayList<>();
        for (ServedPool pool : pools) {
            List<ServedMember> members = pool.members().stream()
                    .filter(member -> present(model, member) || fits(model, pool, member, taken))
                    .toList();
            kept.add(pool.with(members));
        }
        return List.copyOf(kept);
    }

    /** Returns true if the departed member's replies are nobody else's, and takes their keys. */
    private static boolean fits(Model model, ServedPool pool, ServedMember member, List<ReplyKey> taken) {
        boolean stranger = model.listenersReaching(pool.id()).stream()
                .anyMatch(
                        listener -> listener.vip().family() != member.address().family());
        var departed = new Member(
                member.id(),
                pool.id(),
                0,
                "departed",
                new MemberKey(member.address(), member.port()),
                0,
                AdminState.RETIRED);
        List<ReplyKey> own = keys(model, pool.id(), departed);
        if (stranger || own.stream().anyMatch(key -> taken.stream().anyMatch(key::overlaps))) {
            return false;
        }
        taken.addAll(own);
        return true;
    }

    private static List<ReplyKey> keys(Model model, int poolId, Member member) {
        List<ReplyKey> keys = new ArrayList<>();
        for (Listener listener : model.listenersReaching(poolId)) {
            keys.add(new ReplyKey(listener, member));
        }
        return keys;
    }
}
