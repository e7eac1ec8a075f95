package io.quorumlb.consensus.raft;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.model.NodeId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;

/**
 * Tells who leads.
 *
 * <p>Ratis calls when a leader is found, is ready or steps down, but not when a follower gives its leader up: a regular
 * {@link #check} finds that, and anything a race between Ratis' threads has left wrong.
 */
final class LeadershipWatch {
    private final NodeId self;
    private final EventStream events;
    private Leadership last = new Leadership.Searching(0);

    LeadershipWatch(NodeId self, EventStream events) {
        this.self = self;
        this.events = events;
    }

    /** A leader is known for the term; this node itself leads only once it is {@link #ready}. */
    synchronized void found(RaftPeerId leader, long term) {
        NodeId node = new NodeId(leader.toString());
        publish(node.equals(self) ? new Leadership.Searching(term) : new Leadership.Following(term, node));
    }

    /** This node leads and has committed an entry of the term. */
    synchronized void ready(long term) {
        publish(new Leadership.Leading(term));
    }

    /** This node leads no longer. */
    synchronized void lost(long term) {
        publish(new Leadership.Searching(term));
    }

    /** Compares what was told with what the server says. */
    synchronized void check(DivisionInfo server) {
        long term = server.getCurrentTerm();
        if (server.isLeader()) {
            if (server.isLeaderReady()) {
                publish(new Leadership.Leading(term));
            }
        } else if (server.getLeaderId() == null || last instanceof Leadership.Leading) {
            publish(new Leadership.Searching(term));
        }
    }

    private void publish(Leadership now) {
        if (!now.equals(last) && now.term() >= last.term()) {
            last = now;
            events.publish(new LogEvent.LeadershipChanged(now));
        }
    }
}
