package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DeleteListenerRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a listener. */
@Command(description = "Delete a listener.")
final class ListenerDelete implements Callable<Integer> {
    private final Session session;

    @Parameters(paramLabel = "NAME", description = "Name of the listener.")
    private String name = "";

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    ListenerDelete(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        var request = DeleteListenerRequest.newBuilder().setName(name).build();
        return session.write(
                        stub -> stub.deleteListener(request),
                        (response, page) ->
                                page.line("listener %s deleted, revision %d".formatted(name, response.getRevision())))
                .status();
    }
}
