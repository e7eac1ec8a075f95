package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.GetCountersRequest;
import io.quorumlb.proto.v1.GetCountersResponse;
import io.quorumlb.proto.v1.ListenerCounters;
import io.quorumlb.proto.v1.NodeCounters;
import io.quorumlb.proto.v1.Protocol;
import io.quorumlb.proto.v1.VipCounters;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows what listeners and VIPs have carried. */
@Command(
        description = {
            "Show the packets and bytes that listeners took and that went back to clients, of all nodes and of each.",
            "The sum of the nodes is the traffic of the cluster: a packet passes one node. Counts are up to three seconds old."
        })
final class ListenerStats implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "Only this listener; without it the VIPs too.")
    private String name = "";

    /** Creates the command for one session. */
    ListenerStats(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = GetCountersRequest.newBuilder().setListener(name).build();
        return CounterTable.exitCode(session.show(stub -> stub.getCounters(request), this::view))
                .status();
    }

    private void view(GetCountersResponse response, Page page) {
        var counters = new CounterTable(response);
        Table listeners = new Table(
                "LISTENER",
                "VIP",
                "PROTOCOL",
                ">PORT",
                "NODE",
                ">IN",
                ">IN/S",
                ">IN BYTES",
                ">OUT",
                ">OUT/S",
                ">OUT BYTES");
        counters.each(
                NodeCounters::getListenersList,
                ListenerCounters::getListenerId,
                (node, of) -> CounterTable.row(
                        listeners,
                        List.of(
                                Cell.of(of.getListener()),
                                Cell.of(of.getVip()),
                                Cell.of(EnumWord.lower(Protocol.getDescriptor(), of.getProtocolValue())),
                                Cell.of(of.getPorts()),
                                Cell.of(node)),
                        of.getReceived(),
                        of.getReturned()));
        page.table(listeners);
        if (name.isEmpty()) {
            Table vips = new Table("VIP", "NODE", ">IN", ">IN/S", ">IN BYTES", ">OUT", ">OUT/S", ">OUT BYTES");
            counters.each(
                    NodeCounters::getVipsList,
                    VipCounters::getVip,
                    (node, of) -> CounterTable.row(
                            vips, List.of(Cell.of(of.getVip()), Cell.of(node)), of.getReceived(), of.getReturned()));
            page.gap().table(vips);
        }
        counters.doubts(page);
    }
}
