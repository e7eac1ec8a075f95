package io.quorumlb.node.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.maglev.Ipv4Address;
import io.quorumlb.node.core.Attachment;
import io.quorumlb.node.core.MonotonicTime;
import io.quorumlb.node.core.NodeSettings;
import io.quorumlb.node.core.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StateWatchTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final StateWatch watch = new StateWatch(state(1));

    @Test
    void thePresentStateIsLookedAtFirst() throws InterruptedException {
        assertTrue(watch.await(seen -> incarnation(seen) == 1, Duration.ZERO));
        assertFalse(watch.await(seen -> incarnation(seen) == 2, Duration.ZERO));
        assertFalse(watch.await(seen -> incarnation(seen) == 2, Duration.ofMillis(-1)));
    }

    @Test
    void theLastOfManyStatesIsNeverMissed() throws Exception {
        int waiters = 20;
        int states = 2000;
        CountDownLatch started = new CountDownLatch(waiters);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int waiter = 0; waiter < waiters; waiter++) {
                waiting.add(threads.submit(() -> {
                    started.countDown();
                    return watch.await(seen -> incarnation(seen) == states, LONG);
                }));
            }
            started.await();
            for (int incarnation = 2; incarnation <= states; incarnation++) {
                watch.publish(state(incarnation));
            }
            for (Future<Boolean> one : waiting) {
                assertTrue(one.get(20, TimeUnit.SECONDS));
            }
        }
        assertEquals(states, incarnation(watch.current()));
    }

    @Test
    void theLimitHoldsWhileOtherStatesCome() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> waiting = threads.submit(() -> watch.await(_ -> false, Duration.ofMillis(100)));
            while (!waiting.isDone()) {
                watch.publish(state(3));
                Thread.onSpinWait();
            }
            assertFalse(waiting.get());
        }
    }

    @Test
    void anInterruptEndsTheWait() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(1);
        Thread waiter = Thread.ofVirtual().start(() -> {
            assertThrows(
                    InterruptedException.class,
                    () -> watch.await(
                            _ -> {
                                looked.countDown();
                                return false;
                            },
                            LONG));
            ended.countDown();
        });
        looked.await();
        waiter.interrupt();
        assertTrue(ended.await(10, TimeUnit.SECONDS));
    }

    private static long incarnation(NodeState state) {
        return state.settings().incarnation();
    }

    private static NodeState state(long incarnation) {
        NodeId self = new NodeId("n1");
        NodeSettings settings = new NodeSettings(
                "site",
                self,
                new TreeSet<>(List.of(self)),
                incarnation,
                new Attachment("x-uplink", "uplink"),
                Ipv4Address.parse("10.10.0.1"),
                new TreeMap<>());
        return NodeState.initial(settings, new MonotonicTime(0));
    }
}
