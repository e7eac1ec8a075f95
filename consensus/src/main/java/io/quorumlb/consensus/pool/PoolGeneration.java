package io.quorumlb.consensus.pool;

import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A numbered, committed definition of one pool's table.
 *
 * @param poolId pool
 * @param number 1 for the first, then without gaps
 * @param revision revision of the configuration it was planned from
 * @param algorithm recipe
 * @param slots number of slots M
 * @param members all configured members, by id
 * @param expected digest of the table that every node must build from this
 * @param reason why it was made, for people
 * @param cause the same for programs
 * @param evidence what the voters had found of the members that health changed, by member and observer
 * @param settings how the pool's members were configured then
 */
public record PoolGeneration(
        int poolId,
        long number,
        long revision,
        HashAlgoVersion algorithm,
        int slots,
        List<TableMember> members,
        Digest expected,
        String reason,
        GenerationCause cause,
        List<Evidence> evidence,
        PoolSettings settings) {
    /** Sorts the members. */
    public PoolGeneration {
        evidence = List.copyOf(evidence);
        members = members.stream()
                .sorted(Comparator.comparingInt(TableMember::id))
                .toList();
    }

    /** Makes a generation that says no cause. */
    public PoolGeneration(
            int poolId,
            long number,
            long revision,
            HashAlgoVersion algorithm,
            int slots,
            List<TableMember> members,
            Digest expected,
            String reason) {
        this(
                poolId,
                number,
                revision,
                algorithm,
                slots,
                members,
                expected,
                reason,
                GenerationCause.UNKNOWN,
                List.of(),
                PoolSettings.NONE);
    }

    /** Returns this generation with what is known of the configuration. */
    public PoolGeneration withSettings(PoolSettings known) {
        return new PoolGeneration(
                poolId, number, revision, algorithm, slots, members, expected, reason, cause, evidence, known);
    }

    /** Returns what its table is a function of. */
    public PoolDefinition definition() {
        return new PoolDefinition(algorithm, poolId, slots, members);
    }

    /** Builds the table that this generation defines. */
    public SlotTable build() {
        return SlotTable.build(definition());
    }

    /** Returns the member with the id. */
    public Optional<TableMember> member(int id) {
        return members.stream().filter(member -> member.id() == id).findFirst();
    }

    /** Returns the members that take traffic, by id. */
    public List<TableMember> eligible() {
        return members.stream().filter(member -> member.effectiveWeight() > 0).toList();
    }
}
