package io.quorumlb.node.core;

import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.pool.PoolGeneration;
import io.quorumlb.maglev.Digest;
import io.quorumlb.maglev.PoolDefinition;
import io.quorumlb.node.core.NodeEffect.Severity;
import io.quorumlb.node.core.SwitchState.Phase;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.FlowMap;
import io.quorumlb.ovs.flow.Group;
import io.quorumlb.ovs.flow.SwitchSnapshot;
import io.quorumlb.ovs.pipeline.Cookie;
import io.quorumlb.ovs.pipeline.Pipeline;
import io.quorumlb.ovs.pipeline.ReadBack;
import io.quorumlb.ovs.pipeline.SlotFunctions;
import io.quorumlb.ovs.pipeline.SlotSets;
import io.quorumlb.ovs.pipeline.SwitchIntent;
import io.quorumlb.ovs.pipeline.SwitchIntent.ServedPool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Brings the switch to what is committed and proves it: read back, compare, change only the difference, read back.
 *
 * <p>Nothing is changed before the node has caught up with the log and read its network: until then the switch goes on
 * with what an earlier life of the controller left there.
 */
final class Installing {
    private static final Duration AUDIT_PERIOD = Duration.ofSeconds(2);
    /** An audit of a large switch takes its time: then at most a sixth of it is spent on audits. */
    private static final int AUDIT_PAUSE = 5;

    private static final Duration AUDIT_PERIOD_MAX = Duration.ofSeconds(30);
    /** A switch that restarts is back within a few tenths of a second, and asking a socket that is not there costs nothing. */
    private static final Duration RETRY = Duration.ofMillis(50);
    /** Less than the audit period, more than a change takes: a change that does not hold is tried again by the audit. */
    private static final Duration CHANGE_RETRY = Duration.ofSeconds(1);

    /** A switch that has just come back may not have made its ports yet. */
    private static final Duration BACK_PERIOD = Duration.ofMillis(100);

    /**
     * Pools that are compared, changed and read back at once; of more the others follow. All are read together only if
     * anything may differ.
     */
    private static final int POOLS_MAX = 32;

    private static final int SHOWN_MAX = 3;

    private Installing() {}

    static void read(Turn turn, SwitchSnapshot snapshot, long flowModsSent) {
        if (turn.datapath.snapshot().isEmpty()) {
            turn.say(
                    Severity.INFO,
                    "switch-read",
                    "switch read own_flows=%d foreign_flows=%d ports=%s",
                    snapshot.own().size(),
                    snapshot.foreign().size(),
                    snapshot.ports().keySet());
        }
        noticeForeign(turn, snapshot);
        Outages.read(turn, snapshot);
        Optional<SortedSet<Integer>> changed =
                turn.datapath.snapshot().flatMap(before -> ReadBack.changed(before, snapshot));
        boolean compared = everythingServed(turn)
                && turn.datapath.proven().isPresent()
                && turn.datapath.proven().equals(turn.datapath.compared());
        // Almost every audit finds what it found before: then what was computed from it stands.
        if (compared && changed.filter(SortedSet::isEmpty).isPresent()) {
            turn.datapath = turn.datapath.readTheSame(snapshot, turn.now, flowModsSent);
        } else if (changed.isPresent()
                && turn.datapath.comparison().basis().isPresent()
                && turn.datapath
                        .reading()
                        .installed()
                        .keySet()
                        .equals(definitions(turn).keySet())) {
            SortedSet<Integer> pools = changed.get();
            turn.datapath = turn.datapath.readSuspecting(
                    snapshot, digests(turn, snapshot, pools), pools, turn.now, flowModsSent);
        } else {
            turn.datapath = turn.datapath.read(snapshot, digests(turn, snapshot), turn.now, flowModsSent);
        }
    }

    /** What the change was about was read. All else is what it was: others' changes are told, and the audit reads on. */
    static void readPools(Turn turn, SortedSet<Integer> pools, SwitchSnapshot part, long flowModsSent) {
        Optional<SwitchSnapshot> before = turn.datapath.snapshot();
        boolean change = turn.datapath.comparison().attempt().isPresent();
        if (!change && before.isPresent() && Sweeping.read(turn, before.get(), pools, part, flowModsSent)) {
            return;
        }
        if (before.isEmpty() || !change) {
            // What was known of the rest is void meanwhile.
            ask(turn);
            return;
        }
        SwitchSnapshot snapshot = ReadBack.updated(before.get(), pools, part);
        turn.datapath = turn.datapath.readPools(snapshot, digests(turn, part.ownFlows(), pools), flowModsSent);
    }

