package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.EnableMemberResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lets a drained member take traffic again. */
@Command(description = "Let a drained member take traffic again.")
final class MemberEnable implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    @Option(
            names = "--ramp",
            paramLabel = "TIME",
            converter = HoldTimeConverter.class,
            description = "Slow start: how long until it takes its whole weight, for example 10m; 1s to 7d.")
    private Duration ramp = Duration.ZERO;

    @Option(
            names = "--steps",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "In how many steps, 1..100. Default: 10.")
    private int steps;

    /** Creates the command for one session. */
    MemberEnable(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = EnableMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .setRampMillis(ramp.toMillis())
                .setRampSteps(steps)
                .build();
        String done =
                member.path() + (ramp.isZero() ? " enabled" : " enabled, takes its whole weight in " + Age.of(ramp));
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.enableMember(request),
                EnableMemberResponse::getRevision,
                done);
    }
}
