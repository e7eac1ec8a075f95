package io.quorumlb.node.core;

import io.quorumlb.consensus.model.IdMap;
import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Suspicion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The entries of one record, by key. Immutable; versions share what they can, so that one change among ten thousand members
 * costs no copy of all of them, and what is older than a version is skipped by page.
 */
final class Entries {
    static final Entries NONE = new Entries(IdMap.empty(), 0, 0, new TreeSet<>());

    private static final int PAGE_BITS = 6;

    /**
     * Entries of one kind with neighbouring ids.
     *
     * @param entries by id
     * @param newest no version among them is greater
     */
    private record Page(IdMap<Entry> entries, long newest) {
        static final Page NONE = new Page(IdMap.empty(), 0);

        Page with(Entry entry) {
            return new Page(entries.with(entry.key().id(), entry), Math.max(newest, entry.version()));
        }
    }

    /** By kind, and by the upper bits of the id. */
    private final IdMap<IdMap<Page>> kinds;

    private final int gone;
    private final int down;
    private final SortedSet<Integer> suspects;

    private Entries(IdMap<IdMap<Page>> kinds, int gone, int down, SortedSet<Integer> suspects) {
        this.kinds = kinds;
        this.gone = gone;
        this.down = down;
        this.suspects = suspects;
    }

    private IdMap<Page> pages(int kind) {
        return kinds.getOrDefault(kind, IdMap.empty());
    }

    Optional<Entry> get(EntryKey key) {
        return Optional.ofNullable(pages(key.kind()).get(key.id() >>> PAGE_BITS))
                .flatMap(page -> Optional.ofNullable(page.entries().get(key.id())));
    }

    /** Returns how many keys are held that the owner says nothing of any more. */
    int gone() {
        return gone;
    }

    /** Returns how many members the owner sees down. */
    int down() {
        return down;
    }

    /** Returns the members that the owner doubts. */
    SortedSet<Integer> suspects() {
        return Collections.unmodifiableSortedSet(suspects);
    }

    /** Returns these entries with the others put in, each in place of the one with its key. */
    Entries with(Collection<Entry> others) {
        if (others.isEmpty()) {
            return this;
        }
        IdMap<IdMap<Page>> next = kinds;
        int nowGone = gone;
        int nowDown = down;
        SortedSet<Integer> nowSuspects = new TreeSet<>(suspects);
        for (Entry entry : others) {
            EntryKey key = entry.key();
            IdMap<Page> pages = next.getOrDefault(key.kind(), IdMap.empty());
            Page page = pages.getOrDefault(key.id() >>> PAGE_BITS, Page.NONE);
            Entry old = page.entries().get(key.id());
            next = next.with(key.kind(), pages.with(key.id() >>> PAGE_BITS, page.with(entry)));
            nowGone += (entry.gone() ? 1 : 0) - (old != null && old.gone() ? 1 : 0);
            nowDown += (isDown(entry) ? 1 : 0) - (old != null && isDown(old) ? 1 : 0);
            if (key.kind() == EntryKey.MEMBER) {
                nowSuspects.remove(key.id());
                if (isSuspect(entry)) {
                    nowSuspects.add(key.id());
                }
            }
        }
        return new Entries(next, nowGone, nowDown, nowSuspects);
    }

    private static boolean isDown(Entry entry) {
        return entry.content() instanceof Content.OfMember found && found.seen().health() == Health.DOWN;
    }

    private static boolean isSuspect(Entry entry) {
        return entry.content() instanceof Content.OfMember found && found.seen().suspicion() == Suspicion.SUSPECT;
    }

    /** Returns these entries without those that the owner says nothing of. */
    Entries withoutGone() {
        List<Entry> kept = new ArrayList<>(after(0));
        kept.removeIf(Entry::gone);
        return NONE.with(kept);
    }

    /** Returns the entries that changed after the version, by version. */
    List<Entry> after(long version) {
        List<Entry> found = new ArrayList<>();
        for (IdMap<Page> pages : kinds.values()) {
            pages.forEach((_, page) -> {
                if (page.newest() > version) {
                    page.entries().forEach((_, entry) -> {
                        if (entry.version() > version) {
                            found.add(entry);
                        }
                    });
                }
            });
        }
        found.sort(Comparator.comparingLong(Entry::version));
        return Collections.unmodifiableList(found);
    }

    /** Returns the entries of a kind by id, without those that are gone. */
    List<Entry> ofKind(int kind) {
        List<Entry> found = new ArrayList<>();
        pages(kind)
                .forEach((_, page) -> page.entries().forEach((_, entry) -> {
                    if (!entry.gone()) {
                        found.add(entry);
                    }
                }));
        return Collections.unmodifiableList(found);
    }
}
