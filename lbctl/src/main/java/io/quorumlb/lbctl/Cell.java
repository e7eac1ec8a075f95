package io.quorumlb.lbctl;

/**
 * A piece of text and what it means.
 *
 * @param text plain, without escape sequences
 * @param tone how it is shown where colour is allowed
 */
record Cell(String text, Tone tone) {
    /** What a piece of text means to the reader. */
    enum Tone {
        PLAIN(""),
        GOOD("32"),
        BAD("31;1"),
        DOUBTFUL("33"),
        HEADING("1");

        private final String code;

        Tone(String code) {
            this.code = code;
        }

        /** Returns the parameters of the SGR sequence, empty for none. */
        String code() {
            return code;
        }
    }

    /** Returns text without a meaning of its own; an empty text is shown as a dash. */
    static Cell of(String text) {
        return new Cell(text.isEmpty() ? "-" : text, Tone.PLAIN);
    }

    /** Returns a number. */
    static Cell of(long number) {
        return of(Long.toString(number));
    }

    /** Returns the same text with another meaning. */
    Cell toned(Tone other) {
        return new Cell(text, other);
    }
}
