package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.NodeEffect.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Publishes this node's record and relays what it has heard of the others, so that one cut link hides nobody.
 *
 * <p>Changes of the own record go to every peer at once, on the assumption that earlier ones have arrived. Every
 * {@link #PERIOD} all beats heard go to every peer, and one peer at random is told how much of each record is held
 * here. Whoever finds that he lacks something asks for it; nobody waits for an answer.
 */
final class Gossiping {
    static final Duration PERIOD = Duration.ofMillis(500);

    /** What a beat speaks of may be under way from its owner itself. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private static final Duration ASK_AGAIN = Duration.ofMillis(200);

    /** Between two steps lies at most a tick; with more, what comes in may have waited outside for as long. */
    private static final Duration STALL = Duration.ofMillis(200);

    private static final Duration STALL_COUNTS = Duration.ofSeconds(1);

    private Gossiping() {}

    /** Takes the time that has passed since the last step for waiting time of what comes in. */
    static void noticeStall(Turn turn) {
        Duration gap = turn.now.since(turn.before);
        if (gap.compareTo(STALL) > 0) {
            Duration longest = gap.compareTo(waited(turn)) > 0 ? gap : waited(turn);
            turn.gossip = turn.gossip.stalled(longest, turn.now.plus(STALL_COUNTS));
        }
    }

    /** Returns how long a message may have waited before this step, at most. */
    private static Duration waited(Turn turn) {
        Duration gap = turn.now.since(turn.before);
        Duration stall = turn.now.reached(turn.gossip.stallCounts()) ? Duration.ZERO : turn.gossip.stall();
        return gap.compareTo(stall) > 0 ? gap : stall;
    }

    static void received(Turn turn, NodeId from, GossipMessage message) {
        if (!isPeer(turn, from)) {
            return;
        }
        message.beats().forEach(beat -> beat(turn, from, beat));
        message.deltas().forEach(delta -> delta(turn, from, delta));
        message.held().forEach(stamp -> compare(turn, from, stamp));
        message.wanted().forEach(stamp -> turn.answer(from, stamp));
    }

    private static boolean isPeer(Turn turn, NodeId node) {
        return turn.settings.voters().contains(node) && !node.equals(turn.settings.self());
    }

    private static void beat(Turn turn, NodeId from, Beat beat) {
        if (beat.owner().equals(turn.settings.self())) {
            goAbove(turn, beat.stamp(), beat.sequence());
        } else if (isPeer(turn, beat.owner())) {
            HeldRecord old = held(turn, beat.owner());
            HeldRecord next = old.with(new HeardBeat(beat.older(waited(turn)), turn.now), from, PATIENCE);
            keep(turn, beat.owner(), old, next);
        }
    }

    private static void delta(Turn turn, NodeId from, Delta delta) {
        if (delta.owner().equals(turn.settings.self())) {
            goAbove(turn, delta.stamp(), 0);
        } else if (isPeer(turn, delta.owner())) {
            HeldRecord old = held(turn, delta.owner());
            if (old.content().takes(delta)) {
                keep(turn, delta.owner(), old, old.with(delta));
            } else if (old.content().isNews(delta)) {
                turn.lack(delta.owner(), from);
            }
        }
    }

    /** Looks once at what those doubt of whom something new was heard, however many messages it were. */
    static void doubts(Turn turn) {
        for (NodeId owner : turn.heardOf) {
            Doubting.heard(turn, owner, held(turn, owner).suspects(turn.now));
        }
    }

    private static void keep(Turn turn, NodeId owner, HeldRecord before, HeldRecord now) {
        if (!now.equals(before)) {
            turn.gossip = turn.gossip.with(now, owner);
            turn.heardOf.add(owner);
        }
    }

    private static HeldRecord held(Turn turn, NodeId owner) {
        HeldRecord held = turn.gossip.held().get(owner);
        return held == null ? HeldRecord.nothing(owner, turn.now) : held;
    }

    private static void compare(Turn turn, NodeId from, Stamp theirs) {
        Stamp mine = turn.gossip.stamp(turn.settings.self(), theirs.owner());
        if (theirs.owner().equals(turn.settings.self())) {
            goAbove(turn, theirs, 0);
        } else if (isPeer(turn, theirs.owner()) && mine.before(theirs)) {
            turn.lack(theirs.owner(), from);
        }
        if (theirs.before(mine)) {
            turn.answer(from, theirs);
        }
    }

    /** Records of an earlier life of this node would hide its new ones. */
    private static void goAbove(Turn turn, Stamp heard, long sequence) {
        Stamp own = turn.gossip.own().content().stamp(turn.settings.self());
        boolean hides = own.before(heard)
                || (heard.incarnation() == own.incarnation()
                        && sequence > turn.gossip.own().sequence());
        if (hides) {
            turn.say(
                    Severity.WARNING,
                    "incarnation-raised",
                    "heard of a later life of this node: incarnation %d becomes %d",
                    own.incarnation(),
                    heard.incarnation() + 1);
            turn.gossip = turn.gossip.livingOn(heard.incarnation() + 1);
            turn.news = true;
        }
    }

    static void due(Turn turn) {
        boolean beats = turn.now.reached(turn.gossip.nextBeat());
        SortedMap<NodeId, Letter> letters = new TreeMap<>();
        turn.settings.voters().stream()
                .filter(peer -> isPeer(turn, peer))
                .forEach(peer -> letters.put(peer, new Letter(turn, peer)));
        if (turn.news || beats) {
            publish(turn, letters, beats);
        }
        answer(turn, letters);
        ask(turn, letters);
        letters.forEach((peer, letter) -> letter.send());
    }

    private static void publish(Turn turn, SortedMap<NodeId, Letter> letters, boolean beats) {
        Published own = Publishing.next(turn.state(), turn.now, beats);
        turn.gossip = turn.gossip.published(own, beats ? turn.now.plus(PERIOD) : turn.gossip.nextBeat());
        letters.forEach((peer, letter) -> {
            letter.beat(turn.settings.self());
            letter.since(turn.gossip.sent().getOrDefault(peer, Stamp.nothing(turn.settings.self())));
            if (beats) {
                turn.gossip.held().keySet().forEach(letter::beat);
            }
        });
        if (beats && !letters.isEmpty()) {
            List<NodeId> peers = new ArrayList<>(letters.keySet());
            int chosen = Chance.pick(turn.settings.self().value(), turn.gossip.exchanges(), peers.size());
            turn.gossip = turn.gossip.exchanged();
            Letter letter = letters.get(peers.get(chosen));
            if (letter != null) {
                turn.settings.voters().forEach(letter::held);
            }
        }
    }

    private static void answer(Turn turn, SortedMap<NodeId, Letter> letters) {
        turn.answers.forEach((peer, stamps) -> {
            Letter letter = letters.get(peer);
            if (letter != null) {
                stamps.values().forEach(stamp -> {
                    letter.beat(stamp.owner());
                    letter.since(stamp);
                });
            }
        });
    }

    /** Asks for what is missing, one peer at a time. */
    private static void ask(Turn turn, SortedMap<NodeId, Letter> letters) {
        var owners = new TreeSet<>(turn.lacks.keySet());
        turn.gossip.held().forEach((owner, held) -> {
            if (held.lacks() && turn.now.reached(held.ask())) {
                owners.add(owner);
            }
        });
        for (NodeId owner : owners) {
            HeldRecord held = held(turn, owner);
            boolean justAsked = held.asked() > 0 && !turn.now.reached(held.ask());
            if (!justAsked) {
                NodeId whom = Optional.ofNullable(turn.lacks.get(owner)).orElseGet(() -> whom(turn, owner, held));
                Letter letter = letters.get(whom);
                if (letter != null) {
                    letter.want(held.content().stamp(owner));
                    turn.gossip = turn.gossip.with(held.asking(turn.now.plus(ASK_AGAIN), held.asked() + 1), owner);
                }
            }
        }
    }

    /** The one who brought the news first, then the owner, then the others in turn. */
    private static NodeId whom(Turn turn, NodeId owner, HeldRecord held) {
        List<NodeId> candidates = new ArrayList<>(List.of(held.via()));
        candidates.add(owner);
        turn.settings.voters().stream()
                .filter(peer -> isPeer(turn, peer) && !candidates.contains(peer))
                .forEach(candidates::add);
        return candidates.get(held.asked() % candidates.size());
    }
}
