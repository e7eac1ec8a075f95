package io.quorumlb.consensus.machine;

import io.quorumlb.consensus.model.Labels;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Segment;
import java.util.Optional;

/** What happens to labels. Nothing else depends on them: a change of labels needs no check and moves no slot. */
final class Labelling {
    private Labelling() {}

    static Outcome set(Draft draft, Command.SetLabels set) {
        return switch (set.kind()) {
            case SEGMENT -> segment(draft, set.name(), set.labels());
            case POOL -> pool(draft, set.name(), set.labels());
            case MEMBER -> member(draft, set.name(), set.labels());
            case LISTENER -> listener(draft, set.name(), set.labels());
            case LOAD_BALANCER ->
                LoadBalancers.changed(
                        draft, set.name(), owner -> owner.withMeta(owner.meta().labelled(set.labels())));
        };
    }

    private static Outcome segment(Draft draft, String name, Labels labels) {
        Optional<Segment> segment = draft.segment(name);
        segment.ifPresent(it -> draft.put(it.withMeta(it.meta().labelled(labels))));
        return segment.map(it -> Edits.made(it.id()))
                .orElseGet(() -> Refusal.notFound("segment.name", "segment '%s'".formatted(name)));
    }

    private static Outcome pool(Draft draft, String name, Labels labels) {
        Optional<Pool> pool = draft.pool(name);
        pool.ifPresent(it -> draft.put(it.withMeta(it.meta().labelled(labels))));
        return pool.map(it -> Edits.made(it.id()))
                .orElseGet(() -> Refusal.notFound("pool.name", "pool '%s'".formatted(name)));
    }

    private static Outcome member(Draft draft, String path, Labels labels) {
        String pool = path.substring(0, Math.max(0, path.indexOf('/')));
        String name = path.substring(path.indexOf('/') + 1);
        Optional<Member> member = draft.pool(pool).flatMap(it -> draft.member(it.id(), name));
        member.ifPresent(it -> draft.putLabelled(it.withMeta(it.meta().labelled(labels))));
        return member.map(it -> Edits.made(it.id()))
                .orElseGet(() -> Refusal.notFound("member.name", "member '%s'".formatted(path)));
    }

    private static Outcome listener(Draft draft, String name, Labels labels) {
        Optional<Listener> listener = draft.listener(name);
        listener.ifPresent(it -> draft.putLabelled(it.withMeta(it.meta().labelled(labels))));
        return listener.map(it -> Edits.made(it.id()))
                .orElseGet(() -> Refusal.notFound("listener.name", "listener '%s'".formatted(name)));
    }
}
