package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.Leadership;
import io.quorumlb.consensus.log.LogEvent;
import io.quorumlb.consensus.machine.ClusterState;
import io.quorumlb.consensus.model.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What the log told one process of one node. */
final class Recorder implements Consumer<LogEvent> {
    private final NodeId node;
    private final Runnable bell;
    private final List<LogEvent> events = new ArrayList<>();
    private Leadership leadership = new Leadership.Searching(0);
    private ClusterState state = ClusterState.empty();

    /** Records, and rings the bell after each event. */
    Recorder(NodeId node, Runnable bell) {
        this.node = node;
        this.bell = bell;
    }

    @Override
    public void accept(LogEvent event) {
        synchronized (this) {
            events.add(event);
            switch (event) {
                case LogEvent.Advanced(long _, ClusterState now) -> state = now;
                case LogEvent.LeadershipChanged(Leadership now) -> leadership = now;
                case LogEvent.Failed _ -> {
                    // Kept among the events.
                }
            }
        }
        bell.run();
    }

    NodeId node() {
        return node;
    }

    synchronized List<LogEvent> events() {
        return List.copyOf(events);
    }

    synchronized Leadership leadership() {
        return leadership;
    }

    synchronized ClusterState state() {
        return state;
    }

    boolean leads() {
        return leadership() instanceof Leadership.Leading;
    }

    List<LogEvent.Advanced> advances() {
        return events().stream()
                .filter(LogEvent.Advanced.class::isInstance)
                .map(LogEvent.Advanced.class::cast)
                .toList();
    }
}
