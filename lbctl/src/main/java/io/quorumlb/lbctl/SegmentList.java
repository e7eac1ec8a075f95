package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the segments. */
@Command(description = "List the segments.")
final class SegmentList implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final ListOptions options = new ListOptions();

    /** Creates the command for one session. */
    SegmentList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListSegmentsRequest.newBuilder().setLabelSelector(options.selector());
        session.showAll(
                new Paged<>(
                        (stub, token) ->
                                stub.listSegments(request.setPageToken(token).build()),
                        ListSegmentsResponse::getNextPageToken,
                        (all, page) -> all.toBuilder()
                                .mergeFrom(page)
                                .setNextPageToken(page.getNextPageToken())
                                .build()),
                SegmentList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListSegmentsResponse response, Page page) {
        var table = new ObjectTable(page, "SEGMENT", ">ID", "PREFIX", "GATEWAYS", "AWAY FROM HOME");
        response.getSegmentsList()
                .forEach(segment -> table.row(
                        segment.getId(),
                        segment.getLabelsMap(),
                        segment.getRevision(),
                        Cell.of(segment.getName()),
                        Cell.of(segment.getId()),
                        Cell.of(Stream.of(segment.getPrefix(), segment.getPrefix6())
                                .filter(prefix -> !prefix.isEmpty())
                                .collect(Collectors.joining(", "))),
                        Cell.of(segment.getGatewaysList().stream()
                                .map(gateway -> gateway.getNode() + "=" + gateway.getAddress())
                                .collect(Collectors.joining(", "))),
                        Cell.of(segment.getGatewaysList().stream()
                                .filter(SegmentList::away)
                                .map(gateway -> gateway.getAddress() + " at " + gateway.getOwner())
                                .collect(Collectors.joining(", ")))));
        table.show();
    }

    /** A node of an earlier version says no owner. */
    private static boolean away(Gateway gateway) {
        return !gateway.getOwner().isEmpty() && !gateway.getOwner().equals(gateway.getNode());
    }
}
