package io.quorumlb.consensus.pool;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;

/**
 * One node's view of one member, as it is known here and now.
 *
 * <p>A node that has not yet seen enough probes of a member (fewer than rise successes and fall failures since its
 * start) has no observation of it: not knowing is not the same as down.
 *
 * @param observer who probed
 * @param memberId what was probed
 * @param health result after rise and fall
 * @param age time since the last probe that this rests on: at the observer, on the way and here
 * @param detail last result for people, for example {@code 200 in 2 ms} or {@code timeout after 500 ms}
 */
public record Observation(NodeId observer, int memberId, Health health, Duration age, String detail) {
    /** Returns this observation with another age. */
    public Observation aged(Duration other) {
        return new Observation(observer, memberId, health, other, detail);
    }
}
