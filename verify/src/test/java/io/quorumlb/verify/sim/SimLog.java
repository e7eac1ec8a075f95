package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.verify.contract.LogSettings;
import io.quorumlb.verify.contract.ModelLog;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The model of the replicated log in this world: each controller has its replica in its process. */
final class SimLog {
    private static final long SNAPSHOT_ENTRIES = 12;
    private static final long KEPT_ENTRIES = 6;

    private final World world;
    private final ModelLog model;
    private final SortedMap<NodeId, GenerationLog> open = new TreeMap<>();

    SimLog(World world, Dice dice) {
        this.world = world;
        var product = LogSettings.product()
                .withSnapshots(SNAPSHOT_ENTRIES, KEPT_ENTRIES)
                .with((state, command) -> world.checks.apply(state, command));
        this.model = new ModelLog(
                new TreeSet<>(SimSite.nodes(world.settings.nodes())),
                dice.between(0, Integer.MAX_VALUE),
                world.scheduler,
                (from, to) -> world.logLinks.delays(from, to).stream().findFirst(),
                world.mischief.quorum(product));
    }

    /** Returns the log as the node's running controller uses it. */
    GenerationLog of(NodeId node) {
        GenerationLog log = open.get(node);
        if (log == null) {
            throw new IllegalStateException(node + " does not run");
        }
        return log;
    }

    void start(SimNode node) {
        int life = node.life();
        open.put(node.id, model.open(node.id, event -> {
            world.checks.log(node, event);
            node.deliver(life, CoreEdge.event(event));
        }));
        changed();
    }

    void stop(SimNode node) {
        changed();
        model.kill(node.id);
    }

    void freeze(SimNode node) {
        changed();
        model.freeze(node.id);
    }

    void thaw(SimNode node) {
        model.thaw(node.id);
        changed();
    }

    /** Gives a stopped node an empty disk. */
    void wipe(SimNode node) {
        model.wipe(node.id);
    }

    /** Returns true if every node may vote: none has lost its disk and is not readmitted yet. */
    boolean allVote() {
        return world.nodes().stream().allMatch(node -> model.voting(node.id));
    }

    /** Returns how many entries are committed, applied or not. */
    long committed() {
        model.violation().ifPresent(text -> {
            throw new Violation(Invariant.ONE_HISTORY, text);
        });
        return model.chosen().size();
    }

    private void changed() {
        world.checks.reachabilityChanges();
    }
}
