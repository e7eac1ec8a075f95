package io.quorumlb.maglev;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A recipe from members to slots. A recipe never changes; another result is another version. */
public enum HashAlgoVersion {
    /** FNV-1a offsets and odd skips, one slot per turn, quota by effective weight. */
    V1(1),
    /** A base over the configured weights, second choices, exact shares: a failure moves no slot of another member. */
    V2(2);

    private final int number;

    HashAlgoVersion(int number) {
        this.number = number;
    }

    /**
     * Returns the version whose {@link #number()} is given.
     *
     * @throws IllegalArgumentException naming the number and those that exist
     */
    public static HashAlgoVersion of(int number) {
        return Arrays.stream(values())
                .filter(version -> version.number == number)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "hash algorithm version %d is unknown: one of %s expected".formatted(number, known())));
    }

    private static String known() {
        return Arrays.stream(values())
                .map(version -> String.valueOf(version.number))
                .collect(Collectors.joining(", "));
    }

    /** Returns the number used in logs, flows and on the wire. */
    public int number() {
        return number;
    }
}
