package io.quorumlb.verify.cluster;

import java.time.Duration;

/** Prints what was measured, one line per figure. */
final class Figures {
    private Figures() {}

    static void say(String text, Object... arguments) {
        System.out.println("measured: " + text.formatted(arguments));
    }

    static String millis(Duration time) {
        return time.toMillis() + " ms";
    }
}
