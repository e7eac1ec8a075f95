package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.ProposeOutcome;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.consensus.wire.OutcomeCodec;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.jspecify.annotations.Nullable;

/**
 * Proposals under way.
 *
 * <p>Ratis says "not leader" both before and after it has appended an entry; in the second case the next leader may
 * still commit it. So each proposal notes whether it reached the log.
 */
final class Submissions {
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Map<Long, AtomicBoolean> appended = new ConcurrentHashMap<>();

    /** Returns the identity under which this node's requests reach its server. */
    ClientId client() {
        return client;
    }

    /** Returns the number of a new request that is not a proposal. */
    long nextCall() {
        return calls.incrementAndGet();
    }

    /** Returns the number of a new proposal. */
    long begin() {
        long call = nextCall();
        appended.put(call, new AtomicBoolean());
        return call;
    }

    /** Notes that the entry is about to be appended to this node's log. */
    void appending(RaftClientRequest request) {
        Optional.ofNullable(appended.get(request.getCallId())).ifPresent(flag -> flag.set(true));
    }

    /** Returns what became of a proposal, and forgets it. */
    ProposeOutcome end(long call, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        AtomicBoolean flag = appended.remove(call);
        boolean reached = flag != null && flag.get();
        if (reply != null && reply.isSuccess()) {
            return new ProposeOutcome.Committed(
                    OutcomeCodec.parse(reply.getMessage().getContent().asReadOnlyByteBuffer()));
        }
        Throwable cause = reply == null ? unwrap(failure) : reply.getException();
        if (cause instanceof TimeoutException) {
            return new ProposeOutcome.Unknown("no majority has answered in time");
        }
        if (reached) {
            return new ProposeOutcome.Unknown("the leader lost its office before the entry was committed");
        }
        return new ProposeOutcome.NotLeader(suggested(cause));
    }

    private static Optional<NodeId> suggested(@Nullable Throwable cause) {
        return cause instanceof NotLeaderException notLeader
                ? Optional.ofNullable(notLeader.getSuggestedLeader())
                        .map(RaftPeer::getId)
                        .map(id -> new NodeId(id.toString()))
                : Optional.empty();
    }

    private static @Nullable Throwable unwrap(@Nullable Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
