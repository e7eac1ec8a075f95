package io.quorumlb.consensus.pool;

import io.quorumlb.consensus.model.AdminState;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the members of a pool were configured when a generation of it was committed.
 *
 * @param members by id, retired ones too; none if a version committed it that did not keep this, or without members
 */
public record PoolSettings(SortedMap<Integer, OfMember> members) {
    /** Nothing is known. */
    public static final PoolSettings NONE = new PoolSettings(new TreeMap<>());

    /**
     * One member.
     *
     * @param weight its weight
     * @param admin what an operator wanted of it
     * @param ceiling its most effective weight
     */
    public record OfMember(int weight, AdminState admin, int ceiling) {}

    /** Copies the map. */
    public PoolSettings {
        members = Collections.unmodifiableSortedMap(new TreeMap<>(members));
    }
}
