package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.GetNodeStatusRequest;
import io.quorumlb.proto.v1.GetNodeStatusResponse;
import io.quorumlb.proto.v1.NodeStatus;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Lists the nodes. */
@Command(
        description =
                "List the nodes, or one with its problems: role, term, log index, switch, route, how fresh that is,"
                        + " and until when its certificate is good (UTC). Exits with 1 if one is not reachable.")
final class ClusterNodes implements Callable<Integer> {
    private final Session session;

    @Parameters(arity = "0..1", paramLabel = "NODE", description = "Name of the only one to show.")
    private Optional<String> node = Optional.empty();

    /** Creates the command for one session. */
    ClusterNodes(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        boolean all = node.map(this::one).orElseGet(this::all);
        return (all ? ExitCode.YES : ExitCode.NO).status();
    }

    private boolean all() {
        var request = GetClusterStatusRequest.getDefaultInstance();
        var status = session.show(
                stub -> stub.getClusterStatus(request),
                (answer, page) -> page.table(NodeRows.withCertificates(answer.getNodesList())));
        return status.getNodesList().stream().allMatch(NodeStatus::getReachable);
    }

    private boolean one(String name) {
        var request = GetNodeStatusRequest.newBuilder().setNode(name).build();
        return session.show(stub -> stub.getNodeStatus(request), ClusterNodes::view)
                .getStatus()
                .getReachable();
    }

    private static void view(GetNodeStatusResponse response, Page page) {
        page.table(NodeRows.withCertificates(List.of(response.getStatus())));
        response.getStatus()
                .getReport()
                .getProblemsList()
                .forEach(problem -> page.line(new Cell("problem: " + problem, Cell.Tone.DOUBTFUL)));
    }
}
