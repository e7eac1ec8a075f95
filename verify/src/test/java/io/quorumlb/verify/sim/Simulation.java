package io.quorumlb.verify.sim;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeSet;

/** Runs one seed: start, configure, faults, heal, converge. */
final class Simulation {
    private static final Duration SETUP_MAX = Duration.ofSeconds(30);
    private static final Duration STAYS = Duration.ofMillis(1500);
    private static final Duration LOOKS_EVERY = Duration.ofMillis(100);

    /**
     * What came of a seed.
     *
     * @param settings what it drew
     * @param violation what did not hold
     * @param events events of the world
     * @param time virtual time that passed
     * @param convergence from the last healing to convergence
     * @param generations committed
     * @param acknowledged writes
     * @param said how often each kind of event was told to operators, by its code
     */
    record Result(
            Settings settings,
            Optional<Violation> violation,
            long events,
            Duration time,
            Duration convergence,
            long generations,
            int acknowledged,
            SortedMap<String, Integer> said) {}

    private final World world;
    private final Dice dice;
    private final Operators operators;
    private final Nemesis nemesis;
    private Duration convergence = Duration.ZERO;

    private Simulation(Settings settings, Planted planted, Transcript transcript) {
        this.world = new World(settings, planted, transcript);
        this.dice = new Dice(settings.seed()).fork("simulation");
        this.operators = new Operators(world, dice.fork("operators"));
        this.nemesis = new Nemesis(world, dice.fork("nemesis"));
    }

    static Result run(Settings settings, Planted planted, Transcript transcript) {
        var simulation = new Simulation(settings, planted, transcript);
        Optional<Violation> violation = Optional.empty();
        try {
            simulation.run();
        } catch (Violation found) {
            violation = Optional.of(found);
            simulation.world.note(() -> "VIOLATION " + found.getMessage());
        }
        World world = simulation.world;
        return new Result(
                settings,
                violation,
                world.scheduler.ran(),
                Duration.ofNanos(world.now()),
                simulation.convergence,
                world.checks.canon.latest().history().values().stream()
                        .mapToLong(history -> history.getLast().number())
                        .sum(),
                simulation.operators.acknowledged(),
                world.said());
    }

    private void run() {
        world.note(() -> world.settings.toString());
        for (SimNode node : world.nodes()) {
            world.scheduler.after(dice.millis(0, 400), node::start);
        }
        configure(new ArrayDeque<>(SimSite.configuration(world.settings)));
        convergeWithin(SETUP_MAX);
        world.checks.setUp();
        watchService();
        if (world.settings.kind() == Settings.Kind.MINORITY_LOST) {
            loseMinority();
        } else {
            faults();
        }
        nemesis.healAll();
        world.note(() -> "all faults have healed");
        convergence = convergeForGood(Bound.of(world.settings));
        operators.requireAll();
    }

    /** What was still under way when the faults healed may come after the first convergence. */
    private Duration convergeForGood(Duration bound) {
        long end = world.now() + bound.toNanos();
        var convergence = new Convergence(world);
        while (true) {
            Duration took = bound.minus(Duration.ofNanos(end - world.now()))
                    .plus(convergeWithin(Duration.ofNanos(end - world.now())));
            world.run(STAYS);
            Optional<String> astray = world.nodes().stream()
                    .flatMap(node -> world.checks.switches.astray(node, 0, Corpus.SIZE).stream())
                    .findFirst();
            if (astray.isEmpty() && convergence.gaps().isEmpty()) {
                return took;
            }
            if (world.now() > end) {
                throw new Violation(
                        Invariant.CONVERGES_WITHIN_BOUND,
                        "does not stay converged within %d ms: %s %s"
                                .formatted(bound.toMillis(), convergence.gaps(), astray.orElse("")));
            }
        }
    }

    private void faults() {
        if (world.settings.kind() == Settings.Kind.ANYTHING) {
            operators.work();
        } else {
            world.checks.forbidGenerations();
        }
        nemesis.plan(world.settings.faults());
        world.run(world.settings.faults());
        operators.rest();
    }

    /** The others go on: they see a member die, and agree. */
    private void loseMinority() {
        List<SimNode> others = nemesis.loseMinority();
        world.run(dice.millis(0, 3_000));
        int host = nemesis.killHost();
        var convergence = new Convergence(world, others, new TreeSet<>(List.of(SimSite.hostName(host))));
        convergeWithin(Bound.of(world.settings), convergence, Invariant.MAJORITY_GOES_ON);
    }

    /** Writes the configuration, each command until it is done or was done. */
    private void configure(Queue<Command> left) {
        Command command = left.peek();
        if (command == null) {
            return;
        }
        SimNode node = dice.pick(world.nodes());
        if (!node.running()) {
            world.scheduler.after(Duration.ofMillis(100), () -> configure(left));
            return;
        }
        operators.write(node, command, outcome -> {
            boolean done = outcome.filter(answer -> answer instanceof Outcome.Done
                            || (answer instanceof Outcome.Refused(var cause, String _, String _)
                                    && cause == Outcome.Cause.ALREADY_EXISTS))
                    .isPresent();
            if (done) {
                left.remove();
            }
            world.scheduler.after(Duration.ofMillis(done ? 0 : 100), () -> configure(left));
        });
    }

    private void watchService() {
        world.scheduler.after(Duration.ofMillis(500), () -> {
            world.checks.service();
            watchService();
        });
    }

    private Duration convergeWithin(Duration bound) {
        return convergeWithin(bound, new Convergence(world), Invariant.CONVERGES_WITHIN_BOUND);
    }

    private Duration convergeWithin(Duration bound, Convergence convergence, Invariant invariant) {
        long start = world.now();
        List<String> gaps = convergence.gaps();
        while (!gaps.isEmpty()) {
            if (world.now() - start > bound.toNanos()) {
                throw new Violation(
                        invariant,
                        "not converged after %d ms: %s".formatted(bound.toMillis(), String.join("; ", gaps)));
            }
            world.run(LOOKS_EVERY);
            operators.overrideWhatIsHeld();
            gaps = convergence.gaps();
        }
        Duration took = Duration.ofNanos(world.now() - start);
        world.note(() -> "converged after " + took.toMillis() + " ms");
        return took;
    }
}
