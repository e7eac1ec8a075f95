package io.quorumlb.lbctl;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Where a command writes and what surrounds it.
 *
 * @param out data
 * @param err talk
 * @param colour whether data may be coloured
 * @param environment variables of the process
 */
record Console(PrintStream out, PrintStream err, Colour colour, Map<String, String> environment) {
    /** Whether escape sequences may be written. */
    enum Colour {
        ON,
        OFF
    }

    /** Returns the console of this process; colour only on a terminal and without NO_COLOR. */
    static Console ofProcess() {
        Map<String, String> environment = System.getenv();
        boolean plain = !Boolean.getBoolean("lbctl.terminal")
                || !environment.getOrDefault("NO_COLOR", "").isEmpty()
                || environment.getOrDefault("TERM", "dumb").equals("dumb");
        return new Console(
                new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8),
                new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
                plain ? Colour.OFF : Colour.ON,
                environment);
    }

    /** Returns true if data goes to a terminal. */
    boolean terminal() {
        return colour == Colour.ON || Boolean.getBoolean("lbctl.terminal");
    }

    /** Writes one line of talk. */
    void say(String sentence) {
        err.println("lbctl: " + sentence);
    }
}
