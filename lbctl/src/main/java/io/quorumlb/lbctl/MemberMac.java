package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetMemberMacRequest;
import io.quorumlb.proto.v1.SetMemberMacResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says where packets to a member go, whatever the network says. */
@Command(
        name = "set-mac",
        description =
                "Send packets to a member to this MAC address, whatever the network says; or ask the network again.")
final class MemberMac implements Callable<Integer> {
    private static final String ASK = "none";

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
            paramLabel = "MAC",
            description = "For example 02:00:0a:14:00:02, or '" + ASK + "' to ask the network again.")
    private String mac = "";

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Creates the command for one session. */
    MemberMac(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        boolean ask = mac.equals(ASK);
        var request = SetMemberMacRequest.newBuilder()
                .setPool(path.pool())
                .setMember(path.member())
                .setMac(ask ? "" : mac)
                .build();
        return session.writeProvable(
                        wait.level(WaitLevel.COMMITTED),
                        stub -> stub.setMemberMac(request),
                        path.pool(),
                        SetMemberMacResponse::getRevision,
                        ask ? path + " is asked for its MAC address" : "%s has MAC address %s".formatted(path, mac))
                .status();
    }
}
