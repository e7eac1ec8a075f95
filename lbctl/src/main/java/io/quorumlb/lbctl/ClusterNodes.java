package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.NodeStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Lists the nodes. */
@Command(name = "nodes", description = "List the nodes: role, term, log index, switch, route and how fresh that is.")
final class ClusterNodes implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    ClusterNodes(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetClusterStatusRequest.getDefaultInstance();
        var status = session.show(
                stub -> stub.getClusterStatus(request),
                (answer, page) -> page.table(NodeRows.table(answer.getNodesList())));
        boolean all = status.getNodesList().stream().allMatch(NodeStatus::getReachable);
        return (all ? ExitCode.YES : ExitCode.NO).status();
    }
}
