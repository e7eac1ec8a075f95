package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.MemberStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one member with all its fields, and what each node has observed of it. */
@Command(description = "Show one member with all its fields, and what each node has observed of it.")
final class MemberShow implements Callable<Integer> {
    private final Session session;

    @SuppressWarnings("NullAway.Init") // required, so picocli has set it before the command runs
    @Parameters(
            paramLabel = "POOL/MEMBER",
            converter = MemberPath.Converter.class,
            description = "The member, for example web/be1.")
    private MemberPath path;

    /** Creates the command for one session. */
    MemberShow(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListMembersRequest.newBuilder()
                .setPool(path.pool())
                .setName(path.member())
                .build();
        session.show(stub -> stub.listMembers(request), MemberShow::view);
        return ExitCode.YES.status();
    }

    private static void view(ListMembersResponse response, Page page) {
        for (MemberStatus status : response.getMembersList()) {
            var fields = new Fields()
                    .add(status.getMember())
                    .add("effective_weight", MembersView.effective(status))
                    .add("slots", Cell.of(status.getSlots()));
            status.getObservationsList()
                    .forEach(seen -> fields.add("observation", Cell.of(MembersView.observation(seen))));
            fields.show(page);
        }
    }
}
