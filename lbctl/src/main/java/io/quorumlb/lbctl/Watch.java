package io.quorumlb.lbctl;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows committed changes as they come. */
@Command(
        description = {
            "Show what the cluster commits as it comes, one line for each event, until Ctrl-C.",
            "After a break it goes on at the next endpoint where it was. It ends if no node answers for --timeout.",
            "-o json writes one object a line."
        })
final class Watch implements Callable<Integer> {
    private final Session session;

    @Option(
            names = "--since",
            paramLabel = "INDEX",
            converter = RevisionConverter.class,
            description = "Begin after this index of the log, as shown by events and watch. Default: now.")
    private Optional<Long> since = Optional.empty();

    /** Creates the command for one session. */
    Watch(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        OptionalLong after = since.map(OptionalLong::of).orElseGet(OptionalLong::empty);
        return session.follow(follower -> follower.live(after)).status();
    }
}
