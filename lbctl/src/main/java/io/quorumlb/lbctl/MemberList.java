package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists members and what each node has observed of them. */
@Command(description = "List members and what each node has observed of them.")
final class MemberList implements Callable<Integer> {
    private final Session session;

    @Option(names = "--pool", paramLabel = "POOL", description = "Only the members of this pool.")
    private String pool = "";

    @Mixin
    private final ListOptions options = new ListOptions();

    /** Creates the command for one session. */
    MemberList(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        var request = ListMembersRequest.newBuilder().setPool(pool).setLabelSelector(options.selector());
        session.showAll(
                new Paged<>(
                        (stub, token) ->
                                stub.listMembers(request.setPageToken(token).build()),
                        ListMembersResponse::getNextPageToken,
                        (all, page) -> all.toBuilder()
                                .mergeFrom(page)
                                .setNextPageToken(page.getNextPageToken())
                                .build()),
                new MembersView());
        return ExitCode.YES.status();
    }
}
