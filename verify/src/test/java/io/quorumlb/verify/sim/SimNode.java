package io.quorumlb.verify.sim;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeCore;
import io.quorumlb.node.core.NodeEvent;
import io.quorumlb.node.core.NodeState;
import io.quorumlb.node.core.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One node: the real core, its inbox and its loop, which faults can stop, freeze and start again. */
final class SimNode {
    /** As in the node's inbox: what is refused is asked for again. */
    private static final int GOSSIP_WAITING_MAX = 256;

    private static final Duration HANDLING = Duration.ofNanos(300_000);
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** After a disturbance a node needs so long to prove its tables and be announced again. */
    private static final Duration SETTLED = Duration.ofSeconds(12);

    private static final Duration ROUTES_KEPT = Duration.ofSeconds(10);

    final NodeId id;
    final SimSwitch ovs;
    private final World world;
    private final NodeClock clock;
    private final CoreEdge edge;
    private final List<NodeEvent> inbox = new ArrayList<>();
    private NodeState state;
    private int life;
    private int stopped = 1;
    private int frozen;
    private long frozenSince;
    private boolean stepPlanned;
    private boolean tickPlanned;
    private long steppedAt;
    private long indexWhenWoken;
    private int gossipWaiting;
    private boolean routes;
    private long routesConfirmedAt;
    private long wallClockOffset;
    private long disturbedAt;

    SimNode(World world, NodeId id, Dice dice) {
        this.world = world;
        this.id = id;
        this.clock = NodeClock.drawn(dice.fork("clock"));
        this.ovs = new SimSwitch(world, this, dice.fork("switch"));
        this.edge = new CoreEdge(world, this, dice.fork("edge"));
        this.state = NodeState.initial(CoreEdge.settings(world.settings, id, 1), now());
    }

    MonotonicTime now() {
        return clock.at(world.scheduler.nowNanos());
    }

    NodeState state() {
        return state;
    }

    GenerationLog log() {
        return world.log.of(id);
    }

    /** Returns a number that changes with each start of the controller. */
    int life() {
        return life;
    }

    boolean running() {
        return stopped == 0;
    }

    boolean acting() {
        return stopped == 0 && frozen == 0;
    }

    /** Starts the controller, or takes one of several reasons away for which it is stopped. */
    void start() {
        stopped--;
        if (stopped == 0) {
            life++;
            inbox.clear();
            gossipWaiting = 0;
            long incarnation = 100_000_000 + (world.scheduler.nowNanos() + wallClockOffset) / 1_000_000;
            state = NodeState.initial(CoreEdge.settings(world.settings, id, incarnation), now());
            woken();
            disturbedAt = world.scheduler.nowNanos();
            steppedAt = world.scheduler.nowNanos();
            world.checks.started(this);
            world.note(this, () -> "starts, incarnation " + incarnation);
            world.log.start(this);
            if (frozen > 0) {
                world.log.freeze(this);
            }
            wake();
        }
    }

    void stop() {
        stopped++;
        if (stopped == 1) {
            world.note(this, () -> "controller killed");
            world.log.stop(this);
            inbox.clear();
            gossipWaiting = 0;
        }
    }

    void freeze() {
        if (frozen == 0) {
            frozenSince = world.scheduler.nowNanos();
            world.log.freeze(this);
        }
        frozen++;
    }

    void thaw() {
        frozen--;
        if (frozen == 0) {
            world.thawed(world.scheduler.nowNanos() - frozenSince);
            disturbedAt = world.scheduler.nowNanos();
            world.log.thaw(this);
            wake();
        }
    }

    void stepWallClock(Duration by) {
        wallClockOffset += by.toNanos();
    }

    /** Hands an event to one life of the controller. */
    void deliver(int toLife, NodeEvent event) {
        if (toLife != life || stopped > 0) {
            return;
        }
        if (event instanceof NodeEvent.GossipReceived && gossipWaiting++ >= GOSSIP_WAITING_MAX) {
            gossipWaiting--;
            return;
        }
        inbox.add(event);
        wake();
    }

    private void wake() {
        if (!stepPlanned && acting()) {
            stepPlanned = true;
            world.scheduler.after(HANDLING, () -> {
                stepPlanned = false;
                step();
            });
        }
    }

    private void planTick() {
        if (!tickPlanned) {
            tickPlanned = true;
            world.scheduler.at(steppedAt + world.settings.tick().toNanos(), () -> {
                tickPlanned = false;
                if (world.scheduler.nowNanos() - steppedAt
                        >= world.settings.tick().toNanos()) {
                    step();
                } else {
                    planTick();
                }
            });
        }
    }

    private void step() {
        if (!acting()) {
            return;
        }
        List<NodeEvent> events = inbox.isEmpty() ? List.of(new NodeEvent.Tick()) : List.copyOf(inbox);
        inbox.clear();
        gossipWaiting = 0;
        if (now().since(clock.at(steppedAt)).compareTo(PAUSE) > 0) {
            woken();
        }
        steppedAt = world.scheduler.nowNanos();
        List<NodeEvent> taken = world.mischief.incoming(this, events);
        world.noteEvents(this, taken);
        world.checks.before(this, events);
        Step step;
        try {
            step = NodeCore.step(state, taken, now());
        } catch (RuntimeException e) {
            throw new Violation(
                    Invariant.THE_CORE_GOES_ON,
                    "%s: %s at %s"
                            .formatted(
                                    id,
                                    e,
                                    List.of(e.getStackTrace()).subList(0, Math.min(4, e.getStackTrace().length))));
        }
        state = step.state();
        step.effects().forEach(effect -> {
            world.noteEffect(this, effect);
            world.checks.wanted(this, effect);
            world.mischief.outgoing(this, effect).ifPresent(edge::perform);
        });
        world.checks.after(this, taken);
        planTick();
    }

    private void woken() {
        indexWhenWoken = world.log.committed();
    }

    /** Returns the last index committed anywhere when this node started or last woke from a pause. */
    long indexWhenWoken() {
        return indexWhenWoken;
    }

    void routes(boolean on) {
        if (on != routes) {
            world.note(this, () -> on ? "routes announced" : "routes withdrawn");
        }
        routes = on;
        routesConfirmedAt = world.scheduler.nowNanos();
    }

    /** Returns true if nothing but its own choice has kept it from traffic for a while. */
    boolean couldServe() {
        return acting()
                && world.scheduler.nowNanos() - disturbedAt > SETTLED.toNanos()
                && ovs.soundFor().compareTo(SETTLED) > 0;
    }

    /** Returns true if its routes are announced: the supervisor keeps them for a while after the controller's last word. */
    boolean announced() {
        return routes && world.scheduler.nowNanos() - routesConfirmedAt <= ROUTES_KEPT.toNanos();
    }
}
