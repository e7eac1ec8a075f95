package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListSegmentsRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one segment with all its fields. */
@Command(description = "Show one segment with all its fields.")
final class SegmentShow implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the segment.")
    private String name = "";

    /** Creates the command for one session. */
    SegmentShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListSegmentsRequest.newBuilder().setName(name).build();
        session.show(
                stub -> stub.listSegments(request),
                (response, page) -> response.getSegmentsList()
                        .forEach(segment -> new Fields().add(segment).show(page)));
        return ExitCode.YES.status();
    }
}
