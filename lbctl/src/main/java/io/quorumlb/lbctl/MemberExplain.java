package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ExplainMemberRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says why a member takes the traffic that it takes. */
@Command(
        description =
                "Say why a member takes the traffic that it takes: what each node has found, what the quorum makes of it,"
                        + " and the generation that followed.")
final class MemberExplain implements Callable<Integer> {
    private final Session session;

    @SuppressWarnings("NullAway.Init") // required, so picocli has set it before the command runs
    @Parameters(
            paramLabel = "POOL/MEMBER",
            converter = MemberPath.Converter.class,
            description = "The member, for example web/be1.")
    private MemberPath path;

    /** Creates the command for one session. */
    MemberExplain(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ExplainMemberRequest.newBuilder()
                .setPool(path.pool())
                .setMember(path.member())
                .build();
        var response = session.show(stub -> stub.explainMember(request), new ExplainView());
        return (response.getEffectiveWeight() > 0 ? ExitCode.YES : ExitCode.NO).status();
    }
}
