package io.quorumlb.consensus.model;

/** What somebody else wrote, fit for a log, a table and a record: one line of bounded length that moves no cursor. */
public final class PlainText {
    private static final String CUT = "...";

    private PlainText() {}

    /**
     * Returns the text with a question mark for each character that is not shown as itself (control and format characters,
     * halves of pairs), cut to a length.
     *
     * @param lengthMax at least 4
     */
    public static String of(String text, int lengthMax) {
        var plain = new StringBuilder();
        // Enough to see that it is too long, however long it is.
        for (int i = 0; i < text.length() && plain.length() <= lengthMax; ) {
            int character = text.codePointAt(i);
            plain.appendCodePoint(shown(character) ? character : '?');
            i += Character.charCount(character);
        }
        if (plain.length() <= lengthMax) {
            return plain.toString();
        }
        int end = lengthMax - CUT.length();
        // A pair is kept or left out whole.
        return plain.substring(0, Character.isHighSurrogate(plain.charAt(end - 1)) ? end - 1 : end) + CUT;
    }

    private static boolean shown(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
