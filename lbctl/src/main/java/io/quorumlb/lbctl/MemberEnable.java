package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.EnableMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets a drained member take traffic again. */
@Command(name = "enable", description = "Let a drained member take traffic again.")
final class MemberEnable implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    /** Creates the command for one session. */
    MemberEnable(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = EnableMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .build();
        String done = member.path() + " enabled";
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.enableMember(request),
                EnableMemberResponse::getRevision,
                done);
    }
}
