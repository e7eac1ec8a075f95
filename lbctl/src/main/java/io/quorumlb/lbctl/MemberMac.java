package io.quorumlb.lbctl;

import io.quorumlb.proto.v1.SetMemberMacRequest;
import io.quorumlb.proto.v1.SetMemberMacResponse;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Says where packets to a member go, whatever the network says. */
@Command(
        description =
                "Send packets to a member to this MAC address, whatever the network says; or ask the network again.")
final class MemberMac implements Callable<Integer> {
    private static final String ASK = "none";

    private final Session session;

    @Mixin
    private final MemberChange member = new MemberChange();

    @Parameters(
            index = "1",
            paramLabel = "MAC",
            description = "For example 02:00:0a:14:00:02, or '" + ASK + "' to ask the network again.")
    private String mac = "";

    /** Creates the command for one session. */
    MemberMac(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        boolean ask = mac.equals(ASK);
        var request = SetMemberMacRequest.newBuilder()
                .setPool(member.path().pool())
                .setMember(member.path().member())
                .setMac(ask ? "" : mac)
                .build();
        return member.write(
                session,
                WaitLevel.COMMITTED,
                stub -> stub.setMemberMac(request),
                SetMemberMacResponse::getRevision,
                ask
                        ? member.path() + " is asked for its MAC address"
                        : "%s has MAC address %s".formatted(member.path(), mac));
    }
}
