package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.DrainMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Takes new traffic away from a member. */
@Command(name = "drain", description = "Take new traffic away from a member.")
final class MemberDrain implements Callable<Integer> {
    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    /** Creates the command for one session. */
    MemberDrain(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = DrainMemberRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .build();
        String done = member.path() + " drained";
        return member.write(
                session,
                WaitLevel.INSTALLED,
                stub -> stub.drainMember(request),
                DrainMemberResponse::getRevision,
                done);
    }
}
