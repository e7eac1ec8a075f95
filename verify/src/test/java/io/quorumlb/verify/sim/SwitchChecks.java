package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.maglev.SlotTable;
import io.quorumlb.maglev.TableMember;
import io.quorumlb.node.core.InstallState;
import io.quorumlb.node.core.PoolReport;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.FlowDelta;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.flow.Match;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Holds what switches are told, hold and forward against what is committed. */
final class SwitchChecks {
    private static final int MARKER_TABLE = 250;
    private static final int LISTENER_TABLE = 8;

    /** What the number of a set of slots over all enabled members has beside the pool's id. */
    static final int FAIL_OPEN = 0x10000;

    private static final int SAMPLE = 8;

    private final World world;
    private final Canon canon;
    private int sampled;

    SwitchChecks(World world, Canon canon) {
        this.world = world;
        this.canon = canon;
    }

    void changeWanted(SimNode node, FlowDelta delta) {
        if (node.state().appliedIndex() < node.indexWhenWoken()) {
            throw new Violation(
                    Invariant.NOTHING_OLD_AFTER_A_PAUSE,
                    "%s changes its switch with the state at index %d, but %d was committed when it woke"
                            .formatted(node.id, node.state().appliedIndex(), node.indexWhenWoken()));
        }
        for (Flow flow : delta.add()) {
            if (flow.key().table() == MARKER_TABLE) {
                marked(node, flow);
            }
        }
    }

    /** The marker says which generation it is going to be. */
    private void marked(SimNode node, Flow marker) {
        int pool = marker.key()
                .match()
                .term(Field.REG0)
                .map(Match.Term::value)
                .orElse(0L)
                .intValue();
        long digest = (written(marker, Field.REG1) << 32) | written(marker, Field.REG2);
        long number = written(marker, Field.REG3);
        Optional<Canon.Committed> committed = canon.generation(pool, number);
        if (committed
                .filter(known -> known.generation().expected().prefix() == digest)
                .isEmpty()) {
            throw new Violation(
                    Invariant.ONLY_COMMITTED_IS_INSTALLED,
                    "%s installs generation %d of pool %d with digest %016x, committed is %s"
                            .formatted(
                                    node.id,
                                    number,
                                    pool,
                                    digest,
                                    committed
                                            .map(known -> known.generation()
                                                    .expected()
                                                    .hex())
                                            .orElse("none")));
        }
    }

    private static long written(Flow flow, Field field) {
        for (Instruction instruction : flow.instructions()) {
            if (instruction instanceof Instruction.ApplyActions(var actions)) {
                for (Action action : actions) {
                    if (action instanceof Action.SetField set && set.field() == field) {
                        return set.value();
                    }
                }
            }
        }
        return 0;
    }

    /** Returns where some packets of the corpus go now. */
    List<Corpus.Fate> sample(SimNode node) {
        List<Corpus.Fate> fates = new ArrayList<>();
        for (int i = 0; i < SAMPLE; i++) {
            fates.add(node.ovs.corpus.fate((sampled + i) % Corpus.SIZE));
        }
        sampled += SAMPLE;
        return fates;
    }

    /**
     * A node has changed its switch.
     *
     * @param before where packets went before the change
     * @param touched true if somebody else changed the switch since the node has read it
     */
    void changed(SimNode node, Change before, boolean touched) {
        node.ovs.owners().forEach((set, owners) -> {
            if (owners.equals(before.owners().get(set))) {
                // Not this change's doing: somebody has bent it, and a controller that has just started waits for
                // addresses.
                return;
            }
            if (set >= FAIL_OPEN) {
                if (!touched && !canon.wasFailOpen(set - FAIL_OPEN, owners)) {
                    throw new Violation(
                            Invariant.ONLY_ELIGIBLE_MEMBERS,
                            "the table of %s for want of members is not that over the members enabled at any time"
                                    .formatted(node.id));
                }
                return;
            }
            int pool = set;
            for (int owner : owners) {
                if (owner != SlotTable.NOBODY && !canon.wasEligible(owner) && !touched) {
                    throw new Violation(
                            Invariant.ONLY_ELIGIBLE_MEMBERS,
                            "a slot on %s leads to member %d, which no generation made eligible"
                                    .formatted(node.id, owner));
                }
            }
            if (!touched && !canon.isCommitted(pool, owners)) {
                throw new Violation(
                        Invariant.ONLY_COMMITTED_IS_INSTALLED,
                        "the table in the switch of %s after its change is that of no committed generation"
                                .formatted(node.id));
            }
        });
        if (!touched) {
            requireReasonToOpen(node);
        }
        node.ovs.lostForeign().ifPresent(flow -> {
            throw new Violation(Invariant.FOREIGN_FLOWS_STAY, "%s removed %s".formatted(node.id, flow));
        });
        if (!touched) {
            before.fates().forEach(fate -> requireUnmoved(node, before, fate));
        }
    }

