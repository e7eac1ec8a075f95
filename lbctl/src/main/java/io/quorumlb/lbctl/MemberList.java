package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListMembersRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists members and what each node has observed of them. */
@Command(name = "list", description = "List members and what each node has observed of them.")
final class MemberList implements Callable<Integer> {
    private final Session session;

    @Option(names = "--pool", paramLabel = "POOL", description = "Only the members of this pool.")
    private String pool = "";

    /** Creates the command for one session. */
    MemberList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListMembersRequest.newBuilder().setPool(pool).build();
        session.show(stub -> stub.listMembers(request), new MembersView());
        return ExitCode.YES.status();
    }
}
