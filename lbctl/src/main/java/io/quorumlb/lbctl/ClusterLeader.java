package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetClusterStatusRequest;
import io.quorumlb.proto.v1.GetClusterStatusResponse;
import io.quorumlb.proto.v1.NodeStatus;
import io.quorumlb.proto.v1.RaftRole;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Names the leader. */
@Command(description = "Name the leader; status 2 if none is known.")
final class ClusterLeader implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    ClusterLeader(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetClusterStatusRequest.getDefaultInstance();
        var status = session.show(
                stub -> stub.getClusterStatus(request),
                (answer, page) -> page.line(leader(answer)
                        .map(node -> "%s leads in term %d"
                                .formatted(node.getNode(), node.getReport().getTerm()))
                        .orElse("no leader is known to " + answer.getAnsweredBy())));
        return (leader(status).isPresent() ? ExitCode.YES : ExitCode.UNKNOWN).status();
    }

    /** An old leader that is out of reach may not have heard of its successor. */
    private static Optional<NodeStatus> leader(GetClusterStatusResponse status) {
        return status.getNodesList().stream()
                .filter(node -> node.getReachable() && node.getReport().getRole() == RaftRole.RAFT_ROLE_LEADER)
                .max((one, other) -> Long.compareUnsigned(
                        one.getReport().getTerm(), other.getReport().getTerm()));
    }
}
