package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListListenersRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one listener with all its fields. */
@Command(description = "Show one listener with all its fields.")
final class ListenerShow implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the listener.")
    private String name = "";

    /** Creates the command for one session. */
    ListenerShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListListenersRequest.newBuilder().setName(name).build();
        session.show(
                stub -> stub.listListeners(request),
                (response, page) -> response.getListenersList()
                        .forEach(listener -> new Fields().add(listener).show(page)));
        return ExitCode.YES.status();
    }
}
