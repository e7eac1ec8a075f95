package io.quorumlb.consensus.model;

import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.TableMember;

/**
 * An address and port that serves.
 *
 * @param id 1..16777215, given by the state machine, never used twice
 * @param poolId its pool
 * @param segmentId the segment its address lies in
 * @param name unique in its pool
 * @param key address and port, unique in the cluster
 * @param weight share of the slots among the members of the pool, 0..1000
 * @param admin what an operator wants of it
 */
public record Member(int id, int poolId, int segmentId, String name, MemberKey key, int weight, AdminState admin) {
    /** Checks name and weight. */
    public Member {
        ObjectName.require("member name", name);
        if (weight < 0 || weight > TableMember.WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "weight %d of member %s is outside 0..%d".formatted(weight, name, TableMember.WEIGHT_MAX));
        }
    }

    /** Returns true if it takes traffic when it is healthy. */
    public boolean wanted() {
        return admin == AdminState.ENABLED && weight > 0;
    }

    /** Returns this member under the id the state machine gave. */
    public Member withId(int given) {
        return new Member(given, poolId, segmentId, name, key, weight, admin);
    }

    /** Returns this member with another administrative state. */
    public Member withAdmin(AdminState wanted) {
        return new Member(id, poolId, segmentId, name, key, weight, wanted);
    }

    /** Returns this member with another weight. */
    public Member withWeight(int wanted) {
        return new Member(id, poolId, segmentId, name, key, wanted, admin);
    }
}
