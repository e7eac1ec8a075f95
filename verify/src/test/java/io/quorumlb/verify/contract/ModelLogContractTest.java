package io.quorumlb.verify.contract;

import io.quorumlb.consensus.model.NodeId;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** The model keeps the contract of the log. */
class ModelLogContractTest extends GenerationLogContract {
    @Override
    LogCluster cluster(Path directory) {
        var nodes = new TreeSet<>(List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3")));
        return new ModelLogCluster(4_711, nodes, LogSettings.product().withSnapshots(20, 20));
    }
}
