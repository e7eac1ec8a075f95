package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes a script that completes command lines. */
@Command(
        description = {
            "Write a script that completes command lines: source <(lbctl completion bash)",
            "zsh takes the same script, by its completion for bash."
        })
final class Completion implements Callable<Integer> {
    /** Who is to read the script. */
    enum Shell {
        BASH,
        ZSH;

        /** Returns the word as it is typed, which is also what is completed. */
        @Override
        public String toString() {
            return EnumWord.lower(name());
        }
    }

    private final Session session;
    private final Function<Session, CommandLine> whole;

    @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
    private Shell shell = Shell.BASH;

    /**
     * Creates the command for one session.
     *
     * @param whole builds the command line with all its commands; called only when a script is wanted
     */
    Completion(Session session, Function<Session, CommandLine> whole) {
        this.session = session;
        this.whole = whole;
    }

    @Override
    public Integer call() {
        String script = AutoComplete.bash("lbctl", whole.apply(session));
        session.copy(
                switch (shell) {
                    case BASH -> script;
                    // Only zsh knows the first line, by which an autoloaded file says what it is for.
                    case ZSH -> "#compdef lbctl\n" + script;
                });
        return ExitCode.YES.status();
    }
}
