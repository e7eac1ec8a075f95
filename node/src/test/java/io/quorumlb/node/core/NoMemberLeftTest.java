package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.Listener;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.consensus.model.Protocol;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.ovs.flow.Action;
import io.quorumlb.ovs.flow.Field;
import io.quorumlb.ovs.flow.Flow;
import io.quorumlb.ovs.flow.Instruction;
import io.quorumlb.ovs.pipeline.PipelineTable;
import io.quorumlb.ovs.pipeline.SlotSets;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** All members of pool web die and come back. */
class NoMemberLeftTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SORRY = 2;

    private final SimCluster cluster = SimCluster.converged();

    private void policy(EmptyPolicy policy) {
        cluster.log.operator(new Command.SetWhenEmpty("web-http", policy));
        settled();
    }

    private void settled() {
        cluster.run(Duration.ofSeconds(1));
        cluster.until(
                () -> cluster.nodes().stream()
                        .allMatch(node -> node.web().state() == InstallState.CONVERGED
                                && node.web().generation() == cluster.generation()),
                LIMIT);
    }

    private void allDie() {
        for (int member = 1; member <= 4; member++) {
            cluster.answers(member, false);
        }
        cluster.until(() -> cluster.log.state().empty(Site.WEB), LIMIT);
        settled();
    }

    private void comesBack(int member) {
        cluster.answers(member, true);
        long before = cluster.generation();
        cluster.until(() -> cluster.generation() > before, LIMIT);
        settled();
    }

    /** Returns the sets of slots that the listener's packets find on the nodes. */
    private SortedSet<Long> found() {
        SortedSet<Long> sets = new TreeSet<>();
        for (NodeDriver node : cluster.nodes()) {
            node.ovs.flows.values().stream()
                    .filter(flow -> flow.key().table() == PipelineTable.LISTENER.id())
                    .flatMap(flow -> flow.instructions().stream())
                    .flatMap(instruction -> instruction instanceof Instruction.ApplyActions(var actions)
                            ? actions.stream()
                            : List.<Action>of().stream())
                    .forEach(action -> {
                        if (action instanceof Action.SetField set && set.field() == Field.REG0) {
                            sets.add(set.value());
                        }
                    });
        }
        return sets;
    }

    private static SortedSet<Long> only(long set) {
        return new TreeSet<>(List.of(set));
    }

    /** Returns the members that own slots of a set on a node. */
    private SortedSet<Long> owners(long set) {
        SortedSet<Long> owners = new TreeSet<>();
        for (Flow flow : cluster.node(Site.N2).ovs.flows.values()) {
            boolean ofSet = flow.key().table() == PipelineTable.SLOTS.id()
                    && flow.key()
                            .match()
                            .term(Field.REG0)
                            .filter(term -> term.value() == set)
                            .isPresent();
            for (Instruction instruction : flow.instructions()) {
                if (ofSet && instruction instanceof Instruction.ApplyActions(var actions)) {
                    actions.forEach(action -> {
                        if (action instanceof Action.SetField set2) {
                            owners.add(set2.value());
                        }
                    });
                }
            }
        }
        return owners;
    }

    private boolean announced() {
        return cluster.nodes().stream().allMatch(node -> node.report().announced());
    }

    @Test
    void withoutAnotherWordPacketsAreDroppedAndTheRouteStays() {
        allDie();
        assertEquals(only(Site.WEB), found());
        assertEquals(new TreeSet<>(), owners(Site.WEB));
        assertTrue(announced());
        assertEquals(1, cluster.node(Site.N2).said("pool has no member left").size());
        comesBack(3);
        assertFalse(cluster.log.state().empty(Site.WEB));
        assertEquals(1, cluster.node(Site.N2).said("no longer counts as empty").size());
    }

    @Test
    void failOpenGivesPacketsToTheEnabledMembersOnly() {
        cluster.admin("be4", AdminState.DRAINED);
        policy(new EmptyPolicy.FailOpen());
        assertEquals(only(Site.WEB), found(), "nothing changes while members are up");
        long all = SlotSets.failOpen(Site.WEB);
        assertEquals(new TreeSet<>(List.of(1L, 2L, 3L)), owners(all));
        allDie();
        assertEquals(only(all), found());
        assertEquals(new TreeSet<>(), owners(Site.WEB));
        cluster.admin("be3", AdminState.DRAINED);
        settled();
        assertEquals(
                1,
                cluster.nodes().stream()
                        .map(node -> node.web().failOpen().orElseThrow())
                        .distinct()
                        .count(),
                "one digest");
        assertEquals(new TreeSet<>(List.of(1L, 2L)), owners(all));
        comesBack(1);
        assertEquals(only(Site.WEB), found());
        assertEquals(new TreeSet<>(List.of(1L)), owners(Site.WEB));
    }

    @Test
    void rejectHoldsUntilEnoughMembersAreBackAndTheRouteStays() {
        cluster.log.operator(new Command.SetMinEligible("web", 2));
        policy(new EmptyPolicy.Reject());
        assertEquals(only(Site.WEB), found(), "nothing changes while members are up");
        allDie();
        assertEquals(only(SlotSets.reject(Site.WEB)), found());
        assertTrue(announced());
        comesBack(1);
        assertEquals(only(SlotSets.reject(Site.WEB)), found(), "one is not enough");
        comesBack(2);
        assertEquals(only(Site.WEB), found());
    }

    @Test
    void itHoldsUntilEnoughMembersAreBack() {
        cluster.log.operator(new Command.SetMinEligible("web", 2));
        policy(new EmptyPolicy.FailOpen());
        allDie();
        comesBack(1);
        assertEquals(only(SlotSets.failOpen(Site.WEB)), found(), "one is not enough");
        cluster.restartControllers(Site.N1, Site.N2, Site.N3);
        for (int member = 2; member <= 4; member++) {
            cluster.answers(member, false);
        }
        cluster.log.elect(Site.N1);
        cluster.run(Duration.ofSeconds(10));
        assertEquals(only(SlotSets.failOpen(Site.WEB)), found(), "a restart changes nothing");
        comesBack(2);
        assertEquals(only(Site.WEB), found());
    }

    /** The new table is not there before the member can be reached: until then the row must not lead to it. */
    @Test
    void itHoldsUntilTheTableWithTheNewMemberIsInstalled() {
        policy(new EmptyPolicy.FailOpen());
        allDie();
        for (NodeDriver node : cluster.nodes()) {
            node.answering.add(5);
        }
        cluster.log.operator(Site.createMember("be5", "p2", MemberKey.parse("10.20.0.9:8080")));
        cluster.until(() -> !cluster.log.state().empty(Site.WEB), LIMIT);
        cluster.run(Duration.ofSeconds(3));
        assertEquals(InstallState.WAITING_NEIGHBOUR, cluster.node(Site.N2).web().state());
        assertEquals(only(SlotSets.failOpen(Site.WEB)), found());
        for (NodeDriver node : cluster.nodes()) {
            node.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(9)));
        }
        settled();
        assertEquals(only(Site.WEB), found());
    }

    @Test
    void aFallbackPoolServesMeanwhile() {
        cluster.log.operator(new Command.CreatePool(new Pool(0, "sorry", HashAlgoVersion.V2, 256, Site.MONITOR)));
        for (NodeDriver node : cluster.nodes()) {
            node.answering.add(5);
            node.neighbours("p2", macs -> macs.put(Ipv4Address.parse("10.20.0.9"), Site.mac(9)));
        }
        cluster.log.operator(new Command.CreateMember(
                "sorry", "p2", new Member(0, 0, 0, "be1", MemberKey.parse("10.20.0.9:8080"), 1, AdminState.ENABLED)));
        cluster.until(() -> cluster.log.state().generationNumber(SORRY) > 0, LIMIT);
        policy(new EmptyPolicy.FallbackPool("sorry"));
        cluster.until(() -> owners(SORRY).equals(only(5)), LIMIT);
        assertEquals(only(Site.WEB), found());
        allDie();
        assertEquals(only(SORRY), found());
        comesBack(2);
        assertEquals(only(Site.WEB), found());
    }

    @Test
    void withdrawTakesTheRouteAwayAndBringsItBack() {
        policy(new EmptyPolicy.Withdraw());
        assertTrue(announced());
        allDie();
        cluster.until(
                () -> cluster.nodes().stream().noneMatch(node -> node.report().announced()), LIMIT);
        assertEquals(
                "no VIP has a listener with a member left",
                cluster.node(Site.N1).report().notAnnouncedReason());
        assertTrue(cluster.node(Site.N1).state().ready(), "it has nothing to announce, and is well");
        cluster.log.operator(
                new Command.SetService(Site.N3, Command.Service.OUT, "test", new TreeSet<>(List.of(Site.N1, Site.N2))));
        cluster.run(Duration.ofSeconds(10));
        assertTrue(
                cluster.node(Site.N1).wanted(NodeEffect.Propose.class).stream()
                        .noneMatch(proposal -> proposal.command() instanceof Command.SetService set
                                && set.reason().equals("no other node serves")),
                "that nothing is announced is no reason to bring a node back");
        comesBack(2);
        cluster.until(this::announced, LIMIT);
    }

    @Test
    void aVipGoesOnlyIfAllItsListenersWithdraw() {
        policy(new EmptyPolicy.Withdraw());
        cluster.log.operator(
                new Command.CreateListener("web", new Listener(0, "web-udp", Site.VIP, Protocol.UDP, 53, 0)));
        settled();
        allDie();
        cluster.run(Duration.ofSeconds(5));
        assertTrue(announced());
    }
}
