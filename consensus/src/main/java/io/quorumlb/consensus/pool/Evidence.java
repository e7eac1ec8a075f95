package io.quorumlb.consensus.pool;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;

/**
 * What one voter had found of a member when a generation that changes the member was planned.
 *
 * @param memberId member
 * @param observer voter
 * @param health what it saw
 * @param since how long it had seen that, as far as the leader had heard; never negative
 * @param detail why, for people, at most {@value #DETAIL_MAX} characters; longer ones are cut
 */
public record Evidence(int memberId, NodeId observer, Health health, Duration since, String detail) {
    /** Most characters of a detail. */
    public static final int DETAIL_MAX = 200;

    /** Most pieces that one generation carries. */
    public static final int COUNT_MAX = 64;

    /** Cuts the detail, and the time to whole milliseconds. */
    public Evidence {
        if (since.isNegative()) {
            throw new IllegalArgumentException("evidence since %s is negative".formatted(since));
        }
        since = Duration.ofMillis(since.toMillis());
        detail = detail.length() > DETAIL_MAX ? detail.substring(0, DETAIL_MAX) : detail;
    }
}
