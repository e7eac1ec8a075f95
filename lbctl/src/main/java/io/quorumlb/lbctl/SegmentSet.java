package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.ListSegmentsResponse;
import io.quorumlb.proto.v1.Segment;
import io.quorumlb.proto.v1.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what can be changed of a segment, as one change. */
@Command(description = "Change a segment: gateways, labels. What is not given stays.")
final class SegmentSet implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the segment.")
    private String name = "";

    @Option(
            names = "--gateway",
            paramLabel = "NODE=ADDRESS",
            description = "Address that the node answers for in the segment; those given take the place of all it has.")
    private List<String> gateways = new ArrayList<>();

    @Mixin
    private final LabelChange labels = new LabelChange();

    /** Creates the command for one session. */
    SegmentSet(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // An option that cannot be read is said before anybody is asked.
        var _ = changed(Segment.getDefaultInstance());
        var request = ListSegmentsRequest.newBuilder().setName(name).build();
        return session.change(
                        stub -> stub.listSegments(request),
                        (ListSegmentsResponse present) -> Change.of(
                                Site.newBuilder()
                                        .addAllSegments(present.getSegmentsList().stream()
                                                .map(this::changed)
                                                .toList()),
                                present.getRevision()))
                .status();
    }

    private Segment changed(Segment before) {
        Segment.Builder segment = before.toBuilder().clearLabels().putAllLabels(labels.of(before.getLabelsMap()));
        if (!gateways.isEmpty()) {
            segment.clearGateways()
                    .addAllGateways(
                            gateways.stream().map(SegmentCreate::gateway).toList());
        }
        return segment.build();
    }
}