    /** Returns what the switch's slot flows amount to if only those of some pools have changed. */
    static SortedMap<Integer, Digest> digests(Turn turn, SwitchSnapshot snapshot, SortedSet<Integer> pools) {
        return pools.isEmpty()
                ? turn.datapath.reading().installed()
                : digests(turn, ReadBack.flowsOf(snapshot, pools), pools);
    }

    private static SortedMap<Integer, Digest> digests(Turn turn, FlowMap<Flow> flows, SortedSet<Integer> pools) {
        SortedMap<Integer, PoolDefinition> definitions = definitions(turn);
        SortedMap<Integer, Digest> digests =
                new TreeMap<>(turn.datapath.reading().installed());
        definitions.keySet().removeIf(set -> !pools.contains(SlotSets.poolOf(set)));
        digests.keySet().removeIf(set -> pools.contains(SlotSets.poolOf(set)));
        digests.putAll(digests(flows.values(), definitions));
        return digests;
    }

    /** Returns what the switch's own slot flows amount to, by set of slots. */
    private static SortedMap<Integer, Digest> digests(Turn turn, SwitchSnapshot snapshot) {
        return digests(snapshot.flows(), definitions(turn));
    }

    private static SortedMap<Integer, Digest> digests(
            Collection<Flow> flows, SortedMap<Integer, PoolDefinition> definitions) {
        SortedMap<Integer, Digest> digests = new TreeMap<>();
        ReadBack.slotTables(flows, definitions).forEach((set, table) -> digests.put(set, table.digest()));
        return digests;
    }

    /** Returns what the sets of slots should be built from, by the number of the set. */
    private static SortedMap<Integer, PoolDefinition> definitions(Turn turn) {
        SortedMap<Integer, PoolDefinition> definitions = new TreeMap<>();
        for (Pool pool : turn.log.cluster().model().pools().values()) {
            definitions.put(pool.id(), definition(turn, pool));
            Optional.ofNullable(turn.datapath.serving().get(pool.id()))
                    .flatMap(ServedPool::failOpen)
                    .ifPresent(table -> definitions.put(SlotSets.failOpen(pool.id()), table.definition()));
        }
        return definitions;
    }

    /** Returns what the pool's flows are read as: what it forwards by, else what is committed. */
    private static PoolDefinition definition(Turn turn, Pool pool) {
        return Optional.ofNullable(turn.datapath.serving().get(pool.id()))
                .map(served -> served.table().definition())
                .or(() -> turn.log.cluster().generation(pool.id()).map(PoolGeneration::definition))
                .orElseGet(() -> new PoolDefinition(pool.algorithm(), pool.id(), pool.slots(), List.of()));
    }

    private static void noticeForeign(Turn turn, SwitchSnapshot snapshot) {
        int before = turn.datapath.snapshot().map(old -> old.foreign().size()).orElse(0);
        if (snapshot.foreign().size() != before) {
            turn.say(
                    Severity.WARNING,
                    "foreign-flows",
                    "flows of others in the switch from=%d to=%d%s",
                    before,
                    snapshot.foreign().size(),
                    snapshot.foreign().stream()
                            .findFirst()
                            .map(flow -> " first=\"" + flow.flow() + "\"")
                            .orElse(""));
            turn.news = true;
        }
    }

    static void changed(Turn turn) {
        // What was sent is not what is there: only the read-back tells.
        turn.datapath
                .comparison()
                .attempt()
                .flatMap(SwitchComparison.Attempt::pools)
                .filter(pools -> pools.size() <= POOLS_MAX)
                .ifPresentOrElse(pools -> askPools(turn, pools), () -> ask(turn));
    }

    /** After a pause: what was proven before it is proven again from what the switch holds now. */
    static void readAnew(Turn turn) {
        turn.datapath = turn.datapath.unproven();
        if (turn.datapath.phase() != Phase.IDLE) {
            // What is under way may be from before the pause.
            turn.datapath = turn.datapath.readAgain(turn.now);
        } else if (turn.datapath.snapshot().isPresent()) {
            ask(turn);
        }
    }

    static void failed(Turn turn, String reason) {
        if (!reason.equals(turn.datapath.reading().failure())) {
            turn.say(Severity.WARNING, "switch-failed", "switch cannot be used reason=\"%s\"", reason);
            turn.news = true;
        }
        if (turn.datapath.phase() != Phase.CHANGING) {
            Outages.gone(turn);
        }
        turn.datapath = turn.datapath.failed(reason, turn.now.plus(RETRY));
    }

    /** The connection ended. A call that is under way fails by itself, or has found the switch again. */
    static void lost(Turn turn, String reason) {
        if (turn.datapath.phase() == Phase.IDLE) {
            failed(turn, reason);
        } else {
            Outages.gone(turn);
            turn.datapath = turn.datapath.forgotten();
        }
    }

