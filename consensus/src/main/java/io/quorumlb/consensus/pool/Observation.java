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
 * @param suspicion whether the observer doubts a member that it sees up
 * @param age time since the last probe that this rests on: at the observer, on the way and here
 * @param detail for people, the result that made health or suspicion what they are, for example {@code 200 in 2 ms} or
 *     {@code timeout after 500 ms}
 */
public record Observation(
        NodeId observer, int memberId, Health health, Suspicion suspicion, Duration age, String detail) {
    /** How the detail begins of an observation that rests on nothing having been heard of the member. */
    public static final String WEAK = "weak: ";

    /** Returns this observation with another age. */
    public Observation withAge(Duration other) {
        return new Observation(observer, memberId, health, suspicion, other, detail);
    }
}
