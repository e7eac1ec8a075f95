package io.quorumlb.lbctl;

import java.time.Duration;
import java.util.Locale;

/** Spans of time as people read them: 0.3s, 42.0s, 2m13s, 1h02m. */
final class Age {
    private static final Duration TENTHS_BELOW = Duration.ofSeconds(100);

    private Age() {}

    /** Returns the text for milliseconds, 0 or more. */
    static String ofMillis(long millis) {
        return of(Duration.ofMillis(millis));
    }

    /** Returns the text, cut down to what matters at that length. */
    static String of(Duration span) {
        if (span.compareTo(TENTHS_BELOW) < 0) {
            return String.format(Locale.ROOT, "%.1fs", span.toMillis() / 1000.0);
        }
        if (span.toHours() == 0) {
            return String.format(Locale.ROOT, "%dm%02ds", span.toMinutes(), span.toSecondsPart());
        }
        return String.format(Locale.ROOT, "%dh%02dm", span.toHours(), span.toMinutesPart());
    }

    /** Returns the shortest exact form of a configured span, for example 500ms or 1s. */
    static String exact(long millis) {
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }
}
