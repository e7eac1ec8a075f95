package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Measures three servers in one process: the time of a commit, of a barrier, and from the closing of the leader to the
 * next commit.
 */
public final class CommitLatency {
    private static final int WARM_UP = 300;
    private static final int COMMITS = 1000;
    private static final int FAILOVERS = 10;

    private int number;

    private CommitLatency() {}

    /** Takes the directory to work in; without one, a temporary directory. */
    public static void main(String[] arguments) throws Exception {
        Path directory =
                arguments.length > 0 ? Path.of(arguments[0]) : Files.createTempDirectory("quorumlb-commit-latency-");
        new CommitLatency().run(directory);
    }

    private void run(Path directory) throws Exception {
        try (var cluster = new TestCluster(directory, RaftTuning.PRODUCT).open()) {
            for (int i = 0; i < WARM_UP; i++) {
                cluster.commit(next());
            }
            TestNode leader = cluster.leader();
            TestNode follower = cluster.followers().getFirst();
            long[] commits = new long[COMMITS];
            long[] barriers = new long[COMMITS];
            for (int i = 0; i < COMMITS; i++) {
                long start = System.nanoTime();
                if (!(leader.propose(next()) instanceof ProposeOutcome.Committed)) {
                    throw new IllegalStateException("the leader lost its office: measure again on a quieter machine");
                }
                commits[i] = System.nanoTime() - start;
                long asked = System.nanoTime();
                follower.barrier();
                barriers[i] = System.nanoTime() - asked;
            }
            print("commit at the leader", commits);
            print("barrier at a follower", barriers);
            long[] failovers = new long[FAILOVERS];
            for (int i = 0; i < FAILOVERS; i++) {
                failovers[i] = failover(cluster);
            }
            print("leader closed -> next commit", failovers);
        }
    }

    private long failover(TestCluster cluster) throws Exception {
        TestNode leader = cluster.leader();
        Thread closing = Thread.startVirtualThread(leader::close);
        long start = System.nanoTime();
        boolean committed = false;
        while (!committed) {
            for (TestNode node : cluster.nodes()) {
                committed |= node != leader && node.propose(next()) instanceof ProposeOutcome.Committed;
            }
        }
        long elapsed = System.nanoTime() - start;
        closing.join();
        cluster.open();
        cluster.leader();
        return elapsed;
    }

    private Command next() {
        number++;
        return TestCluster.segment(number);
    }

    private static void print(String what, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%-30s n=%d p50 %.2f ms, p99 %.2f ms, max %.2f ms%n",
                what,
                nanos.length,
                millis(nanos[nanos.length / 2]),
                millis(nanos[nanos.length * 99 / 100]),
                millis(nanos[nanos.length - 1]));
    }

    private static double millis(long nanos) {
        return nanos / (double) TimeUnit.MILLISECONDS.toNanos(1);
    }
}
