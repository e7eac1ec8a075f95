package io.quorumlb.node.access;

import io.grpc.Context;
import io.quorumlb.consensus.machine.Authorship;
import java.util.Optional;

/** Who asked for the call that the present thread serves. */
public final class AskedCall {
    private static final Context.Key<Authorship> AUTHOR = Context.key("author");

    private AskedCall() {}

    /** Returns who asked; empty outside of a guarded call. */
    public static Optional<Authorship> author() {
        return Optional.ofNullable(AUTHOR.get());
    }

    static Context by(Authorship author) {
        return Context.current().withValue(AUTHOR, author);
    }
}
