package io.quorumlb.verify.sim;

import io.quorumlb.consensus.model.EmptyPolicy;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.PoolGuards;
import io.quorumlb.maglev.HashAlgoVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What a seed draws before its world begins.
 *
 * @param seed what all chance comes from
 * @param nodes how many nodes
 * @param members how many members the pool starts with; the other hosts can be added by operators
 * @param algorithm recipe of the tables
 * @param slots number of slots M
 * @param monitor how members are probed
 * @param guards how the pool's table is kept from changing too much or too often
 * @param tick longest time between two steps of a node
 * @param electionMin shortest silence of a leader after which a follower asks for votes
 * @param electionMax longest such silence
 * @param faults how long faults begin
 * @param kind what happens in this world
 * @param whenEmpty what the listener does while no member is left
 * @param minEligible how many members end that
 */
record Settings(
        long seed,
        int nodes,
        int members,
        HashAlgoVersion algorithm,
        int slots,
        HealthMonitor monitor,
        PoolGuards guards,
        Duration tick,
        Duration electionMin,
        Duration electionMax,
        Duration faults,
        Kind kind,
        EmptyPolicy whenEmpty,
        int minEligible) {
    static final int HOSTS_MAX = 8;

    private static final List<Kind> KINDS = kinds();

    private static final List<EmptyPolicy> POLICIES = List.of(
            new EmptyPolicy.Drop(),
            new EmptyPolicy.FailOpen(),
            new EmptyPolicy.FailOpen(),
            new EmptyPolicy.Withdraw(),
            new EmptyPolicy.Reject());

    private static List<Kind> kinds() {
        List<Kind> kinds = new ArrayList<>(Collections.nCopies(16, Kind.ANYTHING));
        kinds.add(Kind.BLIND_OBSERVER);
        kinds.add(Kind.OLD_NEWS);
        kinds.add(Kind.BLIND_MAJORITY);
        kinds.add(Kind.MINORITY_LOST);
        return Collections.unmodifiableList(kinds);
    }

    /** What happens in a world. */
    enum Kind {
        /** Any faults, several at a time, and operators. */
        ANYTHING,
        /** Nothing but one observer whose probes fail while all members answer the others: no generation may come. */
        BLIND_OBSERVER,
        /**
         * Nothing but one node at a time that sees a member down; what the first ones saw reaches the leader only after
         * they have died: no generation may come.
         */
        OLD_NEWS,
        /** Nothing but observers that go blind, enough for a majority, while another sees all: no generation may come. */
        BLIND_MAJORITY,
        /** As many nodes as the cluster can do without are lost; the others go on, and see a member die. */
        MINORITY_LOST
    }

    static Settings drawn(long seed, int nodes) {
        var dice = new Dice(seed).fork("settings " + nodes);
        var empty = new Dice(seed).fork("when empty");
        Kind kind = dice.pick(KINDS);
        var interval = Duration.ofMillis(kind == Kind.OLD_NEWS ? 200 : dice.pick(List.of(200, 300, 500, 1000)));
        var timeout = interval.dividedBy(dice.pick(List.of(1, 2, 2)));
        var monitor =
                new HealthMonitor(new MonitorCheck.Http("/health"), interval, timeout, (int) dice.between(1, 3), (int)
                        dice.between(1, 3));
        return new Settings(
                seed,
                nodes,
                (int) dice.between(2, 5),
                dice.percent(25) ? HashAlgoVersion.V1 : HashAlgoVersion.of(2),
                256,
                monitor,
                guards(kind, dice),
                dice.percent(10) ? Duration.ofMillis(20) : dice.millis(40, 90),
                Duration.ofMillis(300),
                Duration.ofMillis(600),
                dice.millis(5_000, dice.percent(80) ? 12_000 : 40_000),
                kind,
                empty.pick(POLICIES),
                (int) empty.between(1, 3));
    }

    private static PoolGuards.Flapping flapping(int limit, Duration halfLife) {
        return new PoolGuards.Flapping(limit, limit * 3 / 8, halfLife);
    }

    /** The half-life is short, so that a member that has stopped flapping is back before the world ends. */
    private static PoolGuards guards(Kind kind, Dice dice) {
        var flapping = dice.percent(30)
                ? new PoolGuards.Flapping(0, 0, Duration.ofSeconds(1))
                : flapping((int) dice.between(1_200, 4_000), dice.millis(1_000, 3_000));
        boolean panics = kind == Kind.ANYTHING && dice.percent(10);
        return new PoolGuards(
                kind == Kind.BLIND_MAJORITY || dice.percent(80) ? 50 : 100,
                dice.percent(50) ? 60 : 100,
                panics ? 40 : 0,
                flapping,
                Duration.ofMillis(200),
                Duration.ofSeconds(3));
    }
}
