package io.quorumlb.lbctl;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Named ways to clusters.
 *
 * @param current name of the one that is used unless another is asked for; empty if there is none
 * @param byName all
 */
record Contexts(Optional<String> current, SortedMap<String, ConnectionSettings> byName) {
    /** Copies the map. */
    Contexts {
        byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    }

    /** Returns no contexts. */
    static Contexts none() {
        return new Contexts(Optional.empty(), new TreeMap<>());
    }

    /**
     * Returns the context with a name.
     *
     * @throws CommandFailure naming those that there are
     */
    ConnectionSettings get(String name) {
        ConnectionSettings found = byName.get(name);
        if (found == null) {
            throw new CommandFailure(
                    ExitCode.USAGE,
                    "there is no context '%s'; %s"
                            .formatted(
                                    name,
                                    byName.isEmpty()
                                            ? "'lbctl config set-context' makes one"
                                            : "there are: " + String.join(", ", byName.keySet())));
        }
        return found;
    }

    /** Returns these with one more, or with another one under the name. */
    Contexts with(String name, ConnectionSettings settings) {
        SortedMap<String, ConnectionSettings> next = new TreeMap<>(byName);
        next.put(name, settings);
        return new Contexts(current, next);
    }

    /** Returns these without one; what was current and is gone is no longer current. */
    Contexts without(String name) {
        SortedMap<String, ConnectionSettings> next = new TreeMap<>(byName);
        next.remove(name);
        return new Contexts(current.filter(next::containsKey), next);
    }

    /** Returns these with another current one. */
    Contexts using(String name) {
        return new Contexts(Optional.of(name), byName);
    }
}
