package io.quorumlb.lbctl;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that somebody probably meant. */
final class Nearest {
    /** A word with more than one letter in so many wrong is another word. */
    private static final int PART = 3;

    private static final int LENGTH_MAX = 64;

    private Nearest() {}

    /** Returns the known word that is nearest, by letters put in, left out and exchanged; empty if none is near. */
    static Optional<String> of(String word, Collection<String> known) {
        if (word.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        return known.stream()
                .filter(candidate -> distance(word, candidate) <= Math.max(2, candidate.length() / PART))
                .min(Comparator.comparingInt((String candidate) -> distance(word, candidate))
                        .thenComparing(Comparator.naturalOrder()));
    }

    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int exchanged = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(exchanged, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
