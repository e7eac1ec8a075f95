package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;

/** Lists the segments. */
@Command(name = "list", description = "List the segments.")
final class SegmentList implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    SegmentList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListSegmentsRequest.getDefaultInstance();
        session.show(stub -> stub.listSegments(request), SegmentList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListSegmentsResponse response, Page page) {
        Table table = new Table("SEGMENT", ">ID", "PREFIX", "GATEWAYS", "AWAY FROM HOME");
        response.getSegmentsList()
                .forEach(segment -> table.row(
                        Cell.of(segment.getName()),
                        Cell.of(segment.getId()),
                        Cell.of(segment.getPrefix()),
                        Cell.of(segment.getGatewaysList().stream()
                                .map(gateway -> gateway.getNode() + "=" + gateway.getAddress())
                                .collect(Collectors.joining(", "))),
                        Cell.of(segment.getGatewaysList().stream()
                                .filter(SegmentList::away)
                                .map(gateway -> gateway.getAddress() + " at " + gateway.getOwner())
                                .collect(Collectors.joining(", ")))));
        page.table(table);
    }

    /** A node of an earlier version says no owner. */
    private static boolean away(Gateway gateway) {
        return !gateway.getOwner().isEmpty() && !gateway.getOwner().equals(gateway.getNode());
    }
}
