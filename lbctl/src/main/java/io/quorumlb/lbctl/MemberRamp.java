package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetMemberCeilingRequest;
import io.quorumlb.proto.v1.SetMemberCeilingResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a member take less than its weight, or all of it again. */
@Command(
        description = "Let a member take less than its weight, or all of it again: no slot of the others moves for it.")
final class MemberRamp implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    @Parameters(
            index = "1",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Most effective weight, 0..its weight; its weight ends the ramp.")
    private int ceiling;

    /** Creates the command for one session. */
    MemberRamp(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = SetMemberCeilingRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .setCeiling(ceiling)
                .build();
        String done = "%s takes at most %d".formatted(member.path(), ceiling);
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.setMemberCeiling(request),
                SetMemberCeilingResponse::getRevision,
                done);
    }
}
