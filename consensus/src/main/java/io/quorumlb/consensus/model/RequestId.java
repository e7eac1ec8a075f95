package io.quorumlb.consensus.model;

/**
 * Tells one write from all others, so that asking again does nothing twice.
 *
 * @param value 1..64 printable ASCII characters without spaces
 */
public record RequestId(String value) implements Comparable<RequestId> {
    private static final int LENGTH_MAX = 64;

    /** Checks the form. */
    public RequestId {
        if (value.isEmpty()
                || value.length() > LENGTH_MAX
                || value.chars().anyMatch(character -> character <= ' ' || character > '~')) {
            throw new IllegalArgumentException(
                    "request id '%s' of %d characters: 1..%d printable ASCII characters without spaces expected"
                            .formatted(
                                    value.substring(0, Math.min(value.length(), LENGTH_MAX)),
                                    value.length(),
                                    LENGTH_MAX));
        }
    }

    @Override
    public int compareTo(RequestId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
