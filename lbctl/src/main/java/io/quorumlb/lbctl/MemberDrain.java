package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.DrainMemberResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Takes new traffic away from a member. */
@Command(name = "drain", description = "Take new traffic away from a member.")
final class MemberDrain implements Callable<Integer> {
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
    MemberDrain(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = DrainMemberRequest.newBuilder()
                .setPool(path.pool())
                .setMember(path.member())
                .build();
        String done = path + " drained";
        return session.writeProvable(
                        wait.level(WaitLevel.INSTALLED),
                        stub -> stub.drainMember(request),
                        path.pool(),
                        DrainMemberResponse::getRevision,
                        done)
                .status();
    }
}
