package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DropCause;
import io.quorumlb.proto.v1.DropCounters;
import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.NodeCounters;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows what the nodes' switches dropped, and why. */
@Command(description = "Show the packets that the switches dropped, by cause, of all nodes and of each.")
final class NodeDrops implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    NodeDrops(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetCountersRequest.getDefaultInstance();
        return CounterTable.exitCode(session.show(stub -> stub.getCounters(request), NodeDrops::view))
                .status();
    }

    private static void view(GetCountersResponse response, Page page) {
        var counters = new CounterTable(response);
        Table table = new Table("CAUSE", "POOL", "MEMBER", ">TABLE", "NODE", ">PACKETS", ">PACKETS/S", ">BYTES");
        counters.each(
                NodeDrops::occurred,
                NodeDrops::identity,
                (node, of) -> CounterTable.row(
                        table,
                        List.of(
                                cause(of),
                                Cell.of(of.getPool()),
                                Cell.of(of.getMember()),
                                Cell.of(of.getTable()),
                                Cell.of(node)),
                        of.getDropped()));
        page.table(table);
        counters.doubts(page);
    }

    private static List<DropCounters> occurred(NodeCounters node) {
        return node.getDropsList().stream()
                .filter(drop -> drop.getDropped().getPackets() != 0)
                .toList();
    }

    private static List<Object> identity(DropCounters of) {
        return List.of(of.getCauseValue(), of.getTable(), of.getPool(), of.getMember());
    }

    private static Cell cause(DropCounters of) {
        return Cell.of(
                EnumWord.lower(DropCause.getDescriptor(), of.getCauseValue()).replace('_', '-'));
    }
}
