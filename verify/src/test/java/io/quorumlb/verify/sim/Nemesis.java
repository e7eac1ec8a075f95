package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Puts faults on the world and takes each off again, several at a time, in any order. */
final class Nemesis {
    private static final Duration FOR_GOOD = Duration.ofHours(1);

    private final World world;
    private final Dice dice;
    private final List<Fault> active = new ArrayList<>();
    private boolean over;

    Nemesis(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** Plans all faults of a world whose faults begin within the time from now. */
    void plan(Duration faults) {
        var drawn = new Faults(world, dice);
        switch (world.settings.kind()) {
            case BLIND_OBSERVER -> blindObserver(drawn, faults);
            case BLIND_MAJORITY -> blindMajority(drawn, faults);
            case OLD_NEWS -> oldNews(drawn, faults);
            case ANYTHING -> anything(drawn, faults);
            case MINORITY_LOST -> throw new IllegalStateException("not planned ahead");
        }
    }

    private void anything(Faults drawn, Duration faults) {
        long every = dice.between(700, 4_000);
        for (long at = dice.between(0, every); at < faults.toMillis(); at += dice.between(every / 2, every * 3 / 2)) {
            put(Duration.ofMillis(at), drawn.any(), length());
        }
    }

    /**
     * The leader hears nobody while as many as it would need see a member down, and die. Then it sees the member down
     * itself, and hears again, from the others, what the dead had said.
     */
    private void oldNews(Faults drawn, Duration faults) {
        NodeId leader = leader();
        List<SimNode> dying = world.nodes().stream()
                .filter(node -> !node.id.equals(leader))
                .limit(world.majority() - 1L)
                .toList();
        int host = (int) dice.between(1, world.settings.members());
        Duration found = world.settings
                .monitor()
                .interval()
                .multipliedBy(world.settings.monitor().fall() + 1L);
        Duration dead = Duration.ofMillis(100).plus(found);
        Duration heals = dead.plus(dice.millis(2_700, 3_000));
        put(Duration.ZERO, drawn.deaf(leader), heals);
        for (SimNode node : dying) {
            put(Duration.ofMillis(50), drawn.unreachableFrom(host, node.id), dead.minusMillis(50));
            put(dead, drawn.kills(node), faults);
        }
        put(heals.minus(found), drawn.unreachableFrom(host, leader), faults);
    }

    /** Takes as many nodes as the cluster can do without, for good; returns the others. */
    List<SimNode> loseMinority() {
        var drawn = new Faults(world, dice);
        List<SimNode> others = new ArrayList<>(world.nodes());
        for (int lost = world.majority(); lost < world.nodes().size(); lost++) {
            SimNode node = dice.pick(others);
            others.remove(node);
            put(dice.millis(0, 500), drawn.loses(node), FOR_GOOD);
        }
        return others;
    }

    /** Lets a host of a member die for good; returns which. */
    int killHost() {
        int host = (int) dice.between(1, world.settings.members());
        put(Duration.ZERO, new Faults(world, dice).dead(host), FOR_GOOD);
        return host;
    }

    /** Before it sees again, the node must have left traffic, if it was blind for long enough. */
    private void blindObserver(Faults drawn, Duration faults) {
        SimNode blind = dice.pick(world.nodes());
        put(Duration.ZERO, drawn.blind(List.of(blind.id)), faults);
        if (faults.compareTo(Bound.blindLeaves(world.settings)) > 0) {
            world.scheduler.after(Bound.blindLeaves(world.settings), () -> {
                if (world.checks.canon.latest().inService(blind.id)) {
                    throw new Violation(
                            Invariant.BLIND_OBSERVER_LEAVES,
                            "%s has reached no host for %d ms and is still in service"
                                    .formatted(
                                            blind.id,
                                            Bound.blindLeaves(world.settings).toMillis()));
                }
            });
        }
    }

    /** Some go blind at once, others a little later; each sees again when it will. */
    private void blindMajority(Faults drawn, Duration faults) {
        List<SimNode> nodes = new ArrayList<>(world.nodes());
        for (int i = 0; i < world.majority(); i++) {
            SimNode blind = dice.pick(nodes);
            nodes.remove(blind);
            put(
                    dice.millis(0, dice.percent(50) ? 5 : 2_500),
                    drawn.blind(List.of(blind.id)),
                    faults.minus(dice.millis(0, 2_000)));
        }
    }

    private NodeId leader() {
        return world.nodes().stream()
                .filter(node -> node.state().leadership() instanceof Leadership.Leading)
                .map(node -> node.id)
                .findFirst()
                .orElseThrow();
    }

    private Duration length() {
        return dice.percent(60) ? dice.millis(200, 3_000) : dice.millis(3_000, 14_000);
    }

    private void put(Duration from, Fault fault, Duration length) {
        world.scheduler.after(from, () -> {
            if (over) {
                return;
            }
            world.note(() -> "FAULT " + fault.name());
            active.add(fault);
            world.checks.reachabilityChanges();
            fault.on().run();
            world.checks.reachabilityChanges();
            world.scheduler.after(length, () -> end(fault));
        });
    }

    private void end(Fault fault) {
        if (active.remove(fault)) {
            world.note(() -> "HEALS " + fault.name());
            fault.off().run();
            world.checks.reachabilityChanges();
        }
    }

    /** Ends what still goes on, in an order of its own; what was to come does not. */
    void healAll() {
        over = true;
        while (!active.isEmpty()) {
            end(dice.pick(active));
        }
    }
}
