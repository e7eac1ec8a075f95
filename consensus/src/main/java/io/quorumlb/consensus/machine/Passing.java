package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.machine.MemberTimers.Ramp;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Model;
import io.quorumlb.consensus.model.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The log's time goes on, and what was to become of members by then becomes of them: as one change of the configuration.
 */
final class Passing {
    /** What is due beyond that is done when time passes again. */
    private static final int DUE_MAX = 1000;

    private Passing() {}

    static Applied pass(ClusterState state, long millis) {
        ClusterState now = state.with(state.requests().at(millis));
        long clock = now.requests().clockMillis();
        List<Command.Edit> raises = new ArrayList<>();
        List<Command.Edit> deletions = new ArrayList<>();
        SortedMap<Integer, MemberTimers> left = new TreeMap<>(now.timers().members());
        List<Integer> due = now.timers().members().entrySet().stream()
                .filter(entry -> entry.getValue().nextMillis().orElse(Long.MAX_VALUE) <= clock)
                .map(Map.Entry::getKey)
                .limit(DUE_MAX)
                .toList();
        for (int id : due) {
            MemberTimers timers = now.timers().of(id);
            left.put(id, after(timers, clock));
            Optional.ofNullable(now.model().members().get(id))
                    .ifPresent(member -> become(now.model(), member, timers, clock, raises, deletions));
        }
        if (due.isEmpty()) {
            return new Applied(now, new Outcome.Done(0, now.revision()));
        }
        ClusterState edited = edited(now, raises, deletions);
        left.keySet().removeIf(id -> gone(edited.model(), id));
        ClusterState next =
                edited.revision() == now.revision() ? edited.timed(new Timers(left)) : edited.with(new Timers(left));
        return new Applied(next, new Outcome.Done(0, next.revision()));
    }

    private static void become(
            Model model,
            Member member,
            MemberTimers timers,
            long clock,
            List<Command.Edit> raises,
            List<Command.Edit> deletions) {
        String pool = Optional.ofNullable(model.pools().get(member.poolId()))
                .map(Pool::name)
                .orElse("");
        if (timers.drain().filter(end -> end.untilMillis() <= clock).isPresent()) {
            deletions.add(new Command.DeleteMember(pool, member.name()));
        } else {
            timers.ramp().flatMap(ramp -> raise(ramp, member, pool, clock)).ifPresent(raises::add);
        }
    }

    private static boolean gone(Model model, int id) {
        Member member = model.members().get(id);
        return member == null || member.retired();
    }

    private static MemberTimers after(MemberTimers timers, long clock) {
        return new MemberTimers(
                timers.hold().filter(hold -> hold.untilMillis() > clock),
                timers.drain().filter(end -> end.untilMillis() > clock),
                timers.ramp().flatMap(ramp -> ramp.at(clock)));
    }

    private static Optional<Command.Edit> raise(Ramp ramp, Member member, String pool, long clock) {
        int ceiling =
                ramp.at(clock).map(after -> after.ceiling(member.weight())).orElse(member.weight());
        return ceiling == member.ceiling()
                ? Optional.empty()
                : Optional.of(new Command.SetMemberCeiling(pool, member.name(), ceiling));
    }

    /** A member that cannot be deleted now stays drained: its deadline has passed all the same. */
    private static ClusterState edited(ClusterState state, List<Command.Edit> raises, List<Command.Edit> deletions) {
        List<Command.Edit> all = new ArrayList<>(raises);
        all.addAll(deletions);
        Applied together = Edits.apply(state, new Command.Batch(all));
        if (together.outcome() instanceof Outcome.Done) {
            return together.state();
        }
        List<Command.Edit> possible = new ArrayList<>(raises);
        ClusterState next = Edits.apply(state, new Command.Batch(possible)).state();
        for (Command.Edit deletion : deletions) {
            possible.add(deletion);
            Applied one = Edits.apply(state, new Command.Batch(possible));
            if (one.outcome() instanceof Outcome.Done) {
                next = one.state();
            } else {
                possible.removeLast();
            }
        }
        return next;
    }
}
