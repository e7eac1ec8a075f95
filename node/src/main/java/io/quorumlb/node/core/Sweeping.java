package io.quorumlb.node.core;

import io.quorumlb.node.core.SwitchState.Phase;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.ReadBack;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Audits a large switch by parts. A reading of all of it takes a second or more, in which no change can be made: it remains for
 * flows of others, which no part holds and of which the flow monitor tells.
 */
final class Sweeping {
    /** Flows from which on a switch is large: all of them are read in some tenths of a second. */
    private static final int FLOWS_MIN = 20_000;

    private static final Duration WHOLE_PERIOD = Duration.ofMinutes(5);

    private Sweeping() {}

    /** Returns whether an audit by parts says as much as one of all: what it held is known, and all was read lately. */
    static boolean serves(Turn turn, SwitchSnapshot snapshot) {
        SwitchComparison comparison = turn.datapath.comparison();
        return snapshot.own().size() >= FLOWS_MIN
                && comparison.attempt().isEmpty()
                && standing(turn)
                && !turn.now.reached(turn.datapath.reading().wholeAt().plus(WHOLE_PERIOD));
    }

    private static boolean standing(Turn turn) {
        return turn.datapath
                .comparison()
                .basis()
                .filter(SwitchComparison.Basis::standing)
                .isPresent();
    }

    /**
     * Asks for the next part if it is time.
     *
     * @param audit whether it is time for an audit
     */
    static void due(Turn turn, SwitchSnapshot snapshot, boolean audit) {
        Optional<Sweep> sweep = turn.datapath.reading().sweep();
        if (sweep.isEmpty() && audit) {
            sweep = Optional.of(Sweep.of(turn.now, blocks(turn, snapshot)));
        }
        sweep.filter(begun -> turn.now.reached(begun.next())).ifPresent(begun -> {
            int first = begun.left().first();
            turn.datapath = turn.datapath.sweeping(begun.asked(turn.now)).in(Phase.READING);
            turn.want(new NodeEffect.ReadPools(IntStream.range(first, first + Cookie.POOL_BLOCK)
                    .boxed()
                    .collect(Collectors.toCollection(TreeSet::new))));
        });
    }

    /** Returns the first pool of each block in which there is a flow, or should be; 0 stands for what is of no pool. */
    private static SortedSet<Integer> blocks(Turn turn, SwitchSnapshot snapshot) {
        SortedSet<Integer> blocks = new TreeSet<>();
        blocks.add(0);
        turn.log.cluster().model().pools().keySet().forEach(pool -> blocks.add(block(pool)));
        snapshot.own()
                .values()
                .forEach(held -> blocks.add(block(Cookie.pool(held.flow().cookie()))));
        return blocks;
    }

    private static int block(int pool) {
        return pool - pool % Cookie.POOL_BLOCK;
    }

    /** A part was read. Returns false if all has to be read: it tells so, or what was known of the rest is void meanwhile. */
    static boolean read(
            Turn turn, SwitchSnapshot before, SortedSet<Integer> pools, SwitchSnapshot part, long flowModsSent) {
        if (turn.datapath.reading().sweep().isEmpty() || !standing(turn)) {
            return false;
        }
        SwitchSnapshot snapshot = ReadBack.updated(before, pools, part);
        Optional<SortedSet<Integer>> changed = ReadBack.changed(before, snapshot);
        if (changed.isEmpty()) {
            return false;
        }
        turn.datapath = turn.datapath.swept(
                snapshot, Installing.digests(turn, snapshot, changed.get()), changed.get(), turn.now, flowModsSent);
        if (turn.datapath.reading().sweep().isEmpty()) {
            Counting.read(turn, snapshot);
        }
        return true;
    }
}