    /** Makes everything that is known of the switch void; it is read anew. */
    static void forget(Turn turn) {
        turn.datapath = turn.datapath.forgotten().readAgain(turn.now);
    }

    static void due(Turn turn) {
        if (turn.datapath.phase() != Phase.IDLE) {
            return;
        }
        if (turn.datapath.snapshot().isEmpty()) {
            if (turn.now.reached(turn.datapath.reading().at())) {
                ask(turn);
            }
            return;
        }
        Repairing.due(turn);
        SwitchSnapshot snapshot = turn.datapath.snapshot().get();
        if (turn.log.caughtUp()) {
            if (!turn.fingerprint.accepted()) {
                Fingerprinting.prepare(turn, snapshot);
            } else {
                work(turn, snapshot);
            }
        }
        if (turn.datapath.phase() == Phase.IDLE) {
            boolean audit = auditDue(turn);
            if (turn.datapath.readAgainAt().filter(turn.now::reached).isPresent()
                    || (audit && !Sweeping.serves(turn, snapshot))) {
                ask(turn);
            } else if (Sweeping.serves(turn, snapshot)) {
                Sweeping.due(turn, snapshot, audit);
            }
        }
    }

    /** Brings the switch to what it should hold. Nearly every step finds that nothing has changed that decides this. */
    private static void work(Turn turn, SwitchSnapshot snapshot) {
        var inputs = new SwitchState.Worked(
                turn.log.cluster(),
                turn.neighbours.edition(),
                turn.network.view(),
                turn.datapath.reading().edition());
        if (turn.datapath.compared().isPresent() && turn.datapath.worked().equals(Optional.of(inputs))) {
            return;
        }
        SortedSet<Integer> scope =
                turn.datapath.worked().flatMap(inputs::otherPools).orElseGet(() -> all(turn));
        if (!scope.isEmpty()) {
            Intents.serve(turn, scope);
        }
        Intents.intent(turn, snapshot).ifPresent(intent -> compare(turn, snapshot, intent));
        turn.datapath = turn.datapath.with(inputs);
    }

    /** Returns the pools that are configured, and those that are served still. */
    private static SortedSet<Integer> all(Turn turn) {
        SortedSet<Integer> all =
                new TreeSet<>(turn.log.cluster().model().pools().keySet());
        all.addAll(turn.datapath.built().keySet());
        all.addAll(turn.datapath.serving().keySet());
        return all;
    }

    private static boolean auditDue(Turn turn) {
        Duration period = turn.datapath.outage().isFresh(turn.now)
                ? BACK_PERIOD
                : auditPeriod(turn.datapath.reading().took());
        return turn.now.reached(turn.datapath.reading().at().plus(period));
    }

    /** The flow monitor tells of others' changes at once; the audit is the net below it, and may be wide when it is heavy. */
    private static Duration auditPeriod(Duration took) {
        Duration pause = took.multipliedBy(AUDIT_PAUSE);
        Duration bounded = pause.compareTo(AUDIT_PERIOD_MAX) < 0 ? pause : AUDIT_PERIOD_MAX;
        return bounded.compareTo(AUDIT_PERIOD) > 0 ? bounded : AUDIT_PERIOD;
    }

    private static void ask(Turn turn) {
        turn.datapath = turn.datapath.asked(turn.now);
        turn.want(new NodeEffect.ReadSwitch());
    }

    private static void askPools(Turn turn, SortedSet<Integer> pools) {
        turn.datapath = turn.datapath.in(Phase.READING);
        turn.want(new NodeEffect.ReadPools(pools));
    }

