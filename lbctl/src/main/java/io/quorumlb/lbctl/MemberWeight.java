package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.SetMemberWeightResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets a member's share of the slots. */
@Command(description = "Set a member's share of the slots.")
final class MemberWeight implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    @Parameters(
            index = "1",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "0..1000; 0 takes no traffic.")
    private int weight;

    @Option(
            names = "--ramp",
            paramLabel = "TIME",
            converter = HoldTimeConverter.class,
            description = "For a larger share: how long until it takes all of it, for example 60s; 1s to 7d.")
    private Duration ramp = Duration.ZERO;

    @Option(
            names = "--steps",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "In how many steps, 1..100. Default: 10.")
    private int steps;

    /** Creates the command for one session. */
    MemberWeight(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = SetMemberWeightRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .setWeight(weight)
                .setRampMillis(ramp.toMillis())
                .setRampSteps(steps)
                .build();
        String done = "%s has weight %d%s"
                .formatted(member.path(), weight, ramp.isZero() ? "" : ", takes all of it in " + Age.of(ramp));
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.setMemberWeight(request),
                SetMemberWeightResponse::getRevision,
                done);
    }
}
