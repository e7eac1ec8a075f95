package io.quorumlb.node.core;

import io.quorumlb.consensus.model.NodeId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A node's record, its own or as far as it is held of another.
 *
 * @param incarnation life of the owner, 0 if nothing is held
 * @param version grows by one with each entry that changes
 * @param whole version at which the entries are what the owner said; greater than the version between two parts
 * @param entries what it says
 */
record Document(long incarnation, long version, long whole, Entries entries) {
    static final Document NOTHING = new Document(0, 0, 0, Entries.NONE);

    Stamp stamp(NodeId owner) {
        return new Stamp(owner, incarnation, version);
    }

    /** Returns what brings somebody from the stamp to this; empty if he holds as much or more. */
    Optional<Delta> since(Stamp from) {
        if (!from.before(stamp(from.owner()))) {
            return Optional.empty();
        }
        long base = from.incarnation() == incarnation ? from.version() : 0;
        return Optional.of(
                new Delta(from.owner(), incarnation, base, version, Math.max(whole, version), entries.after(base)));
    }

    /** Returns true if the delta leads on from here; one of an earlier life or of what is known leads nowhere. */
    boolean takes(Delta delta) {
        return isNews(delta) && (delta.base() == 0 || (delta.incarnation() == incarnation && delta.base() <= version));
    }

    /** Returns true unless this is between two parts of a delta. */
    boolean isWhole() {
        return version >= whole;
    }

    boolean isNews(Delta delta) {
        return delta.incarnation() > incarnation || (delta.incarnation() == incarnation && delta.version() > version);
    }

    /** Returns this with a delta that it {@link #takes}. */
    Document with(Delta delta) {
        boolean later = delta.incarnation() > incarnation;
        Entries before = later ? Entries.NONE : entries;
        long known = later ? 0 : version;
        List<Entry> changed = delta.entries().stream()
                .filter(entry -> entry.version() > known)
                .toList();
        return new Document(
                delta.incarnation(),
                delta.version(),
                later ? delta.whole() : Math.max(whole, delta.whole()),
                before.with(changed));
    }

    /** Returns the report that the entries make up, without ages; empty until the node's own is held. */
    Optional<NodeReport> report() {
        return entries.get(EntryKey.node())
                .map(Entry::content)
                .filter(Content.OfNode.class::isInstance)
                .map(Content.OfNode.class::cast)
                .map(node -> node.report().with(pools()));
    }

    private List<PoolReport> pools() {
        return entries.ofKind(EntryKey.POOL).stream()
                .map(Entry::content)
                .filter(Content.OfPool.class::isInstance)
                .map(pool -> ((Content.OfPool) pool).report())
                .toList();
    }

    /** Returns what the owner has found of a member. */
    Optional<Content.OfMember> member(int memberId) {
        return entries.get(EntryKey.member(memberId))
                .map(Entry::content)
                .filter(Content.OfMember.class::isInstance)
                .map(Content.OfMember.class::cast);
    }

    /** Returns what the owner has found of all members, by id. */
    SortedMap<Integer, Content.OfMember> members() {
        SortedMap<Integer, Content.OfMember> found = new TreeMap<>();
        for (Entry entry : entries.ofKind(EntryKey.MEMBER)) {
            if (entry.content() instanceof Content.OfMember member) {
                found.put(entry.key().id(), member);
            }
        }
        return Collections.unmodifiableSortedMap(found);
    }
}
