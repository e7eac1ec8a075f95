package io.quorumlb.lbctl;

import com.google.protobuf.Message;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Shows an answer again and again in the same place of a terminal. */
final class Redrawing {
    private static final String CLEAR = "\u001b[2J";
    private static final String HOME = "\u001b[H";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String CLEAR_BELOW = "\u001b[J";

    private final Console console;
    private final GlobalOptions options;

    Redrawing(Console console, GlobalOptions options) {
        this.console = console;
        this.options = options;
    }

    /**
     * Asks and shows until the process is ended; while nobody answers, what is there stays.
     *
     * @throws CommandFailure if this is no terminal, another form than the table is asked for, or a node refuses
     */
    <R extends Message> R show(Paged<R> list, View<? super R> view) {
        if (options.output() != OutputFormat.TABLE && options.output() != OutputFormat.WIDE) {
            throw usage("--watch shows tables only: leave out --output, or --watch");
        }
        if (!console.terminal()) {
            throw usage("--watch redraws a terminal, and the output is none: repeat the command, or use lbctl watch");
        }
        Duration interval = options.interval().orElseThrow();
        try (var control =
                new Control(options.connection(console.environment()), new Budget(options.timeout()), console)) {
            console.out().print(CLEAR);
            while (true) {
                try {
                    draw(list.all(call -> control.readWithin(options.timeout(), call)), view);
                } catch (CommandFailure failure) {
                    if (failure.code() != ExitCode.UNKNOWN) {
                        throw failure;
                    }
                    console.say(failure.sentence());
                }
                LockSupport.parkNanos(interval.toNanos());
            }
        }
    }

    /** Writes over what is there, line by line: a cleared screen would flicker. */
    private <R extends Message> void draw(R response, View<? super R> view) {
        Page page = new Page(
                new Palette(console.colour()),
                options.output() == OutputFormat.WIDE ? Page.Width.WIDE : Page.Width.NORMAL);
        view.show(response, page);
        var screen = new StringBuilder(HOME);
        page.text()
                .lines()
                .forEach(line -> screen.append(line).append(CLEAR_LINE).append('\n'));
        console.out().print(screen.append(CLEAR_BELOW));
        console.out().flush();
    }

    private static CommandFailure usage(String sentence) {
        return new CommandFailure(ExitCode.USAGE, sentence);
    }
}
