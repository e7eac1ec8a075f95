package io.quorumlb.node.core;

import io.quorumlb.maglev.IpAddress;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What this node announces.
 *
 * @param wish what it wants
 * @param vips the VIPs to announce
 * @param reason why it wants nothing announced; empty if it wants something
 * @param announced true if the announcer last said so
 * @param problem what the announcer could not do; empty if nothing
 * @param nextAsk when the announcer is asked again
 */
record AnnounceState(
        Wish wish, SortedSet<IpAddress> vips, String reason, boolean announced, String problem, MonotonicTime nextAsk) {
    AnnounceState {
        vips = Collections.unmodifiableSortedSet(new TreeSet<>(vips));
    }

    /** What a node wants of its routes. */
    enum Wish {
        /** Not known yet after the start: what an earlier controller announced stays. */
        UNDECIDED,
        ANNOUNCE,
        WITHDRAW
    }

    static AnnounceState initial(MonotonicTime now) {
        return new AnnounceState(Wish.UNDECIDED, new TreeSet<>(), "starting: nothing proven yet", false, "", now);
    }

    AnnounceState wanting(Wish other, SortedSet<IpAddress> wanted, String why, MonotonicTime askAt) {
        return new AnnounceState(other, wanted, why, announced, problem, askAt);
    }

    AnnounceState asked(MonotonicTime next) {
        return new AnnounceState(wish, vips, reason, announced, problem, next);
    }

    AnnounceState answered(boolean isAnnounced, String whatFailed) {
        return new AnnounceState(wish, vips, reason, isAnnounced, whatFailed, nextAsk);
    }
}
