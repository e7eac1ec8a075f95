package io.quorumlb.lbctl;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** Shows the committed changes that a node still has. */
@Command(
        description = {
            "Show what the cluster has committed lately, as far as the asked node still has it, and end.",
            "The time is that at which the node applied it: after its start, that of the start."
        })
final class Events implements Callable<Integer> {
    private final Session session;

    /** Creates the command for one session. */
    Events(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        return session.follow(ChangeFollower::history).status();
    }
}
