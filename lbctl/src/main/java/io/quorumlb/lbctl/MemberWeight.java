package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetMemberWeightRequest;
import io.quorumlb.proto.v1.SetMemberWeightResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sets a member's share of the slots. */
@Command(name = "weight", description = "Set a member's share of the slots.")
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
                .build();
        String done = "%s has weight %d".formatted(member.path(), weight);
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.setMemberWeight(request),
                SetMemberWeightResponse::getRevision,
                done);
    }
}
