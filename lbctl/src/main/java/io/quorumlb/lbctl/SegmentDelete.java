package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DeleteSegmentRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a segment. */
@Command(description = "Delete a segment.")
final class SegmentDelete implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the segment.")
    private String name = "";

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    SegmentDelete(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        var request = DeleteSegmentRequest.newBuilder().setName(name).build();
        return session.write(
                        stub -> stub.deleteSegment(request),
                        (response, page) ->
                                page.line("segment %s deleted, revision %d".formatted(name, response.getRevision())))
                .status();
    }
}
