package io.quorumlb.lbctl;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Looks at a cluster and changes it, through any of its nodes. */
@Command(
        name = "lbctl",
        versionProvider = Lbctl.Version.class,
        description = "Look at a quorumlb cluster and change it, through any of its nodes.",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:true, or done",
            "1:answered, but not so: not converged, refused, not proven in time",
            "2:not known: nobody answered, too few nodes are known, outcome of a write open",
            "64:usage"
        })
final class Lbctl {
    private static final int HELP_WIDTH = 100;

    @Mixin
    private final GlobalOptions options = new GlobalOptions();

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version.")
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    private boolean version;

    private Lbctl() {}

    /** Runs one command and ends the process with its exit status. */
    public static void main(String[] args) {
        Console console = Console.ofProcess();
        int status = run(args, console);
        console.out().flush();
        System.exit(status);
    }

    /**
     * Runs one command.
     *
     * @param args command line without the program's name
     * @return exit status: 0 true or done, 1 answered but not so, 2 unknown, 64 usage
     */
    static int run(String[] args, Console console) {
        List<String> words = List.of(args);
        return CommandTree.knowsOneOf(args) && !words.contains("-h") && !words.contains("--help")
                // A line that is wrong is read again by all commands, which say what there is.
                ? execute(
                        args,
                        console,
                        (line, session) -> CommandTree.addNamed(line, session, args),
                        _ -> runWithAll(args, console))
                : runWithAll(args, console);
    }

    private static int runWithAll(String[] args, Console console) {
        return execute(args, console, CommandTree::addAll, failure -> misused(failure, console));
    }

    /** Returns the command line with all its commands, to look at. */
    static CommandLine whole(Session session) {
        CommandLine line = new CommandLine(new Lbctl());
        CommandTree.addAll(line, session);
        return line;
    }

    private static int execute(
            String[] args,
            Console console,
            BiConsumer<CommandLine, Session> adding,
            ToIntFunction<ParameterException> misused) {
        Lbctl root = new Lbctl();
        CommandLine line = new CommandLine(root);
        adding.accept(line, new Session(root.options, console));
        return line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8))
                .setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpWidth(HELP_WIDTH)
                .setParameterExceptionHandler((failure, _) -> misused.applyAsInt(failure))
                .setExecutionExceptionHandler((failure, _, _) -> failed(failure, console))
                .execute(args);
    }

    private static int misused(ParameterException failure, Console console) {
        CommandLine at = failure.getCommandLine();
        if (failure instanceof UnmatchedArgumentException unmatched) {
            List<String> near = unmatched.getSuggestions();
            console.say("'%s' is not known here%s"
                    .formatted(
                            unmatched.getUnmatched().getFirst(),
                            near.isEmpty() ? "" : "; did you mean: " + String.join(", ", near)));
        } else if (at.getSubcommands().isEmpty()) {
            console.say(String.valueOf(failure.getMessage()));
        } else {
            console.say("%s; one of: %s"
                    .formatted(
                            failure.getMessage(),
                            String.join(", ", at.getSubcommands().keySet())));
        }
        console.say(
                "'%s --help' shows how it is used".formatted(at.getCommandSpec().qualifiedName()));
        return ExitCode.USAGE.status();
    }

    private static int failed(Exception failure, Console console) {
        if (failure instanceof CommandFailure known) {
            console.say(known.sentence());
            return known.code().status();
        }
        console.say("defect in lbctl: %s; report it together with the command line".formatted(failure));
        return ExitCode.UNKNOWN.status();
    }

    /** Reads the version that the build wrote into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {
                "lbctl "
                        + Optional.ofNullable(Lbctl.class.getPackage().getImplementationVersion())
                                .orElse("development")
            };
        }
    }
}
