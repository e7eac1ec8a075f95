package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.Applied;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.machine.StateMachine;
import io.quorumlb.consensus.wire.EntryCodec;
import io.quorumlb.consensus.wire.OutcomeCodec;
import io.quorumlb.consensus.wire.UnreadableEntryException;
import java.io.IOException;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.LifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies committed entries to the replicated state.
 *
 * <p>Ratis applies entries, takes snapshots and loads installed ones from one thread; the other calls come from any.
 */
final class RatisStateMachine extends BaseStateMachine {
    private static final Logger LOG = LoggerFactory.getLogger(RatisStateMachine.class);

    private final EventStream events;
    private final LeadershipWatch leadership;
    private final Submissions submissions;
    private final SnapshotStore snapshots = new SnapshotStore();
    private final LongAdder foreignRefused = new LongAdder();
    private ClusterState state = ClusterState.empty();

    RatisStateMachine(EventStream events, LeadershipWatch leadership, Submissions submissions) {
        this.events = events;
        this.leadership = leadership;
        this.submissions = submissions;
    }

    /** Returns how many writes that did not come from this node's own proposals were refused. */
    long foreignRefused() {
        return foreignRefused.sum();
    }

    /** Returns the server's view of itself; empty until it runs. */
    Optional<DivisionInfo> info() {
        RaftServer server = getServer().getNow(null);
        try {
            return server == null
                    ? Optional.empty()
                    : Optional.of(server.getDivision(getGroupId()).getInfo());
        } catch (IOException e) {
            LOG.debug("no division yet", e);
            return Optional.empty();
        }
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage) throws IOException {
        super.initialize(server, group, storage);
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            snapshots.init(storage);
                            load();
                        },
                        IOException.class);
    }

    /** Called before an installed snapshot replaces the state. */
    @Override
    public void pause() {
        LifeCycle cycle = getLifeCycle();
        if (cycle.compareAndTransition(LifeCycle.State.RUNNING, LifeCycle.State.PAUSING)) {
            cycle.transition(LifeCycle.State.PAUSED);
        }
    }

    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().startAndTransition(this::load, IOException.class);
        LOG.info("loaded the leader's snapshot at {}", getLastAppliedTermIndex());
    }

    private void load() throws IOException {
        Optional<SnapshotStore.Snapshot> snapshot = snapshots.load();
        if (snapshot.isPresent()) {
            state = snapshot.get().state();
            setLastAppliedTermIndex(snapshot.get().at());
            events.publish(new LogEvent.Advanced(snapshot.get().at().getIndex(), state));
        }
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at = getLastAppliedTermIndex();
        snapshots.save(new SnapshotStore.Snapshot(at, state));
        return at.getIndex();
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return snapshots.storage();
    }

    /** Refuses what a Raft client sends over the network: an entry that cannot be read would stop every node. */
    @Override
    public TransactionContext startTransaction(RaftClientRequest request) throws IOException {
        TransactionContext transaction = super.startTransaction(request);
        if (!request.getClientId().equals(submissions.client())) {
            foreignRefused.increment();
            transaction.setException(new IOException("writes go through the API of a node, not through its Raft port"));
        }
        return transaction;
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        Optional.ofNullable(transaction.getClientRequest()).ifPresent(submissions::appending);
        return transaction;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = Objects.requireNonNull(transaction.getLogEntry());
        Applied applied;
        try {
            applied = StateMachine.apply(
                    state,
                    EntryCodec.parse(
                            entry.getStateMachineLogEntry().getLogData().asReadOnlyByteBuffer()));
        } catch (UnreadableEntryException e) {
            events.fail("entry %d of the log cannot be applied: %s; start a version that knows it"
                    .formatted(entry.getIndex(), e.getMessage()));
            throw e;
        }
        state = applied.state();
        advanced(entry.getTerm(), entry.getIndex());
        byte[] outcome = OutcomeCodec.toWire(applied.outcome()).toByteArray();
        return CompletableFuture.completedFuture(Message.valueOf(ByteString.copyFrom(outcome)));
    }

    /** Called for entries of Ratis' own. */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        advanced(term, index);
    }

    private void advanced(long term, long index) {
        updateLastAppliedTermIndex(term, index);
        events.publish(new LogEvent.Advanced(index, state));
    }

    /** Answers a read that only asks how far this node has come. */
    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(Message.EMPTY);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, @Nullable RaftPeerId leader) {
        info().ifPresent(server -> {
            if (leader == null) {
                leadership.lost(server.getCurrentTerm());
            } else {
                leadership.found(leader, server.getCurrentTerm());
            }
        });
    }

    @Override
    public void notifyLeaderReady() {
        info().filter(DivisionInfo::isLeader).ifPresent(server -> leadership.ready(server.getCurrentTerm()));
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pending) {
        info().ifPresent(server -> leadership.lost(server.getCurrentTerm()));
    }

    @Override
    public void notifyLogFailed(Throwable cause, @Nullable LogEntryProto entry) {
        events.fail("the Raft log cannot be written (%s): free or repair its disk, then start the node again"
                .formatted(cause.getMessage()));
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto role, boolean all) {
        events.fail("the Raft server has shut itself down: start the node again");
    }
}
