package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetListenerWhenEmptyRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says what becomes of a listener's packets while its pool counts as empty. */
@Command(description = "Say what becomes of a listener's packets while no member of its pool takes traffic.")
final class ListenerWhenEmpty implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the listener.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "POLICY", description = WhenEmpty.WORDS)
    private String policy = "";

    @Mixin
    private final CommitWait wait = new CommitWait();

    /** Creates the command for one session. */
    ListenerWhenEmpty(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        wait.check();
        WhenEmpty wanted = WhenEmpty.parse(policy, "POLICY");
        var request = SetListenerWhenEmptyRequest.newBuilder()
                .setListener(name)
                .setWhenEmpty(wanted.policy())
                .setFallbackPool(wanted.pool())
                .build();
        return session.write(
                        stub -> stub.setListenerWhenEmpty(request),
                        (response, page) -> page.line("listener %s when empty: %s, revision %d"
                                .formatted(name, policy, response.getRevision())))
                .status();
    }
}