    private static void compare(Turn turn, SwitchSnapshot snapshot, SwitchIntent intent) {
        if (turn.datapath.compared().equals(Optional.of(intent))) {
            return;
        }
        if (!turn.datapath
                .reading()
                .installed()
                .keySet()
                .equals(definitions(turn).keySet())) {
            turn.datapath = turn.datapath.withInstalled(digests(turn, snapshot));
        }
        Optional<SortedSet<Integer>> scope = everythingServed(turn)
                ? turn.datapath.comparison().basis().flatMap(basis -> basis.scope(intent))
                : Optional.empty();
        Optional<SortedSet<Integer>> part = scope.filter(pools -> pools.size() > POOLS_MAX)
                .flatMap(pools -> turn.datapath.comparison().basis().map(basis -> basis.next(pools, POOLS_MAX)));
        Optional<SortedSet<Integer>> now = part.or(() -> scope);
        FlowMap<Flow> held = now.map(pools -> ReadBack.flowsOf(snapshot, pools)).orElseGet(snapshot::ownFlows);
        List<Flow> desired = notYetServed(turn, snapshot);
        desired.addAll(now.map(pools -> Pipeline.flows(intent, pools)).orElseGet(() -> Pipeline.flows(intent)));
        SortedMap<Integer, Group> groups = desiredGroups(turn, snapshot, intent);
        FlowDelta delta = FlowDelta.between(held, desired).withGroups(of(part, snapshot.groups()), of(part, groups));
        if (delta.isEmpty() && part.isPresent()) {
            turn.datapath = turn.datapath.withInstalled(digests(turn, held, part.get()));
            SortedSet<Integer> left = new TreeSet<>(scope.get());
            left.removeAll(part.get());
            turn.datapath = turn.datapath.equal(intent, part.get(), left);
            turn.news = true;
            return;
        }
        if (delta.isEmpty()) {
            if (!turn.datapath.proven().equals(Optional.of(intent))) {
                // It may have been read when the tables were others.
                turn.datapath = turn.datapath.withInstalled(
                        scope.map(pools -> digests(turn, held, pools)).orElseGet(() -> digests(turn, snapshot)));
                turn.news = true;
            }
            turn.datapath = turn.datapath.equal(intent);
            Outages.over(turn);
            return;
        }
        Optional<SwitchComparison.Attempt> attempt = turn.datapath
                .comparison()
                .attempt()
                .filter(last -> last.intent().equals(intent));
        if (attempt.filter(last -> !turn.now.reached(last.retryAt())).isPresent()) {
            if (attempt.get().count() == 1) {
                turn.say(
                        Severity.WARNING,
                        "flows-not-held",
                        "switch does not hold what it was sent: %d flows differ: %s",
                        delta.size(),
                        shown(delta));
            }
            turn.datapath = turn.datapath.waiting(intent);
            return;
        }
        if (Repairing.putRight(turn, snapshot, intent, delta)) {
            var next = new SwitchComparison.Attempt(
                    intent,
                    attempt.map(SwitchComparison.Attempt::count).orElse(0) + 1,
                    turn.now.plus(CHANGE_RETRY),
                    ReadBack.pools(delta, snapshot.own()));
            turn.datapath = turn.datapath.changing(next, scope);
            turn.want(new NodeEffect.ChangeSwitch(delta));
        }
        turn.news = true;
    }

    private static boolean everythingServed(Turn turn) {
        return turn.datapath
                .serving()
                .keySet()
                .containsAll(turn.log.cluster().model().pools().keySet());
    }

    /** Returns the flows of pools whose generation cannot be installed yet: they stay as they were found. */
    private static List<Flow> notYetServed(Turn turn, SwitchSnapshot snapshot) {
        List<Flow> found = new ArrayList<>();
        if (everythingServed(turn)) {
            return found;
        }
        for (Flow flow : snapshot.flows()) {
            if (isNotYetServed(turn, Cookie.pool(flow.cookie()))) {
                found.add(flow);
            }
        }
        return found;
    }

    /** The intent's groups, and those of pools whose generation cannot be installed yet. */
    private static SortedMap<Integer, Group> desiredGroups(Turn turn, SwitchSnapshot snapshot, SwitchIntent intent) {
        SortedMap<Integer, Group> groups = new TreeMap<>(snapshot.groups());
        groups.keySet().removeIf(group -> !isNotYetServed(turn, SlotFunctions.poolOf(group)));
        groups.putAll(SlotFunctions.groups(intent));
        return groups;
    }

    private static boolean isNotYetServed(Turn turn, int pool) {
        return turn.log.cluster().model().pools().containsKey(pool)
                && !turn.datapath.serving().containsKey(pool);
    }

    /** Returns the groups of some pools, or all. */
    private static SortedMap<Integer, Group> of(Optional<SortedSet<Integer>> pools, SortedMap<Integer, Group> groups) {
        SortedMap<Integer, Group> those = new TreeMap<>(groups);
        pools.ifPresent(some -> those.keySet().removeIf(group -> !some.contains(SlotFunctions.poolOf(group))));
        return those;
    }

    private static String shown(FlowDelta delta) {
        List<String> changes = new ArrayList<>();
        delta.putGroups().forEach(group -> changes.add("restores " + group));
        delta.deleteGroups().forEach(group -> changes.add("removes group " + Integer.toUnsignedString(group)));
        delta.delete().forEach(key -> changes.add("removes " + key));
        delta.add().forEach(flow -> changes.add("restores " + flow));
        String first = String.join("; ", changes.subList(0, Math.min(SHOWN_MAX, changes.size())));
        return changes.size() > SHOWN_MAX ? first + "; ..." : first;
    }
}
