package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.HeldAs;
import io.quorumlb.proto.v1.HoldMemberRequest;
import io.quorumlb.proto.v1.HoldMemberResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes a member for up or down for a time. */
@Command(
        description =
                "Take a member for up or down for a time, whatever the nodes see; afterwards their view rules again.")
final class MemberHoldCommand implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    @Option(names = "--down", description = "It takes no traffic, like a drained member.")
    private boolean down;

    @Option(names = "--up", description = "It takes traffic although nodes see it down.")
    private boolean up;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            required = true,
            converter = HoldTimeConverter.class,
            description = "How long, for example 10m; 1s to 7d.")
    private Duration time = Duration.ZERO;

    @Option(
            names = "--reason",
            paramLabel = "TEXT",
            description = "Why, for whoever looks at it, at most 200 characters.")
    private String reason = "";

    /** Creates the command for one session. */
    MemberHoldCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        if (up == down) {
            throw new CommandFailure(ExitCode.USAGE, "--down or --up, one of them, says what the member is taken for");
        }
        var request = HoldMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .setHeldAs(up ? HeldAs.HELD_AS_UP : HeldAs.HELD_AS_DOWN)
                .setDurationMillis(time.toMillis())
                .setReason(reason)
                .build();
        String done = "%s held %s for %s".formatted(member.path(), up ? "up" : "down", Age.of(time));
        return member.write(
                session, WaitLevel.INSTALLED, stub -> stub.holdMember(request), HoldMemberResponse::getRevision, done);
    }
}
