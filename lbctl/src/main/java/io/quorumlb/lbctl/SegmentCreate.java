package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.Segment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a segment. */
@Command(name = "create", description = "Create a segment.")
final class SegmentCreate implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "1..63 of a-z, 0-9 and -.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "PREFIX", description = "For example 10.20.0.0/24.")
    private String prefix = "";

    @Option(
            names = "--gateway",
            paramLabel = "NODE=ADDRESS",
            description = "Address that the node answers for in the segment; once per node.")
    private Map<String, String> gateways = new LinkedHashMap<>();

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    SegmentCreate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        Segment.Builder segment = Segment.newBuilder().setName(name).setPrefix(prefix);
        gateways.forEach((node, address) ->
                segment.addGateways(Gateway.newBuilder().setNode(node).setAddress(address)));
        var request = CreateSegmentRequest.newBuilder().setSegment(segment).build();
        return session.write(
                        stub -> stub.createSegment(request),
                        (response, page) -> page.line("segment %s created with id %d, revision %d"
                                .formatted(name, response.getId(), response.getRevision())))
                .status();
    }
}
