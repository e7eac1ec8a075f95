package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.EnableMemberRequest;
import io.quorumlb.proto.v1.EnableMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a drained member take traffic again. */
@Command(name = "enable", description = "Let a drained member take traffic again.")
final class MemberEnable implements Callable<Integer> {
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
    MemberEnable(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = EnableMemberRequest.newBuilder()
                .setPool(path.pool())
                .setMember(path.member())
                .build();
        String done = path + " enabled";
        return session.writeProvable(
                        wait.level(WaitLevel.INSTALLED),
                        stub -> stub.enableMember(request),
                        path.pool(),
                        EnableMemberResponse::getRevision,
                        done)
                .status();
    }
}
