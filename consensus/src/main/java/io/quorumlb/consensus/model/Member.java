package io.quorumlb.consensus.model;

import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.TableMember;
import java.util.Optional;

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
 * @param ceiling most effective weight, 0..{@code weight}: below the weight while the member ramps
 * @param staticMac MAC address to send to, whatever the network says; empty to ask the network
 * @param meta its labels, and what changed it last
 */
public record Member(
        int id,
        int poolId,
        int segmentId,
        String name,
        MemberKey key,
        int weight,
        AdminState admin,
        int ceiling,
        Optional<StaticMac> staticMac,
        ObjectMeta meta)
        implements Configured {
    /** Checks name, weight and ceiling. */
    public Member {
        ObjectName.require("member name", name);
        if (weight < 0 || weight > TableMember.WEIGHT_MAX) {
            throw new IllegalArgumentException(
                    "weight %d of member %s is outside 0..%d".formatted(weight, name, TableMember.WEIGHT_MAX));
        }
        if (ceiling < 0 || ceiling > weight) {
            throw new IllegalArgumentException(
                    "ceiling %d of member %s is outside 0..%d (its weight)".formatted(ceiling, name, weight));
        }
    }

    /** Makes a member without labels. */
    public Member(
            int id,
            int poolId,
            int segmentId,
            String name,
            MemberKey key,
            int weight,
            AdminState admin,
            int ceiling,
            Optional<StaticMac> staticMac) {
        this(id, poolId, segmentId, name, key, weight, admin, ceiling, staticMac, ObjectMeta.NONE);
    }

    /** Makes a member that takes its whole weight and is found by asking the network. */
    public Member(int id, int poolId, int segmentId, String name, MemberKey key, int weight, AdminState admin) {
        this(id, poolId, segmentId, name, key, weight, admin, weight, Optional.empty());
    }

    /** Returns true if it takes traffic when it is healthy. */
    public boolean wanted() {
        return admin == AdminState.ENABLED && weight > 0;
    }

    /** Returns true if it was deleted and only its place in the base is left. */
    public boolean retired() {
        return admin == AdminState.RETIRED;
    }

    /** Returns this member with another administrative state. */
    public Member withAdmin(AdminState wanted) {
        return new Member(id, poolId, segmentId, name, key, weight, wanted, ceiling, staticMac, meta);
    }

    /** Returns this member with another weight, all of which it takes. */
    public Member withWeight(int wanted) {
        return new Member(id, poolId, segmentId, name, key, wanted, admin, wanted, staticMac, meta);
    }

    /** Returns this member with another most effective weight. */
    public Member withCeiling(int wanted) {
        return new Member(id, poolId, segmentId, name, key, weight, admin, wanted, staticMac, meta);
    }

    /** Returns this member under the ids that the state machine gave, with its whole weight. */
    public Member placed(int given, int pool, int segment) {
        return new Member(given, pool, segment, name, key, weight, admin, weight, staticMac, meta);
    }

    /** Returns this member with other labels, or changed last by another revision. */
    public Member withMeta(ObjectMeta wanted) {
        return new Member(id, poolId, segmentId, name, key, weight, admin, ceiling, staticMac, wanted);
    }

    /** Returns this member with another static MAC address, or none. */
    public Member withStaticMac(Optional<StaticMac> wanted) {
        return new Member(id, poolId, segmentId, name, key, weight, admin, ceiling, wanted, meta);
    }
}
