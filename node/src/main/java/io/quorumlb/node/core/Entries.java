package io.quorumlb.node.core;

import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Suspicion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The entries of one record, by key. Immutable; a change copies the pages it touches, so that one change among ten
 * thousand members costs no copy of all of them, and what is older than a version is skipped by page.
 */
final class Entries {
    static final Entries NONE = new Entries(new TreeMap<>(), 0, 0, new TreeSet<>());

    private static final int PAGE_BITS = 6;

    /**
     * Entries with neighbouring keys.
     *
     * @param entries by key; never changed once the page is in use
     * @param newest greatest version among them
     */
    private record Page(SortedMap<EntryKey, Entry> entries, long newest) {
        static Page of(SortedMap<EntryKey, Entry> entries) {
            long newest = 0;
            for (Entry entry : entries.values()) {
                newest = Math.max(newest, entry.version());
            }
            return new Page(entries, newest);
        }
    }

    private final SortedMap<EntryKey, Page> pages;
    private final int gone;
    private final int down;
    private final SortedSet<Integer> suspects;

    private Entries(SortedMap<EntryKey, Page> pages, int gone, int down, SortedSet<Integer> suspects) {
        this.pages = pages;
        this.gone = gone;
        this.down = down;
        this.suspects = suspects;
    }

    private static EntryKey page(EntryKey key) {
        return new EntryKey(key.kind(), key.id() >>> PAGE_BITS);
    }

    Optional<Entry> get(EntryKey key) {
        return Optional.ofNullable(pages.get(page(key)))
                .flatMap(page -> Optional.ofNullable(page.entries().get(key)));
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
        SortedMap<EntryKey, SortedMap<EntryKey, Entry>> touched = new TreeMap<>();
        int nowGone = gone;
        int nowDown = down;
        SortedSet<Integer> nowSuspects = new TreeSet<>(suspects);
        for (Entry entry : others) {
            EntryKey page = page(entry.key());
            SortedMap<EntryKey, Entry> copy = touched.computeIfAbsent(page, this::copyOf);
            Entry old = copy.put(entry.key(), entry);
            nowGone += (entry.gone() ? 1 : 0) - (old != null && old.gone() ? 1 : 0);
            nowDown += (isDown(entry) ? 1 : 0) - (old != null && isDown(old) ? 1 : 0);
            if (entry.key().kind() == EntryKey.MEMBER) {
                nowSuspects.remove(entry.key().id());
                if (isSuspect(entry)) {
                    nowSuspects.add(entry.key().id());
                }
            }
        }
        SortedMap<EntryKey, Page> next = new TreeMap<>(pages);
        touched.forEach((page, entries) -> next.put(page, Page.of(entries)));
        return new Entries(next, nowGone, nowDown, nowSuspects);
    }

    private static boolean isDown(Entry entry) {
        return entry.content() instanceof Content.OfMember found && found.seen().health() == Health.DOWN;
    }

    private static boolean isSuspect(Entry entry) {
        return entry.content() instanceof Content.OfMember found && found.seen().suspicion() == Suspicion.SUSPECT;
    }

    private SortedMap<EntryKey, Entry> copyOf(EntryKey page) {
        Page old = pages.get(page);
        return old == null ? new TreeMap<>() : new TreeMap<>(old.entries());
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
        for (Page page : pages.values()) {
            if (page.newest() > version) {
                for (Entry entry : page.entries().values()) {
                    if (entry.version() > version) {
                        found.add(entry);
                    }
                }
            }
        }
        found.sort(Comparator.comparingLong(Entry::version));
        return Collections.unmodifiableList(found);
    }

    /** Returns the entries of a kind by id, without those that are gone. */
    List<Entry> ofKind(int kind) {
        List<Entry> found = new ArrayList<>();
        for (Page page :
                pages.subMap(new EntryKey(kind, 0), new EntryKey(kind + 1, 0)).values()) {
            for (Entry entry : page.entries().values()) {
                if (!entry.gone()) {
                    found.add(entry);
                }
            }
        }
        return Collections.unmodifiableList(found);
    }
}
