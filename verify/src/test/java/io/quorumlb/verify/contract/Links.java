package io.quorumlb.verify.contract;

import io.quorumlb.consensus.model.NodeId;
import java.time.Duration;
import java.util.Optional;

/** The network between the replicas of the log, one way at a time. */
@FunctionalInterface
public interface Links {
    /** Returns how long the next message takes; empty if it is lost. Asked once per message. */
    Optional<Duration> delay(NodeId from, NodeId to);
}
