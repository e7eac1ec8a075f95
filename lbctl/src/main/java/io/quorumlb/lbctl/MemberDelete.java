package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DeleteMemberRequest;
import io.quorumlb.proto.v1.DeleteMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Deletes a member. */
@Command(name = "delete", description = "Delete a member.")
final class MemberDelete implements Callable<Integer> {
    private final Session session;

    @SuppressWarnings("NullAway.Init") // required, so picocli has set it before the command runs
    @Parameters(
            paramLabel = "POOL/MEMBER",
            converter = MemberPath.Converter.class,
            description = "The member, for example web/be1.")
    private MemberPath path;

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    MemberDelete(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = DeleteMemberRequest.newBuilder()
                .setPool(path.pool())
                .setMember(path.member())
                .build();
        String done = path + " deleted";
        return session.writeProvable(
                        wait.level(WaitLevel.COMMITTED),
                        stub -> stub.deleteMember(request),
                        path.pool(),
                        DeleteMemberResponse::getRevision,
                        done)
                .status();
    }
}
