package io.quorumlb.node.announce;

import io.quorumlb.maglev.IpAddress;
import java.util.SortedSet;

/**
 * The port to the daemon that announces VIPs to the routers.
 *
 * <p>All calls block for a bounded time, may be repeated at will and never fail exceptionally; they are made one at a
 * time, in the order in which they were decided.
 */
public interface Announcer {
    /**
     * Has exactly these VIPs announced and confirms it to the supervisor, which withdraws them when the confirmation
     * is no longer renewed.
     *
     * @param vips addresses, each announced as a host route; none is the same as {@link #withdraw()}
     */
    AnnounceResult announce(SortedSet<IpAddress> vips);

    /** Confirms what is announced now, whatever it is, to the supervisor; announces and withdraws nothing. */
    AnnounceResult keep();

    /**
     * As {@link #keep()}, but what the supervisor has withdrawn because no controller confirmed it in time is announced
     * again first.
     */
    AnnounceResult restore();

    /** Has nothing announced. */
    AnnounceResult withdraw();
}
