package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DrainAction;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.DrainMemberResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes new traffic away from a member. */
@Command(description = "Take new traffic away from a member.")
final class MemberDrain implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = HoldTimeConverter.class,
            description = "With --then: how long the drain lasts, for example 10m; 1s to 7d.")
    private Duration deadline = Duration.ZERO;

    @Option(
            names = "--then",
            paramLabel = "ACTION",
            description = "What ends the drain at the deadline: delete. Default: the member stays drained.")
    private String then = "";

    /** Creates the command for one session. */
    MemberDrain(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        if (then.isEmpty() != deadline.isZero()) {
            throw new CommandFailure(
                    ExitCode.USAGE, "--deadline and --then belong together: --deadline 10m --then delete");
        }
        var request = DrainMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .setDeadlineMillis(deadline.toMillis());
        if (!then.isEmpty()) {
            request.setFinalAction(EnumWord.parse(DrainAction.values(), then, "--then"));
        }
        String done = member.path() + (then.isEmpty() ? " drained" : " drained, deleted in " + Age.of(deadline));
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.drainMember(request.build()),
                DrainMemberResponse::getRevision,
                done);
    }
}
