package io.quorumlb.consensus.model;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * An operator's word that the next generation of a pool may pass some guards. It is used up by that generation, whatever
 * it changes: no clock decides how long it holds.
 *
 * @param guards which
 * @param baseGeneration number of the generation before; 0 before the first
 */
public record GuardOverride(SortedSet<Guard> guards, long baseGeneration) {
    /** Checks the number and copies the set. */
    public GuardOverride {
        if (baseGeneration < 0) {
            throw new IllegalArgumentException("override base generation %d is below 0".formatted(baseGeneration));
        }
        if (guards.isEmpty()) {
            throw new IllegalArgumentException("override without guards: name at least one");
        }
        guards = Collections.unmodifiableSortedSet(new TreeSet<>(guards));
    }
}
