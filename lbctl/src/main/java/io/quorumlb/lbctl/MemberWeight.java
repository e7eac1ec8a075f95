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

    @SuppressWarnings("NullAway.Init") // required, so picocli has set it before the command runs
    @Parameters(
            index = "0",
            paramLabel = "POOL/MEMBER",
            converter = MemberPath.Converter.class,
            description = "The member, for example web/be1.")
    private MemberPath path;

    @Parameters(
            index = "1",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "0..1000; 0 takes no traffic.")
    private int weight;

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    MemberWeight(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = SetMemberWeightRequest.newBuilder()
                .setPool(path.pool())
                .setMember(path.member())
                .setWeight(weight)
                .build();
        String done = "%s has weight %d".formatted(path, weight);
        return session.writeProvable(
                        wait.level(WaitLevel.INSTALLED),
                        stub -> stub.setMemberWeight(request),
                        path.pool(),
                        SetMemberWeightResponse::getRevision,
                        done)
                .status();
    }
}
