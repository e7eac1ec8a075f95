package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.Member;
import io.quorumlb.proto.v1.MemberStatus;
import io.quorumlb.proto.v1.Site;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes what can be changed of a member, as one change. */
@Command(description = "Change a member: weight, MAC address, labels. What is not given stays.")
final class MemberSet implements Callable<Integer> {
    private static final String NONE = "none";

    private final Session session;

    @SuppressWarnings("NullAway.Init") // required, so picocli has set it before the command runs
    @Parameters(
            paramLabel = "POOL/MEMBER",
            converter = MemberPath.Converter.class,
            description = "The member, for example web/be1.")
    private MemberPath path;

    @Option(
            names = "--weight",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Share of the slots, 0..1000; 0 takes no traffic.")
    private Optional<Integer> weight = Optional.empty();

    @Option(
            names = "--mac",
            paramLabel = "MAC",
            description = "MAC address to send to, whatever the network says; none asks the network.")
    private Optional<String> mac = Optional.empty();

    @Mixin
    private final LabelChange labels = new LabelChange();

    /** Creates the command for one session. */
    MemberSet(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        // An option that cannot be read is said before anybody is asked.
        var _ = changed(Member.getDefaultInstance());
        var request = ListMembersRequest.newBuilder()
                .setPool(path.pool())
                .setName(path.member())
                .build();
        return session.change(
                        stub -> stub.listMembers(request),
                        (ListMembersResponse present) -> Change.of(
                                Site.newBuilder()
                                        .addAllMembers(present.getMembersList().stream()
                                                .map(MemberStatus::getMember)
                                                .map(this::changed)
                                                .toList()),
                                present.getRevision()))
                .status();
    }

    private Member changed(Member before) {
        Member.Builder member = before.toBuilder().clearLabels().putAllLabels(labels.of(before.getLabelsMap()));
        weight.ifPresent(member::setWeight);
        mac.ifPresent(address -> member.setStaticMac(address.equals(NONE) ? "" : address));
        return member.build();
    }
}
