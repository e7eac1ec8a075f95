package io.quorumlb.verify.contract;

import io.quorumlb.consensus.log.GenerationLog;
import io.quorumlb.consensus.model.NodeId;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Three nodes of a log, model or real, as the contract handles them. */
interface LogCluster extends AutoCloseable {
    /** Returns the nodes, by name. */
    List<NodeId> nodes();

    /** Starts a node from its disk. */
    void open(NodeId node) throws Exception;

    /** Stops a node; its disk stays. */
    void stop(NodeId node);

    /** Returns whether a node runs. */
    boolean running(NodeId node);

    /** Returns the log of a node: the present one, or the last one if the node does not run. */
    GenerationLog log(NodeId node);

    /** Returns what the present or last process of a node was told. */
    Recorder told(NodeId node);

    /** Returns what all processes so far were told. */
    List<Recorder> all();

    /** Cuts a node off from the others, both ways. */
    void cut(NodeId node);

    /** Undoes all cuts. */
    void heal();

    /** Returns once the condition holds; it is tried after every event. */
    void until(BooleanSupplier condition, Supplier<String> otherwise) throws Exception;

    /** Returns what a future brings. */
    <T> T get(CompletableFuture<T> future) throws Exception;

    @Override
    void close();
}
