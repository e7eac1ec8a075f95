package io.quorumlb.maglev;

import java.util.List;
import java.util.Optional;

/**
 * Builds tables of one pool, one after the other, and keeps what the next one needs too: the hash words of the keys and
 * working memory. The tables do not depend on that. Not for use by several threads at once.
 */
public final class TableBuilder {
    private HashedKeys keys = HashedKeys.none();
    private Optional<SlotDeal> dealer = Optional.empty();

    /** Creates a builder that has not built anything. */
    public TableBuilder() {
        // Only the field initializers run.
    }

    /** Builds the table that the definition describes; the fastest if only effective weights differ from the last. */
    public SlotTable build(PoolDefinition definition) {
        HashedKeys hashed = keys.of(definition, definition.members());
        if (hashed != keys) {
            keys = hashed;
            dealer = Optional.empty();
        }
        return new SlotTable(
                definition,
                switch (definition.version()) {
                    case V1 -> Version1.owners(definition, keys);
                    case V2 -> version2(definition);
                });
    }

    private int[] version2(PoolDefinition definition) {
        List<TableMember> members = definition.members();
        if (members.stream().allMatch(member -> member.effectiveWeight() == 0)) {
            return new int[definition.slots()];
        }
        // Members without configured weight are not part of anything.
        List<TableMember> configured =
                members.stream().filter(member -> member.weight() > 0).toList();
        if (configured.size() < members.size()) {
            var walks = new Walks(definition.slots(), keys.of(definition, configured));
            return new Version2(configured, new SlotDeal(walks)).build();
        }
        SlotDeal kept = dealer.filter(last -> last.slots() == definition.slots())
                .orElseGet(() -> new SlotDeal(new Walks(definition.slots(), keys)));
        dealer = Optional.of(kept);
        return new Version2(members, kept).build();
    }
}
