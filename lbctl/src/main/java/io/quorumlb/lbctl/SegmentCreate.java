package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.Gateway;
import io.quorumlb.proto.v1.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a segment. */
@Command(description = "Create a segment.")
final class SegmentCreate implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "1..63 of a-z, 0-9 and -.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "PREFIX", description = "For example 10.20.0.0/24 or fd00:20::/64.")
    private String prefix = "";

    @Option(names = "--prefix6", paramLabel = "PREFIX", description = "IPv6 network beside an IPv4 one.")
    private Optional<String> prefix6 = Optional.empty();

    @Option(
            names = "--gateway",
            paramLabel = "NODE=ADDRESS",
            description = "Address that the node answers for in the segment; per node one of each version of IP.")
    private List<String> gateways = new ArrayList<>();

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    SegmentCreate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        Segment.Builder segment = Segment.newBuilder().setName(name).putAllLabels(labels.labels());
        if (prefix.contains(":") && prefix6.isEmpty()) {
            segment.setPrefix6(prefix);
        } else {
            segment.setPrefix(prefix);
        }
        prefix6.ifPresent(segment::setPrefix6);
        gateways.forEach(gateway -> segment.addGateways(gateway(gateway)));
        var request = CreateSegmentRequest.newBuilder().setSegment(segment).build();
        return session.write(
                        stub -> stub.createSegment(request),
                        (response, page) -> page.line("segment %s created with id %d, revision %d"
                                .formatted(name, response.getId(), response.getRevision())))
                .status();
    }

    /**
     * Returns the gateway of a text.
     *
     * @throws CommandFailure if it is not NODE=ADDRESS
     */
    static Gateway gateway(String text) {
        int equals = text.indexOf('=');
        if (equals <= 0 || equals == text.length() - 1) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--gateway: '%s' is not NODE=ADDRESS, for example n1=10.20.0.251".formatted(text));
        }
        return Gateway.newBuilder()
                .setNode(text.substring(0, equals))
                .setAddress(text.substring(equals + 1))
                .build();
    }
}
