package io.quorumlb.lbctl;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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

    /**
     * A first word of a command line.
     *
     * @param commands builds what it leads to; picocli reads annotations then, which takes its time
     */
    private record Noun(String name, Function<Session, CommandLine> commands) {}

    private static final List<Noun> NOUNS = List.of(
            noun(
                    "cluster",
                    "The cluster as a whole.",
                    session -> List.of(
                            new ClusterStatus(session),
                            new ClusterSlotFunction(session),
                            new ClusterNodes(session),
                            new ClusterLeader(session))),
            noun(
                    "pool",
                    "Pools: members that share one slot table.",
                    session -> List.of(
                            new PoolList(session),
                            new PoolSlots(session),
                            new PoolCreate(session),
                            new PoolGenerations(session),
                            new PoolPlan(session),
                            new PoolGuardsCommand(session),
                            new PoolOverride(session),
                            new PoolMinEligible(session),
                            new PoolCompact(session),
                            new PoolDelete(session),
                            new PoolShow(session),
                            new PoolSet(session),
                            new PoolHistory(session),
                            new PoolDiff(session),
                            new PoolRollback(session))),
            noun(
                    "monitor",
                    "Health monitors: how the members of each pool are probed.",
                    session -> List.of(new MonitorList(session), new MonitorShow(session), new MonitorSet(session))),
            noun(
                    "member",
                    "Members: addresses and ports that serve.",
                    session -> List.of(
                            new MemberList(session),
                            new MemberStats(session),
                            new MemberDrain(session),
                            new MemberEnable(session),
                            new MemberWeight(session),
                            new MemberRamp(session),
                            new MemberMac(session),
                            new MemberCreate(session),
                            new MemberDelete(session),
                            new MemberShow(session),
                            new MemberSet(session),
                            new MemberExplain(session),
                            new MemberHoldCommand(session),
                            new MemberRelease(session))),
            noun(
                    "segment",
                    "Segments: networks with members.",
                    session -> List.of(
                            new SegmentList(session),
                            new SegmentCreate(session),
                            new SegmentDelete(session),
                            new SegmentShow(session),
                            new SegmentSet(session))),
            noun(
                    "listener",
                    "Listeners: where clients connect.",
                    session -> List.of(
                            new ListenerList(session),
                            new ListenerStats(session),
                            new ListenerCreate(session),
                            new ListenerWhenEmpty(session),
                            new ListenerDelete(session),
                            new ListenerShow(session),
                            new ListenerSet(session))),
            noun(
                    "lb",
                    "Load balancers: owners of VIPs.",
                    session -> List.of(
                            new LbList(session),
                            new LbShow(session),
                            new LbCreate(session),
                            new LbSet(session),
                            new LbDelete(session))),
            noun("node", "Nodes: a controller and its switch.", session -> List.of(new NodeDrops(session))),
            new Noun("trace", session -> new CommandLine(new Trace(session))),
            new Noun("apply", session -> new CommandLine(new Apply(session))),
            new Noun("diff", session -> new CommandLine(new Diff(session))),
            new Noun("export", session -> new CommandLine(new Export(session))),
            new Noun("schema", session -> new CommandLine(new Schema(session))),
            noun(
                    "neigh",
                    "Neighbours: where packets for members and next hops go.",
                    session -> List.of(new NeighList(session))),
            noun("maglev", "Slot tables, without a cluster.", session -> List.of(new MaglevSimulate(session))),
            new Noun("audit", session -> new CommandLine(new Audit(session))),
            noun(
                    "config",
                    "Contexts: ways to clusters, kept under names.",
                    session -> List.of(
                            new ConfigSetContext(session),
                            new ConfigUseContext(session),
                            new ConfigList(session),
                            new ConfigShow(session),
                            new ConfigDeleteContext(session))),
            new Noun("doctor", session -> new CommandLine(new Doctor(session))),
            new Noun("events", session -> new CommandLine(new Events(session))),
            new Noun("watch", session -> new CommandLine(new Watch(session))),
            new Noun("completion", session -> new CommandLine(new Completion(session, Lbctl::whole))));

    private static Noun noun(String name, String description, Function<Session, List<Object>> verbs) {
        return new Noun(name, session -> {
            CommandSpec spec = CommandSpec.create().name(name);
            spec.usageMessage().description(description);
            CommandLine noun = new CommandLine(spec);
            verbs.apply(session).forEach(noun::addSubcommand);
            return noun;
        });
    }

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
        SortedSet<String> words = new TreeSet<>(List.of(args));
        boolean named = NOUNS.stream().anyMatch(noun -> words.contains(noun.name()));
        return named && !words.contains("-h") && !words.contains("--help")
                // A good line needs the commands of the nouns in it only: to build all takes longer than most calls.
                ? execute(args, console, noun -> words.contains(noun.name()), _ -> runWithAll(args, console))
                : runWithAll(args, console);
    }

    private static int runWithAll(String[] args, Console console) {
        return execute(args, console, _ -> true, failure -> misused(failure, console));
    }

    /** Returns the command line with all its commands, to look at. */
    private static CommandLine whole(Session session) {
        CommandLine line = new CommandLine(new Lbctl());
        NOUNS.forEach(noun -> line.addSubcommand(noun.name(), noun.commands().apply(session)));
        return line;
    }

    private static int execute(
            String[] args, Console console, Predicate<Noun> wanted, ToIntFunction<ParameterException> misused) {
        Lbctl root = new Lbctl();
        CommandLine line = new CommandLine(root);
        Session session = new Session(root.options, console);
        NOUNS.stream()
                .filter(wanted)
                .forEach(noun -> line.addSubcommand(noun.name(), noun.commands().apply(session)));
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
