package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.machine.Command;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.EntryCodec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicated log as a Raft group of Apache Ratis; this node is one of its voters.
 *
 * <p>Outcomes of {@link #propose}: a follower, a new leader that has not yet committed an entry of its own term, a
 * leader that is stepping down and one with 1024 proposals under way have written nothing and say {@code NotLeader}, with
 * the leader's id if it is another node that is known; ask again. A proposal that reached this node's log and got no
 * answer within 3 s, or whose leader lost its office, is {@code Unknown}.
 *
 * <p>A {@link #readBarrier} asks the leader for its commit index (a leader with a valid lease knows it by itself) and waits
 * until this node has applied it, for at most 2 s.
 *
 * <p>A process that was frozen, however long, takes part again by itself when it wakes.
 *
 * <p>A node whose directory was lost must not start under its old id: as long as the same leader lives, that leader
 * refuses to send it what it believes the node has, so it stays without state; and the node could vote twice in one term.
 * Transferring the leadership lets it catch up; removing the node and adding it again is the safe cure.
 */
public final class RatisLog implements GenerationLog {
    private static final Logger LOG = LoggerFactory.getLogger(RatisLog.class);
    private static final Duration PROPOSE_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(2);
    /** While a transfer is under way nothing can be proposed. */
    private static final Duration HAND_OVER_TIMEOUT = Duration.ofSeconds(1);

    /** What Ratis says of a transfer that it has given up properly. */
    private static final String TRANSFER_TIMED_OUT = "TIMED_OUT";

    private static final int CHECKS_PER_ELECTION = 4;

    private final RaftSettings settings;
    private final EventStream events;
    private final LeadershipWatch leadership;
    private final Submissions submissions;
    private final RatisStateMachine stateMachine;
    private final RaftServer server;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("raft-watch").factory());
    /** Ratis may block a caller while an election holds its lock, and answers on threads it needs itself. */
    private final Executor threads =
            task -> Thread.ofVirtual().name("raft-request").start(task);

    private RatisLog(RaftSettings settings, RaftTuning tuning, Consumer<LogEvent> consumer) throws RaftStartException {
        this.settings = settings;
        events = new EventStream(consumer);
        leadership = new LeadershipWatch(settings.self(), events);
        submissions = new Submissions();
        stateMachine = new RatisStateMachine(events, leadership, submissions);
        server = RatisServers.start(settings, tuning, READ_TIMEOUT, stateMachine);
    }

    /**
     * Opens the log and starts to take part. What a snapshot on disk holds is published before this returns; later
     * entries follow once a leader says that they are committed.
     *
     * @param events gets every event, one at a time, from threads of the log; must neither block nor close the log
     * @throws RaftStartException naming directory or port, and what to do; nothing is left running
     */
    public static RatisLog open(RaftSettings settings, Consumer<LogEvent> events) throws RaftStartException {
        return open(settings, RaftTuning.PRODUCT, events);
    }

    static RatisLog open(RaftSettings settings, RaftTuning tuning, Consumer<LogEvent> events)
            throws RaftStartException {
        RatisLog log = new RatisLog(settings, tuning, events);
        long period = Math.max(1, settings.electionMin().toMillis() / CHECKS_PER_ELECTION);
        var _ = log.watch.scheduleWithFixedDelay(log::check, 0, period, TimeUnit.MILLISECONDS);
        LOG.info(
                "log of cluster {} opened: node {} of {}, directory {}",
                settings.clusterId(),
                settings.self(),
                settings.peers(),
                settings.directory());
        return log;
    }

    private void check() {
        try {
            stateMachine.info().ifPresent(this::check);
        } catch (RuntimeException e) {
            events.fail("the watch of the Raft server has failed (%s): start the node again".formatted(e));
            throw e;
        }
    }

    private void check(DivisionInfo info) {
        if (info.isAlive()) {
            leadership.check(info);
        } else {
            events.fail("the Raft server has stopped by itself: look for its last error in the log of the node, then"
                    + " start the node again");
        }
    }

    @Override
    public CompletableFuture<ProposeOutcome> propose(Command command) {
        long call = submissions.begin();
        Message entry =
                Message.valueOf(ByteString.copyFrom(EntryCodec.toWire(command).toByteArray()));
        return submit(call, entry, RaftClientRequest.writeRequestType())
                .orTimeout(PROPOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .handleAsync((reply, failure) -> submissions.end(call, reply, failure), threads);
    }

    @Override
    public CompletableFuture<Boolean> readBarrier() {
        return submit(submissions.nextCall(), Message.EMPTY, RaftClientRequest.readRequestType())
                .orTimeout(READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .handleAsync((reply, failure) -> failure == null && reply.isSuccess(), threads);
    }

    @Override
    public CompletableFuture<Boolean> handOver(Optional<NodeId> to) {
        // Without a name each of the others is asked in turn: Ratis would make this node step down, and it may well be
        // elected again.
        List<NodeId> candidates = to.map(node -> settings.peers().containsKey(node) ? List.of(node) : List.<NodeId>of())
                .orElseGet(() -> settings.peers().keySet().stream()
                        .filter(node -> !node.equals(settings.self()))
                        .toList());
        CompletableFuture<Boolean> done = CompletableFuture.completedFuture(false);
        for (NodeId candidate : candidates) {
            done = done.thenCompose(yes -> yes ? CompletableFuture.completedFuture(true) : handOver(candidate));
        }
        return done;
    }

    private CompletableFuture<Boolean> handOver(NodeId to) {
        var request = new TransferLeadershipRequest(
                submissions.client(),
                RaftPeerId.valueOf(settings.self().value()),
                RatisServers.groupId(settings),
                submissions.nextCall(),
                RaftPeerId.valueOf(to.value()),
                HAND_OVER_TIMEOUT.toMillis());
        return CompletableFuture.completedFuture(request)
                .thenComposeAsync(this::transfer, threads)
                .orTimeout(HAND_OVER_TIMEOUT.toMillis() + READ_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .handleAsync((reply, failure) -> failure == null && done(reply), threads);
    }

    /**
     * Returns whether a transfer has succeeded. One that has failed at once and not by its timeout leaves Ratis' leader
     * refusing every proposal for the rest of its office: it has to leave it then.
     */
    private boolean done(RaftClientReply reply) {
        boolean stuck = !reply.isSuccess()
                && !String.valueOf(reply.getException()).contains(TRANSFER_TIMED_OUT)
                && stateMachine.info().filter(DivisionInfo::isLeader).isPresent();
        if (stuck) {
            LOG.warn("leadership was not handed over, this node steps down: {}", String.valueOf(reply.getException()));
            var stepDown = new TransferLeadershipRequest(
                    submissions.client(),
                    RaftPeerId.valueOf(settings.self().value()),
                    RatisServers.groupId(settings),
                    submissions.nextCall(),
                    null,
                    HAND_OVER_TIMEOUT.toMillis());
            var _ = transfer(stepDown);
        }
        return reply.isSuccess();
    }

    private CompletableFuture<RaftClientReply> transfer(TransferLeadershipRequest request) {
        try {
            return server.transferLeadershipAsync(request);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    CompletableFuture<RaftClientReply> submit(long call, Message message, RaftClientRequest.Type type) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(submissions.client())
                .setServerId(RaftPeerId.valueOf(settings.self().value()))
                .setGroupId(RatisServers.groupId(settings))
                .setCallId(call)
                .setMessage(message)
                .setType(type)
                .build();
        return CompletableFuture.completedFuture(request).thenComposeAsync(this::submit, threads);
    }

    private CompletableFuture<RaftClientReply> submit(RaftClientRequest request) {
        try {
            return server.submitClientRequestAsync(request);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    /**
     * Returns what Ratis measures, by name, for the whole process: elections, append and flush times, indices of
     * followers. Adds {@code raft.foreign_writes_refused}: writes that reached the Raft port without being proposed here.
     */
    public SortedMap<String, Double> metrics() {
        SortedMap<String, Double> values = RaftMetrics.read();
        values.put("raft.foreign_writes_refused", (double) stateMachine.foreignRefused());
        return values;
    }

    @Override
    public void close() {
        events.close();
        watch.shutdownNow();
        RatisServers.close(server);
    }
}
