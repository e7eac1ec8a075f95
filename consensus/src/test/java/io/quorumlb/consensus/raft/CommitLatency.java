package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.AdminState;
import io.quorumlb.consensus.model.HealthMonitor;
import io.quorumlb.consensus.model.Member;
import io.quorumlb.consensus.model.MonitorCheck;
import io.quorumlb.consensus.model.Pool;
import io.quorumlb.maglev.HashAlgoVersion;
import io.quorumlb.maglev.MemberKey;
import io.quorumlb.maglev.TableMember;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures three servers in one process: the time until a commit is answered and until all have
 * applied it, the time of a barrier, and from the closing of the leader to the
 * next commit.
 */
public final class CommitLatency {
    private static final int WARM_UP = 300;
    private static final int COMMITS = 1000;
    private static final int FAILOVERS = 10;

    private static final Pool POOL = new Pool(
            0,
            "web",
            HashAlgoVersion.V1,
            1024,
            new HealthMonitor(new MonitorCheck.Tcp(), Duration.ofSeconds(1), Duration.ofMillis(500), 2, 3));
    private static final Member MEMBER =
            new Member(0, 0, 0, "be1", MemberKey.parse("10.0.1.2:8080"), 1, AdminState.ENABLED);

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
            cluster.commit(TestCluster.segment(1));
            cluster.commit(new Command.CreatePool(POOL));
            cluster.commit(new Command.CreateMember("web", "s1", MEMBER));
            for (int i = 0; i < WARM_UP; i++) {
                cluster.commit(next());
            }
            TestNode leader = cluster.leader();
            TestNode follower = cluster.followers().getFirst();
            long[] commits = new long[COMMITS];
            long[] everywhere = new long[COMMITS];
            long[] barriers = new long[COMMITS];
            for (int i = 0; i < COMMITS; i++) {
                long start = System.nanoTime();
                if (!(leader.propose(next()) instanceof ProposeOutcome.Committed)) {
                    throw new IllegalStateException("the leader lost its office: measure again on a quieter machine");
                }
                commits[i] = System.nanoTime() - start;
                for (TestNode node : cluster.nodes()) {
                    node.awaitState(leader.state());
                }
                everywhere[i] = System.nanoTime() - start;
                long asked = System.nanoTime();
                follower.barrier();
                barriers[i] = System.nanoTime() - asked;
            }
            print("commit at the leader", commits);
            print("applied on all three", everywhere);
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
        List<TestNode> others = cluster.followers();
        long term = leader.leadership().term();
        long start = System.nanoTime();
        Thread closing = Thread.startVirtualThread(leader::close);
        for (TestNode other : others) {
            other.await("in a later term", node -> node.leadership().term() > term);
        }
        cluster.commit(next());
        long elapsed = System.nanoTime() - start;
        closing.join();
        cluster.open();
        cluster.leader();
        return elapsed;
    }

    /** Returns a command that changes the state and leaves its size. */
    private Command next() {
        number++;
        return new Command.SetMemberWeight("web", "be1", number % TableMember.WEIGHT_MAX);
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
