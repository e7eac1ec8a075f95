package io.quorumlb.node.access;

import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.quorumlb.consensus.model.NodeId;
import io.quorumlb.proto.v1.AuditRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How clients reach this node's API: with or without TLS, who they are, what they may do, and what was refused. */
public final class Access implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Access.class);

    private final AccessSettings settings;
    private final Optional<AccessFiles> files;
    private final RefusedCalls refused = new RefusedCalls(System::currentTimeMillis);
    private final AccessGuard guard;

    private Access(AccessSettings settings, NodeId self, Optional<AccessFiles> files) {
        this.settings = settings;
        this.files = files;
        Recognition recognition = files.<Recognition>map(known -> known).orElseGet(Everybody::new);
        this.guard = new AccessGuard(self, recognition, refused);
    }

    /**
     * Opens the access that the settings ask for; says in the log if it is open to everybody.
     *
     * @param ends is told again and again when the node's certificate ends; never without TLS
     * @throws IOException naming the file that cannot be used
     */
    public static Access open(AccessSettings settings, NodeId self, Consumer<Instant> ends) throws IOException {
        return switch (settings) {
            case AccessSettings.Loopback _ -> {
                LOG.warn("clients are served on loopback only, without TLS, and may do everything there: "
                        + "the configuration has no section 'access'");
                yield new Access(settings, self, Optional.empty());
            }
            case AccessSettings.Open _ -> {
                LOG.warn("everybody who reaches this node may do everything, without TLS: "
                        + "the configuration says 'access: open'");
                yield new Access(settings, self, Optional.empty());
            }
            case AccessSettings.Secured secured ->
                new Access(settings, self, Optional.of(AccessFiles.open(secured, Instant::now, ends)));
        };
    }

    /** Returns the service behind the guard. */
    public ServerServiceDefinition guarded(BindableService service) {
        return ServerInterceptors.intercept(service, guard);
    }

    /** Returns the node's side of a gRPC connection. */
    public ServerCredentials grpc() {
        return files.map(AccessFiles::grpc).orElseGet(InsecureServerCredentials::create);
    }

    /** Returns the node's side of TLS; empty if there is none. */
    public Optional<SSLContext> tls() {
        return files.map(AccessFiles::context);
    }

    /** Returns true if clients are served on loopback only. */
    public boolean loopbackOnly() {
        return settings instanceof AccessSettings.Loopback;
    }

    /** Returns when the node's certificate ends; empty without TLS. */
    public Optional<Instant> certificateEnds() {
        return files.map(AccessFiles::notAfter);
    }

    /** Returns what was refused since the start, and writes that failed: the latest thousand kinds, in no order. */
    public List<AuditRecord> refused() {
        return refused.records();
    }

    /** Stops looking at the files; what is being served goes on. */
    @Override
    public void close() {
        files.ifPresent(AccessFiles::close);
    }
}
