package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.NodeTrace;
import io.quorumlb.proto.v1.PacketWay;
import io.quorumlb.proto.v1.SlotSource;
import io.quorumlb.proto.v1.TracePacketRequest;
import io.quorumlb.proto.v1.TracePacketResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what every node would do with one packet of a client. */
@Command(
        description = {
            "Show what every node would do with one packet of a client: listener, slot, member.",
            "Each node asks its own switch and compares with its tables. The slot is 'traced' by the switch, or, where the"
                    + " datapath's hash decides, that of a real packet that is 'sent' to nobody.",
            "Exit status 1 if two nodes, or a switch and its node, disagree."
        })
final class Trace implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "PROTOCOL", description = "tcp, udp or a number, 1..255.")
    private String protocol = "";

    @Parameters(index = "1", paramLabel = "CLIENT[:PORT]", description = "Where the packet comes from.")
    private String client = "";

    @Parameters(index = "2", paramLabel = "VIP[:PORT]", description = "Where it goes to.")
    private String vip = "";

    /** Creates the command for one session. */
    Trace(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = TracePacketRequest.newBuilder()
                .setPacket(TracedEnds.packet(protocol, client, vip))
                .build();
        return exitCode(session.show(stub -> stub.tracePacket(request), Trace::view))
                .status();
    }

    private static ExitCode exitCode(TracePacketResponse response) {
        if (response.getDisagreementsCount() > 0) {
            return ExitCode.NO;
        }
        boolean all = response.getTracesCount() > 0
                && response.getTracesList().stream().allMatch(NodeTrace::hasFound);
        return all ? ExitCode.YES : ExitCode.UNKNOWN;
    }

    private static void view(TracePacketResponse response, Page page) {
        Table table = new Table(
                "NODE", "LISTENER", "POOL", ">GENERATION", ">SLOT", "BY", "MEMBER", "SEGMENT", "MAC", "DROPPED");
        response.getTracesList().forEach(trace -> row(trace, table));
        page.table(table);
        response.getTracesList().stream()
                .filter(trace -> !trace.hasFound())
                .forEach(trace -> page.line(new Cell(
                        "%s did not ask its switch: %s".formatted(trace.getNode(), trace.getTrouble()),
                        Cell.Tone.DOUBTFUL)));
        response.getDisagreementsList().forEach(sentence -> page.line(new Cell("DISAGREE " + sentence, Cell.Tone.BAD)));
    }

    private static void row(NodeTrace trace, Table table) {
        PacketWay way = trace.hasFound() ? trace.getFound() : trace.getPredicted();
        table.row(
                Cell.of(trace.getNode()),
                Cell.of(trace.getListener()),
                Cell.of(trace.getPool()),
                Cell.of(trace.getGeneration() == 0 ? "" : Long.toUnsignedString(trace.getGeneration())),
                Cell.of(way.hasSlot() ? Integer.toString(way.getSlot()) : ""),
                Cell.of(way.hasSlot() ? EnumWord.lower(SlotSource.getDescriptor(), way.getSourceValue()) : ""),
                Cell.of(trace.getMember()),
                Cell.of(trace.getSegment()),
                Cell.of(way.getMac()),
                Cell.of(way.getDrop()));
    }
}
