package io.quorumlb.node.access;

import io.grpc.Metadata;
import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.Role;
import java.util.Optional;
import javax.net.ssl.SSLSession;

/** Access is open: nobody is asked who it is, and everybody may do everything. */
record Everybody() implements Recognition {
    private static final String NAME = "anyone";

    @Override
    public Found who(Metadata headers, Optional<SSLSession> session, String address) {
        return new Found.Known(new Caller(NAME, Role.ADMIN, address));
    }
}
