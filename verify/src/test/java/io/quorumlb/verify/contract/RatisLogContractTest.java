package io.quorumlb.verify.contract;

import io.quorumlb.consensus.model.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The product's log keeps the contract. */
class RatisLogContractTest extends GenerationLogContract {
    @Override
    LogCluster cluster(Path directory) throws IOException {
        return new RatisLogCluster(directory, List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3")), 20);
    }
}
