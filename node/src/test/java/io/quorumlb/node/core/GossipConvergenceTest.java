package io.quorumlb.node.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any loss, duplication, reordering, cut, standstill or restart: afterwards all nodes hold the same. */
class GossipConvergenceTest {
    private static final Duration TROUBLE = Duration.ofSeconds(15);
    private static final Duration ASK_AGAIN = Duration.ofMillis(200);

    static LongStream seeds() {
        return LongStream.range(0, 150);
    }

    private static void run(GossipWorld world, Duration end, List<String> wrong) {
        while (world.time().compareTo(end) < 0) {
            world.tick();
            world.agesAreNeverTooYoung(wrong);
            world.holdsOnlyWhatWasSaid(wrong);
            assertEquals(List.of(), wrong);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void convergesAfterAnyTrouble(long seed) {
        var dice = new Random(seed);
        int size = 2 + dice.nextInt(4);
        var world = new GossipWorld(seed, size);
        List<String> wrong = new ArrayList<>();
        List<NodeId> ids = List.copyOf(world.nodes.keySet());
        world.loss = dice.nextInt(5) / 10.0;
        world.duplication = dice.nextInt(4) / 10.0;
        world.flipping = true;
        for (int i = dice.nextInt(3); i > 0; i--) {
            world.stuck.add(pick(dice, ids) + "/" + (1 + dice.nextInt(16)));
        }
        long incarnation = 1;
        while (world.time().compareTo(TROUBLE) < 0) {
            switch (dice.nextInt(6)) {
                case 0 -> world.cut.add(pick(dice, ids) + ">" + pick(dice, ids));
                case 1 -> world.cut.clear();
                case 2 -> {
                    // Mostly a later life; sometimes the clock it is taken from went back.
                    incarnation += 100;
                    world.restart(pick(dice, ids), dice.nextInt(4) == 0 ? 10_000 - incarnation : 10_000 + incarnation);
                }
                case 3 -> {
                    Duration until = world.time().plus(Duration.ofMillis(dice.nextInt(3000)));
                    world.freeze(pick(dice, ids), until);
                }
                case 4 -> world.changeMembers();
                default -> {
                    // Some quiet.
                }
            }
            run(world, world.time().plus(Duration.ofMillis(dice.nextInt(1000))), wrong);
        }
        world.cut.clear();
        world.loss = 0;
        world.duplication = 0;
        world.flipping = false;
        world.nodes.values().forEach(node -> node.frozenUntil = Duration.ZERO);
        // In one seed of three one link stays cut both ways: others relay.
        boolean relayed = size > 2 && seed % 3 == 0;
        if (relayed) {
            world.cut.add("n1>n2");
            world.cut.add("n2>n1");
        }
        run(world, world.time().plus(bound(size, relayed)), wrong);
        assertEquals(List.of(), world.differences(), "held and said");
        Duration hop = Gossiping.PERIOD.plus(GossipWorld.DELAY_MAX).plus(GossipWorld.TICK.multipliedBy(3));
        assertEquals(List.of(), world.unfresh(hop.multipliedBy(relayed ? 2 : 1)));
    }

    /**
     * The last probe of a member that was late changes something once more; it is published with the next beat. That
     * may tell the owner of a later life of its own, whereupon it publishes again. A message is then under way once; if
     * something is missing it is asked for, in vain from all but one, and answered. A relay passes on what it has with
     * its own next beat, and is asked in its turn.
     */
    private static Duration bound(int size, boolean relayed) {
        Duration beat = Gossiping.PERIOD.plus(GossipWorld.DELAY_MAX).plus(GossipWorld.TICK.multipliedBy(2));
        Duration answer = ASK_AGAIN
                .multipliedBy(size)
                .plus(GossipWorld.DELAY_MAX.multipliedBy(2))
                .plus(GossipWorld.TICK.multipliedBy(3));
        Duration direct = beat.multipliedBy(2).plus(answer);
        return GossipWorld.SLOW.plus(relayed ? direct.plus(beat).plus(answer) : direct);
    }

    private static NodeId pick(Random dice, List<NodeId> ids) {
        return ids.get(dice.nextInt(ids.size()));
    }
}
