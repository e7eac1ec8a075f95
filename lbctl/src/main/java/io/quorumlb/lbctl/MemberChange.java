package io.quorumlb.lbctl;

import com.google.protobuf.Message;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** What all commands that change one member take: which one, and how long to wait for the proof. */
final class MemberChange {
    @SuppressWarnings("NullAway.Init") // required, so picocli has set it before the command runs
    @Parameters(
            index = "0",
            paramLabel = "POOL/MEMBER",
            converter = MemberPath.Converter.class,
            description = "The member, for example web/be1.")
    private MemberPath path;

    @Mixin
    private final ProvableWait wait = new ProvableWait();

    /** Returns the member. */
    MemberPath path() {
        return path;
    }

    /**
     * Writes, waits as far as was asked for, and returns the exit status.
     *
     * @param level how far to wait if nothing was asked for
     * @param revision reads the revision of the write from its answer
     * @param done says what was written, for people
     */
    <R extends Message> int write(
            Session session,
            WaitLevel level,
            Function<ControlServiceBlockingStub, R> call,
            Function<R, Long> revision,
            String done) {
        return session.writeProvable(wait.level(level), call, path.pool(), revision, done)
                .status();
    }
}
