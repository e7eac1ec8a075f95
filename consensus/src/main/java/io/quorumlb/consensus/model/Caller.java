package io.quorumlb.consensus.model;

/**
 * Who makes a call.
 *
 * @param name 1..64 letters, digits, spaces and {@code . _ @ : + = / - # , ( ) '}
 * @param role what it may do
 * @param address where the call came from, for people; at most 64 printable ASCII characters
 */
public record Caller(String name, Role role, String address) {
    /** Most characters of a name. */
    public static final int NAME_MAX = 64;

    private static final int ADDRESS_MAX = 64;
    private static final String MARKS = " ._@:+=/-#,()'";

    /** Checks the forms. */
    public Caller {
        if (name.isBlank()
                || name.length() > NAME_MAX
                || !name.codePoints().allMatch(c -> Character.isLetterOrDigit(c) || MARKS.indexOf(c) >= 0)) {
            throw new IllegalArgumentException(
                    "name '%s' of %d characters: 1..%d letters, digits, spaces and . _ @ : + = / - # , ( ) ' expected"
                            .formatted(PlainText.of(name, NAME_MAX), name.length(), NAME_MAX));
        }
        if (address.length() > ADDRESS_MAX || address.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException("address '%s': at most %d printable ASCII characters expected"
                    .formatted(PlainText.of(address, ADDRESS_MAX), ADDRESS_MAX));
        }
    }
}
