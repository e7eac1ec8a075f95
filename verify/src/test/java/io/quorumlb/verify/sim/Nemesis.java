package io.quorumlb.verify.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Puts faults on the world and takes each off again, several at a time, in any order. */
final class Nemesis {
    private final World world;
    private final Dice dice;
    private final List<Fault> active = new ArrayList<>();

    Nemesis(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** Plans all faults of a world whose faults begin within the time from now. */
    void plan(Duration faults) {
        var drawn = new Faults(world, dice);
        if (world.settings.kind() == Settings.Kind.BLIND_OBSERVER) {
            put(Duration.ofMillis(100), drawn.blindObserver(), faults);
            return;
        }
        long every = dice.between(700, 4_000);
        for (long at = dice.between(0, every); at < faults.toMillis(); at += dice.between(every / 2, every * 3 / 2)) {
            put(Duration.ofMillis(at), drawn.any(), length());
        }
    }

    private Duration length() {
        return dice.percent(60) ? dice.millis(200, 3_000) : dice.millis(3_000, 14_000);
    }

    private void put(Duration from, Fault fault, Duration length) {
        world.scheduler.after(from, () -> {
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

    /** Ends what still goes on, in an order of its own. */
    void healAll() {
        while (!active.isEmpty()) {
            end(dice.pick(active));
        }
    }
}
