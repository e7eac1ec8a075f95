package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.MemberCounters;
import io.quorumlb.proto.v1.NodeCounters;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what members have got and given. */
@Command(description = "Show the packets and bytes to members and back, by listener, of all nodes and of each.")
final class MemberStats implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "POOL", arity = "0..1", description = "Only the members of this pool.")
    private String pool = "";

    /** Creates the command for one session. */
    MemberStats(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetCountersRequest.newBuilder().setPool(pool).build();
        return CounterTable.exitCode(session.show(stub -> stub.getCounters(request), MemberStats::view))
                .status();
    }

    private static void view(GetCountersResponse response, Page page) {
        var counters = new CounterTable(response);
        Table table = new Table(
                "POOL",
                "MEMBER",
                "ADDRESS",
                "LISTENER",
                "NODE",
                ">IN",
                ">IN/S",
                ">IN BYTES",
                ">OUT",
                ">OUT/S",
                ">OUT BYTES");
        counters.each(
                NodeCounters::getMembersList,
                MemberStats::identity,
                (node, of) -> CounterTable.row(
                        table,
                        List.of(
                                Cell.of(of.getPool()),
                                Cell.of(of.getMember()),
                                Cell.of(of.getAddress()),
                                Cell.of(of.getListener()),
                                Cell.of(node)),
                        of.getForwarded(),
                        of.getReturned()));
        page.table(table);
        counters.doubts(page);
    }

    private static List<Integer> identity(MemberCounters of) {
        return List.of(of.getListenerId(), of.getMemberId());
    }
}
