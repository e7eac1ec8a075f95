package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ReleaseMemberRequest;
import io.quorumlb.proto.v1.ReleaseMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends a hold before its time. */
@Command(description = "End a hold before its time: the nodes' view rules again.")
final class MemberRelease implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    /** Creates the command for one session. */
    MemberRelease(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ReleaseMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .build();
        String done = member.path() + " released";
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.releaseMember(request),
                ReleaseMemberResponse::getRevision,
                done);
    }
}
