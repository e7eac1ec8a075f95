package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.AdminState;
import io.quorumlb.proto.v1.CreateMemberRequest;
import io.quorumlb.proto.v1.CreateMemberResponse;
import io.quorumlb.proto.v1.Member;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a member. */
@Command(description = "Create a member.")
final class MemberCreate implements Callable<Integer> {
    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "Unique in its pool.")
    private String name = "";

    @Parameters(
            index = "1",
            paramLabel = "ADDRESS:PORT",
            description =
                    "Address and port that serves, for example 10.20.0.2:8080 or [fd00:20::2]:8080, unique in the cluster.")
    private String address = "";

    @Option(names = "--pool", paramLabel = "POOL", required = true, description = "Its pool.")
    private String pool = "";

    @Option(
            names = "--segment",
            paramLabel = "SEGMENT",
            required = true,
            description = "Segment that the address lies in.")
    private String segment = "";

    @Option(
            names = "--weight",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Share of the slots, 0..1000. Default: 100.")
    private Optional<Integer> weight = Optional.empty();

    @Option(
            names = "--mac",
            paramLabel = "MAC",
            description = "MAC address to send to, whatever the network says. Default: the network is asked.")
    private String mac = "";

    @Mixin
    private final LabelOptions labels = new LabelOptions();

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    MemberCreate(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        Member.Builder member = Member.newBuilder()
                .setName(name)
                .setAddress(address)
                .setPool(pool)
                .setSegment(segment)
                .setStaticMac(mac)
                .setAdmin(AdminState.ADMIN_STATE_ENABLED)
                .putAllLabels(labels.labels());
        weight.ifPresent(member::setWeight);
        var request = CreateMemberRequest.newBuilder().setMember(member).build();
        return session.writeProvable(
                        wait.level(WaitLevel.COMMITTED),
                        stub -> stub.createMember(request),
                        pool,
                        CreateMemberResponse::getRevision,
                        "member " + name + " created",
                        (response, page) -> page.line("member %s created with id %d, revision %d"
                                .formatted(name, response.getId(), response.getRevision())))
                .status();
    }
}
