package io.quorumlb.verify.sim;

import java.time.Duration;
import java.util.List;

/** Numbers that look random and are a function of the seed alone (SplitMix64). */
final class Dice {
    private static final long STEP = 0x9e3779b97f4a7c15L;

    private final long seed;
    private long state;

    Dice(long seed) {
        this.seed = mixed(seed + STEP);
        this.state = this.seed;
    }

    /** Returns dice of their own for a purpose: what one part of the world throws shifts nothing in the others. */
    Dice fork(String purpose) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < purpose.length(); i++) {
            hash = (hash ^ purpose.charAt(i)) * 0x100000001b3L;
        }
        return new Dice(seed ^ mixed(hash));
    }

    private long next() {
        state += STEP;
        return mixed(state);
    }

    private static long mixed(long word) {
        long mix = (word ^ (word >>> 30)) * 0xbf58476d1ce4e5b9L;
        mix = (mix ^ (mix >>> 27)) * 0x94d049bb133111ebL;
        return mix ^ (mix >>> 31);
    }

    /** Returns a number in 0..bound-1. */
    int below(int bound) {
        return (int) Long.remainderUnsigned(next(), bound);
    }

    /** Returns a number in min..max. */
    long between(long min, long max) {
        return min + Long.remainderUnsigned(next(), max - min + 1);
    }

    Duration between(Duration min, Duration max) {
        return Duration.ofNanos(between(min.toNanos(), max.toNanos()));
    }

    Duration millis(int min, int max) {
        return between(Duration.ofMillis(min), Duration.ofMillis(max));
    }

    boolean percent(int chance) {
        return below(100) < chance;
    }

    <T> T pick(List<T> choices) {
        return choices.get(below(choices.size()));
    }
}
