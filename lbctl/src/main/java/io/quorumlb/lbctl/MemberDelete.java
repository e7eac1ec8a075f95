package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DeleteMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Deletes a member. */
@Command(description = "Delete a member.")
final class MemberDelete implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    /** Creates the command for one session. */
    MemberDelete(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = DeleteMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .build();
        String done = member.path() + " deleted";
        return member.write(
                session,
                WaitLevel.COMMITTED,
                stub -> stub.deleteMember(request),
                DeleteMemberResponse::getRevision,
                done);
    }
}
