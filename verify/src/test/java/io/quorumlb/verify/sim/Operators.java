package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.machine.Origin;
import io.quorumlb.consensus.machine.Outcome;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.Guard;
import io.quorumlb.consensus.model.GuardOverride;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.model.RequestId;
import io.quorumlb.consensus.pool.Health;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Writes through any node, which forwards to the leader as the peer links do; remembers what it was told is done. */
final class Operators {
    private static final Duration RETRY = Duration.ofMillis(100);
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);
    /** Each so manieth write is asked again although it was answered. */
    private static final int ASKED_AGAIN = 4;

    private static final Duration ASK_AGAIN_AFTER = Duration.ofSeconds(3);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(5);
    /** The longest hold, drain or ramp. */
    static final Duration TIMED_MAX = Duration.ofSeconds(6);

    /**
     * A write that was answered with success.
     *
     * @param command what was asked
     * @param done the answer
     */
    private record Acknowledged(Command command, Outcome.Done done) {}

    private final World world;
    private final Dice dice;
    private final List<Acknowledged> acknowledged = new ArrayList<>();
    private boolean busy = true;
    private long overridesAgainAt;
    private long writes;

    Operators(World world, Dice dice) {
        this.world = world;
        this.dice = dice;
    }

    /** Writes something every few seconds until {@link #rest()}. */
    void work() {
        world.scheduler.after(dice.millis(300, 4000), () -> {
            if (busy) {
                SimNode node = dice.pick(world.nodes());
                if (node.acting()) {
                    write(node, drawn(), _ -> {});
                }
                work();
            }
        });
    }

    void rest() {
        busy = false;
    }

    private Command drawn() {
        List<Member> members = world.checks.canon.latest().model().members().values().stream()
                .filter(member -> !member.retired())
                .toList();
        int host = (int) dice.between(1, Settings.HOSTS_MAX);
        if (members.isEmpty() || dice.percent(15)) {
            return SimSite.createMember(host, (int) dice.between(1, 3));
        }
        Member member = dice.pick(members);
        return switch (dice.below(11)) {
            case 0, 1 -> new Command.SetMemberAdmin(SimSite.POOL, member.name(), AdminState.DRAINED);
            case 2, 3, 4 -> new Command.SetMemberAdmin(SimSite.POOL, member.name(), AdminState.ENABLED);
            case 5 -> new Command.SetMemberWeight(SimSite.POOL, member.name(), (int) dice.between(0, 4));
            case 6 -> new Command.SetMemberCeiling(SimSite.POOL, member.name(), dice.below(member.weight() + 1));
            case 7 -> new Command.HoldMember(SimSite.POOL, member.name(), Health.DOWN, duration(), "a deploy");
            case 8 ->
                dice.percent(70)
                        ? new Command.HoldMember(SimSite.POOL, member.name(), Health.UP, duration(), "I know better")
                        : new Command.ReleaseMember(SimSite.POOL, member.name());
            case 9 ->
                dice.percent(50)
                        ? new Command.DrainMember(SimSite.POOL, member.name(), OptionalLong.of(duration()))
                        : new Command.RampMember(SimSite.POOL, member.name(), duration(), (int) dice.between(1, 4));
            default -> new Command.DeleteMember(SimSite.POOL, member.name());
        };
    }

    private long duration() {
        return dice.between(1_000, TIMED_MAX.toMillis());
    }

    /** If a leader holds a change of the configuration back, an operator wants it all the same; once a second. */
    void overrideWhatIsHeld() {
        if (world.now() < overridesAgainAt) {
            return;
        }
        for (SimNode node : world.nodes()) {
            boolean held = node.acting()
                    && node.state().leadership() instanceof Leadership.Leading
                    && node.state().report(node.now()).pools().stream()
                            .flatMap(pool -> pool.holds().stream())
                            .anyMatch(hold -> hold.code().equals(Guard.DISRUPTION.code()));
            if (held) {
                overridesAgainAt = world.now() + RETRY_MAX.toNanos() / 5;
                ClusterState state = node.state().cluster();
                long generation = state.generationNumber(state.history().firstKey());
                var guards = new TreeSet<>(List.of(Guard.DISRUPTION));
                write(node, new Command.OverrideGuards(SimSite.POOL, new GuardOverride(guards, generation)), _ -> {});
            }
        }
    }

    /** Writes through the node; the result is empty if it is not known. */
    void write(SimNode node, Command asked, Consumer<Optional<Outcome>> result) {
        long millis = Duration.ofNanos(world.now()).toMillis();
        long number = ++writes;
        var request = new RequestId("w" + number);
        // Virtual time is the same for all: the leader's stamp would be this one.
        var command = new Command.Requested(new Origin(request, asked.toString(), millis, OptionalLong.empty()), asked);
        world.note(node, () -> "operator writes " + command);
        attempt(node, command, world.now(), outcome -> {
            world.note(node, () -> "operator is told " + outcome + " of " + command);
            switch (outcome) {
                case ProposeOutcome.Committed(Outcome.Done done) -> {
                    acknowledge(new Acknowledged(command, done));
                    result.accept(Optional.of(done));
                    if (number % ASKED_AGAIN == 0) {
                        // Some orchestrators do so after a restart of their own: it must be answered as before.
                        world.scheduler.after(ASK_AGAIN_AFTER, () -> attempt(node, command, world.now(), _ -> {}));
                    }
                }
                case ProposeOutcome.Committed(Outcome.Refused refused) -> result.accept(Optional.of(refused));
                case ProposeOutcome.NotLeader _, ProposeOutcome.Unknown _ -> result.accept(Optional.empty());
            }
        });
    }

    private void attempt(SimNode node, Command command, long start, Consumer<ProposeOutcome> told) {
        if (!node.acting()) {
            told.accept(world.mischief.told(new ProposeOutcome.Unknown("the node went away")));
            return;
        }
        var _ = node.log().propose(command).thenAccept(own -> {
            if (!(own instanceof ProposeOutcome.NotLeader(Optional<NodeId> named))) {
                retry(node, command, start, own, told);
                return;
            }
            Optional<NodeId> leader = named.or(() -> leader(node)).filter(id -> !id.equals(node.id));
            if (leader.isPresent()) {
                forward(node, world.node(leader.get()), command, outcome -> retry(node, command, start, outcome, told));
            } else {
                retry(node, command, start, own, told);
            }
        });
    }

    private void retry(
            SimNode node, Command command, long start, ProposeOutcome outcome, Consumer<ProposeOutcome> told) {
        boolean again = !(outcome instanceof ProposeOutcome.Committed)
                && node.acting()
                && world.now() - start < RETRY_MAX.toNanos();
        if (again) {
            world.scheduler.after(RETRY, () -> attempt(node, command, start, told));
        } else {
            told.accept(world.mischief.told(outcome));
        }
    }

    private static Optional<NodeId> leader(SimNode node) {
        return node.state().leadership() instanceof Leadership.Following(long _, NodeId leader)
                ? Optional.of(leader)
                : Optional.empty();
    }

    /** Over the peer link and back; a message that is lost leaves the outcome unknown. */
    private void forward(SimNode from, SimNode leader, Command command, Consumer<ProposeOutcome> answer) {
        var once = new Consumer<ProposeOutcome>() {
            private boolean answered;

            @Override
            public void accept(ProposeOutcome outcome) {
                if (!answered) {
                    answered = true;
                    answer.accept(outcome);
                }
            }
        };
        world.scheduler.after(ANSWER_MAX, () -> once.accept(new ProposeOutcome.Unknown("no answer in time")));
        world.gossip.delays(from.id, leader.id).stream()
                .findFirst()
                .ifPresent(there -> world.scheduler.after(there, () -> {
                    if (leader.acting()) {
                        var _ = leader.log()
                                .propose(command)
                                .thenAccept(outcome -> world.gossip.delays(leader.id, from.id).stream()
                                        .findFirst()
                                        .ifPresent(back -> world.scheduler.after(back, () -> once.accept(outcome))));
                    }
                }));
    }

    private void acknowledge(Acknowledged write) {
        acknowledged.add(write);
        require(write);
    }

    private void require(Acknowledged write) {
        List<Command> done = world.checks.canon.done(write.done.revision());
        if (!done.contains(write.command)) {
            throw new Violation(
                    Invariant.ACKNOWLEDGED_WRITE_SURVIVES,
                    "%s was acknowledged with revision %d, at which was done: %s"
                            .formatted(write.command, write.done.revision(), done));
        }
    }

    /** Checks that every node has every acknowledged write. */
    void requireAll() {
        acknowledged.forEach(this::require);
        long last = acknowledged.stream()
                .mapToLong(write -> write.done.revision())
                .max()
                .orElse(0);
        for (SimNode node : world.nodes()) {
            if (node.state().cluster().revision() < last) {
                throw new Violation(
                        Invariant.ACKNOWLEDGED_WRITE_SURVIVES,
                        "%s has revision %d, acknowledged was %d"
                                .formatted(node.id, node.state().cluster().revision(), last));
            }
        }
    }

    int acknowledged() {
        return acknowledged.size();
    }
}
