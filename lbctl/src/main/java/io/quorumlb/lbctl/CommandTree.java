package io.quorumlb.lbctl;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The words that lead to commands. picocli reads the annotations of each command that is added to a line, which takes longer
 * than most calls do: only those that a line names are.
 */
final class CommandTree {
    /** A word of a command line. */
    private sealed interface Word {
        String name();
    }

    /**
     * A word that is a command.
     *
     * @param command makes what picocli fills in and calls
     */
    private record Verb(String name, Function<Session, Object> command) implements Word {}

    /**
     * A word that a verb follows.
     *
     * @param description for its help
     */
    private record Noun(String name, String description, List<Verb> verbs) implements Word {
        Noun(String name, String description, Verb... verbs) {
            this(name, description, List.of(verbs));
        }
    }

    private static final List<Word> WORDS = List.of(
            new Noun(
                    "cluster",
                    "The cluster as a whole.",
                    new Verb("status", ClusterStatus::new),
                    new Verb("slot-function", ClusterSlotFunction::new),
                    new Verb("nodes", ClusterNodes::new),
                    new Verb("leader", ClusterLeader::new)),
            new Noun(
                    "pool",
                    "Pools: members that share one slot table.",
                    new Verb("list", PoolList::new),
                    new Verb("slots", PoolSlots::new),
                    new Verb("create", PoolCreate::new),
                    new Verb("wait", PoolWait::new),
                    new Verb("plan", PoolPlan::new),
                    new Verb("guards", PoolGuardsCommand::new),
                    new Verb("override", PoolOverride::new),
                    new Verb("min-eligible", PoolMinEligible::new),
                    new Verb("compact", PoolCompact::new),
                    new Verb("delete", PoolDelete::new),
                    new Verb("show", PoolShow::new),
                    new Verb("set", PoolSet::new),
                    new Verb("history", PoolHistory::new),
                    new Verb("diff", PoolDiff::new),
                    new Verb("rollback", PoolRollback::new)),
            new Noun(
                    "monitor",
                    "Health monitors: how the members of each pool are probed.",
                    new Verb("list", MonitorList::new),
                    new Verb("show", MonitorShow::new),
                    new Verb("set", MonitorSet::new)),
            new Noun(
                    "member",
                    "Members: addresses and ports that serve.",
                    new Verb("list", MemberList::new),
                    new Verb("stats", MemberStats::new),
                    new Verb("drain", MemberDrain::new),
                    new Verb("enable", MemberEnable::new),
                    new Verb("weight", MemberWeight::new),
                    new Verb("ramp", MemberRamp::new),
                    new Verb("set-mac", MemberMac::new),
                    new Verb("create", MemberCreate::new),
                    new Verb("delete", MemberDelete::new),
                    new Verb("show", MemberShow::new),
                    new Verb("set", MemberSet::new),
                    new Verb("explain", MemberExplain::new),
                    new Verb("hold", MemberHoldCommand::new),
                    new Verb("release", MemberRelease::new)),
            new Noun(
                    "segment",
                    "Segments: networks with members.",
                    new Verb("list", SegmentList::new),
                    new Verb("create", SegmentCreate::new),
                    new Verb("delete", SegmentDelete::new),
                    new Verb("show", SegmentShow::new),
                    new Verb("set", SegmentSet::new)),
            new Noun(
                    "listener",
                    "Listeners: where clients connect.",
                    new Verb("list", ListenerList::new),
                    new Verb("stats", ListenerStats::new),
                    new Verb("create", ListenerCreate::new),
                    new Verb("when-empty", ListenerWhenEmpty::new),
                    new Verb("delete", ListenerDelete::new),
                    new Verb("show", ListenerShow::new),
                    new Verb("set", ListenerSet::new)),
            new Noun(
                    "lb",
                    "Load balancers: owners of VIPs.",
                    new Verb("list", LbList::new),
                    new Verb("show", LbShow::new),
                    new Verb("create", LbCreate::new),
                    new Verb("set", LbSet::new),
                    new Verb("delete", LbDelete::new)),
            new Noun("node", "Nodes: a controller and its switch.", new Verb("drops", NodeDrops::new)),
            new Verb("trace", Trace::new),
            new Verb("apply", Apply::new),
            new Verb("diff", Diff::new),
            new Verb("export", Export::new),
            new Verb("schema", Schema::new),
            new Noun(
                    "neigh",
                    "Neighbours: where packets for members and next hops go.",
                    new Verb("list", NeighList::new)),
            new Noun("maglev", "Slot tables, without a cluster.", new Verb("simulate", MaglevSimulate::new)),
            new Verb("audit", Audit::new),
            new Noun(
                    "config",
                    "Contexts: ways to clusters, kept under names.",
                    new Verb("set-context", ConfigSetContext::new),
                    new Verb("use-context", ConfigUseContext::new),
                    new Verb("list", ConfigList::new),
                    new Verb("show", ConfigShow::new),
                    new Verb("delete-context", ConfigDeleteContext::new)),
            new Verb("doctor", Doctor::new),
            new Verb("events", Events::new),
            new Verb("watch", Watch::new),
            new Verb("completion", session -> new Completion(session, Lbctl::whole)));

    private CommandTree() {}

    /** Says whether a line begins to lead anywhere: one of its words is a noun, or a verb that needs none. */
    static boolean knowsOneOf(String... line) {
        SortedSet<String> words = new TreeSet<>(List.of(line));
        return WORDS.stream().anyMatch(word -> words.contains(word.name()));
    }

    /** Adds all commands. */
    static void addAll(CommandLine root, Session session) {
        add(root, session, _ -> true);
    }

    /** Adds the commands that a line can mean. */
    static void addNamed(CommandLine root, Session session, String... line) {
        add(root, session, new TreeSet<>(List.of(line))::contains);
    }

    private static void add(CommandLine root, Session session, Predicate<String> named) {
        for (Word word : WORDS) {
            if (named.test(word.name())) {
                switch (word) {
                    case Verb verb -> add(root, session, verb);
                    case Noun noun -> root.addSubcommand(noun.name(), line(noun, session, named));
                }
            }
        }
    }

    private static CommandLine line(Noun noun, Session session, Predicate<String> named) {
        CommandSpec spec = CommandSpec.create().name(noun.name());
        spec.usageMessage().description(noun.description());
        CommandLine line = new CommandLine(spec);
        // None is named: the line is wrong, or asks what there is.
        boolean all = noun.verbs().stream().map(Verb::name).noneMatch(named);
        noun.verbs().stream().filter(verb -> all || named.test(verb.name())).forEach(verb -> add(line, session, verb));
        return line;
    }

    private static void add(CommandLine line, Session session, Verb verb) {
        line.addSubcommand(verb.name(), verb.command().apply(session));
    }
}
