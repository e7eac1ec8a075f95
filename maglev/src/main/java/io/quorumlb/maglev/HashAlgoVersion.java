package io.quorumlb.maglev;

import java.util.Arrays;

/** A recipe from members to slots. A recipe never changes; another result is another version. */
public enum HashAlgoVersion {
    /** FNV-1a offsets and odd skips, one slot per turn, quota by weight. */
    V1(1);

    private final int number;

    HashAlgoVersion(int number) {
        this.number = number;
    }

    /** Returns the version whose {@link #number()} is given. */
    public static HashAlgoVersion of(int number) {
        return Arrays.stream(values())
                .filter(version -> version.number == number)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "hash algorithm version %d is unknown: 1 is the only one".formatted(number)));
    }

    /** Returns the number used in logs, flows and on the wire. */
    public int number() {
        return number;
    }
}
