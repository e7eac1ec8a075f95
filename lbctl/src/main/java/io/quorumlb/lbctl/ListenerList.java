package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HashFields;
import io.quorumlb.proto.v1.ListListenersRequest;
import io.quorumlb.proto.v1.ListListenersResponse;
import io.quorumlb.proto.v1.Listener;
import io.quorumlb.proto.v1.Protocol;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the listeners. */
@Command(description = "List the listeners.")
final class ListenerList implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final ListOptions options = new ListOptions();

    /** Creates the command for one session. */
    ListenerList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListListenersRequest.newBuilder().setLabelSelector(options.selector());
        session.showAll(
                new Paged<>(
                        (stub, token) ->
                                stub.listListeners(request.setPageToken(token).build()),
                        ListListenersResponse::getNextPageToken,
                        (all, page) -> all.toBuilder()
                                .mergeFrom(page)
                                .setNextPageToken(page.getNextPageToken())
                                .build()),
                ListenerList::view);
        return ExitCode.YES.status();
    }

    private static void view(ListListenersResponse response, Page page) {
        var table = new ObjectTable(
                page,
                "LISTENER",
                ">ID",
                "LOAD BALANCER",
                "VIP",
                "PROTOCOL",
                ">PORT",
                ">MEMBER-PORT",
                "POOL",
                "HASH",
                "WHEN-EMPTY");
        response.getListenersList()
                .forEach(listener -> table.row(
                        listener.getId(),
                        listener.getLabelsMap(),
                        listener.getRevision(),
                        Cell.of(listener.getName()),
                        Cell.of(listener.getId()),
                        Cell.of(listener.getLoadBalancer()),
                        Cell.of(listener.getVip()),
                        Cell.of(EnumWord.lower(Protocol.getDescriptor(), listener.getProtocolValue())),
                        Cell.of(ports(listener)),
                        Cell.of(memberPort(listener)),
                        Cell.of(listener.getPool()),
                        Cell.of(hash(listener.getHashValue())),
                        Cell.of(WhenEmpty.word(listener))));
        table.show();
    }

    private static String ports(Listener listener) {
        if (listener.getProtocol() == Protocol.PROTOCOL_ANY || listener.getAllPorts()) {
            return "all";
        }
        return listener.getPortLast() == 0
                ? Integer.toString(listener.getPort())
                : listener.getPort() + "-" + listener.getPortLast();
    }

    private static String memberPort(Listener listener) {
        if (listener.getMemberPort() != 0) {
            return Integer.toString(listener.getMemberPort());
        }
        boolean single = listener.getPort() != 0 && listener.getPortLast() == 0;
        return single ? "own" : "same";
    }

    private static String hash(int fields) {
        int known =
                fields == HashFields.HASH_FIELDS_UNSPECIFIED_VALUE ? HashFields.HASH_FIELDS_FIVE_TUPLE_VALUE : fields;
        return EnumWord.lower(HashFields.getDescriptor(), known).replace('_', '-');
    }
}
