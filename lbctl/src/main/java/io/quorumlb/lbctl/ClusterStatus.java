package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.NodeStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows what every node says of itself and whether the cluster has converged. */
@Command(description = "Show every node and whether the cluster has converged.")
final class ClusterStatus implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    ClusterStatus(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetClusterStatusRequest.getDefaultInstance();
        return exitCode(session.show(stub -> stub.getClusterStatus(request), new StatusView()))
                .status();
    }

    private static ExitCode exitCode(GetClusterStatusResponse status) {
        long reachable =
                status.getNodesList().stream().filter(NodeStatus::getReachable).count();
        if (reachable * 2 <= status.getNodesCount()) {
            return ExitCode.UNKNOWN;
        }
        return status.getConverged() ? ExitCode.YES : ExitCode.NO;
    }
}
