package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.pool.Health;
import io.quorumlb.consensus.pool.Observation;
import io.quorumlb.consensus.pool.Suspicion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntriesTest {
    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void holdsWhatASortedMapHoldsAndEarlierOnesStayAsTheyWere(long seed) {
        var random = new Random(seed);
        Entries entries = Entries.NONE;
        SortedMap<EntryKey, Entry> model = new TreeMap<>();
        List<Entries> earlier = new ArrayList<>();
        List<List<Entry>> then = new ArrayList<>();
        long version = 0;
        for (int step = 0; step < 40; step++) {
            List<Entry> changes = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                version++;
                Content content = content(random);
                var key = new EntryKey(random.nextInt(1, 4), random.nextInt(300));
                changes.add(Entry.own(key, version, content));
            }
            entries = entries.with(changes);
            changes.forEach(entry -> model.put(entry.key(), entry));
            earlier.add(entries);
            then.add(after(model, 0));
            long since = random.nextLong(version + 1);
            assertEquals(after(model, since), entries.after(since));
            assertEquals(model.values().stream().filter(Entry::gone).count(), entries.gone());
            assertEquals(
                    model.values().stream()
                            .filter(entry -> is(entry, Health.DOWN, Suspicion.NONE))
                            .count(),
                    entries.down());
            assertEquals(
                    model.values().stream()
                            .filter(entry -> entry.key().kind() == EntryKey.MEMBER)
                            .filter(entry -> is(entry, Health.UP, Suspicion.SUSPECT))
                            .map(entry -> entry.key().id())
                            .toList(),
                    List.copyOf(entries.suspects()));
            for (int kind = 0; kind < 5; kind++) {
                int wanted = kind;
                assertEquals(
                        model.values().stream()
                                .filter(entry -> entry.key().kind() == wanted && !entry.gone())
                                .toList(),
                        entries.ofKind(kind));
            }
        }
        for (int i = 0; i < earlier.size(); i++) {
            assertEquals(then.get(i), earlier.get(i).after(0));
        }
        assertEquals(
                model.values().stream().filter(entry -> !entry.gone()).count(),
                entries.withoutGone().after(0).size());
    }

    private static Content content(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> new Content.Gone();
            case 1 -> seen(Health.DOWN, Suspicion.NONE);
            case 2 -> seen(Health.UP, Suspicion.SUSPECT);
            case 3 -> seen(Health.UP, Suspicion.NONE);
            default -> new Content.Foreign();
        };
    }

    private static Content seen(Health health, Suspicion suspicion) {
        return new Content.OfMember(
                new Observation(Site.N1, 1, health, suspicion, Duration.ZERO, ""), Duration.ofSeconds(1));
    }

    private static boolean is(Entry entry, Health health, Suspicion suspicion) {
        return entry.content().equals(seen(health, suspicion));
    }

    private static List<Entry> after(SortedMap<EntryKey, Entry> model, long version) {
        return model.values().stream()
                .filter(entry -> entry.version() > version)
                .sorted(Comparator.comparingLong(Entry::version))
                .toList();
    }
}