    /** Members that are not up get packets only when the policy says so and none was left. */
    private void requireReasonToOpen(SimNode node) {
        for (Flow flow : node.ovs.flows()) {
            long set = flow.key().table() == LISTENER_TABLE ? written(flow, Field.REG0) : 0;
            int pool = (int) set & (FAIL_OPEN - 1);
            boolean opens = set >>> 16 == 1;
            boolean rejects = set >>> 16 == 2;
            if (rejects && !(world.settings.whenEmpty() instanceof EmptyPolicy.Reject && canon.wasEmpty(pool))) {
                throw new Violation(
                        Invariant.ONLY_ELIGIBLE_MEMBERS,
                        "%s refuses clients of pool %d, which has had members all the time".formatted(node.id, pool));
            }
            boolean reason = world.settings.whenEmpty() instanceof EmptyPolicy.FailOpen && canon.wasEmpty(pool);
            if (opens && !reason) {
                throw new Violation(
                        Invariant.ONLY_ELIGIBLE_MEMBERS,
                        "%s gives packets to all enabled members, but its pool has had some that are up all the time"
                                .formatted(node.id));
            }
        }
    }

    /**
     * What a switch held and did before a change.
     *
     * @param owners of the slots by pool
     * @param fates of packets
     */
    record Change(SortedMap<Integer, List<Integer>> owners, List<Corpus.Fate> fates) {}

    private void requireUnmoved(SimNode node, Change before, Corpus.Fate then) {
        Corpus.Fate now = node.ovs.corpus.fate(then.client());
        if (then.member().isEmpty() || then.slot() < 0) {
            return;
        }
        // Another set of slots is another table.
        boolean moved =
                then.set() != now.set() || !owner(node.ovs.owners(), then).equals(owner(before.owners(), then));
        boolean same = now.member()
                .filter(member -> member.sameMember(then.member().get()))
                .isPresent();
        if (!moved && !same) {
            throw new Violation(
                    Invariant.UNMOVED_SLOTS_KEEP_THEIR_MEMBER,
                    "client %d, slot %d on %s went to %s and goes to %s"
                            .formatted(then.client(), then.slot(), node.id, then.member(), now.member()));
        }
    }

    private Integer owner(SortedMap<Integer, List<Integer>> owners, Corpus.Fate fate) {
        return owners.getOrDefault(fate.set(), SlotOwners.nobody(world.settings.slots()))
                .get(fate.slot());
    }

    /** What the node says of itself must be what its switch held when it was read last. */
    void claims(SimNode node) {
        for (PoolReport report : node.state().report(node.now()).pools()) {
            if (report.state() == InstallState.CONVERGED && report.generation() > 0) {
                Optional<Canon.Committed> committed = canon.generation(report.poolId(), report.generation());
                List<Integer> held =
                        node.ovs.ownersRead().getOrDefault(report.poolId(), SlotOwners.nobody(world.settings.slots()));
                boolean proven = committed
                        .filter(known -> known.owners().equals(held)
                                && report.installed()
                                        .equals(Optional.of(known.generation().expected())))
                        .isPresent();
                if (!proven) {
                    throw new Violation(
                            Invariant.PROOF_IS_READ_FROM_THE_SWITCH,
                            "%s says that it has proven generation %d of pool %d with digest %s, but the switch held something else"
                                    .formatted(node.id, report.generation(), report.poolId(), report.installed()));
                }
            }
        }
    }

    /** Every packet of the corpus goes where the committed table says. */
    Optional<String> astray(SimNode node, int from, int to) {
        for (int client = from; client < to; client++) {
            Corpus.Fate fate = node.ovs.corpus.fate(client);
            Optional<String> wrong = astray(node, fate);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private Optional<String> astray(SimNode node, Corpus.Fate fate) {
        var pools = canon.latest().history();
        int pool = pools.firstKey();
        Canon.Committed committed =
                canon.generation(pool, canon.latest().generationNumber(pool)).orElseThrow();
        boolean opens = canon.latest().empty(pool) && world.settings.whenEmpty() instanceof EmptyPolicy.FailOpen;
        List<Integer> owners = opens ? canon.failOpen(pool) : committed.owners();
        if (owners.stream().allMatch(owner -> owner == SlotTable.NOBODY)) {
            return fate.member()
                    .map(member -> "client %d on %s goes to %s, but nobody is eligible"
                            .formatted(fate.client(), node.id, member));
        }
        if (fate.slot() < 0 || fate.member().isEmpty()) {
            return Optional.of("client %d on %s is dropped".formatted(fate.client(), node.id));
        }
        TableMember owner =
                committed.generation().member(owners.get(fate.slot())).orElseThrow();
        int host = SimSite.host(owner.key().ipv4().orElseThrow());
        var wanted = new Corpus.Destination(
                owner.key().ipv4().orElseThrow(), owner.key().port(), world.hosts.mac(host));
        return fate.member().equals(Optional.of(wanted))
                ? Optional.empty()
                : Optional.of("client %d, slot %d on %s goes to %s instead of %s"
                        .formatted(fate.client(), fate.slot(), node.id, fate.member(), wanted));
    }
}
