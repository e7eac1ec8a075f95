package io.quorumlb.consensus.model;

/** The form of every name: 1 to 63 of {@code a-z 0-9 -}, a letter or digit first. */
final class ObjectName {
    private static final int LENGTH_MAX = 63;

    private ObjectName() {}

    /**
     * Returns the name if it has the form.
     *
     * @throws IllegalArgumentException naming the field and the value
     */
    static String require(String field, String name) {
        boolean form = !name.isEmpty()
                && name.length() <= LENGTH_MAX
                && name.charAt(0) != '-'
                && name.chars().allMatch(c -> (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-');
        if (!form) {
            throw new IllegalArgumentException("%s '%s': 1 to %d of a-z, 0-9 and -, not starting with -, expected"
                    .formatted(field, name, LENGTH_MAX));
        }
        return name;
    }
}
