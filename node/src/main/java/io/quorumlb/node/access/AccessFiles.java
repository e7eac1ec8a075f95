package io.quorumlb.node.access;

import io.grpc.Metadata;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.quorumlb.consensus.model.Caller;
import io.quorumlb.consensus.model.PlainText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that say who the node is and who its callers are. They are looked at every few seconds; new content is used from
 * then on, for new connections and new calls, and content that cannot be used leaves what was before.
 */
final class AccessFiles implements Recognition, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccessFiles.class);
    private static final int LOOK_SECONDS = 2;
    private static final int TOKEN_MAX = 4_096;
    private static final String SCHEME = "bearer ";

    private final AccessSettings.Secured settings;
    private final Supplier<Instant> clock;
    private final Consumer<Instant> ends;
    private final WatchedFiles identityFiles;
    private final Optional<WatchedFiles> tokenFile;
    private final CurrentKey key;
    private final CurrentTrust trust;
    private final Thread watch = Thread.ofVirtual().name("access-files").unstarted(this::follow);
    private volatile TokenFile tokens;

    private AccessFiles(AccessSettings.Secured settings, Supplier<Instant> clock, Consumer<Instant> ends)
            throws IOException {
        this.settings = settings;
        this.clock = clock;
        this.ends = ends;
        identityFiles = new WatchedFiles(List.of(settings.certificate(), settings.key(), settings.clientCa()));
        tokenFile = settings.tokens().map(file -> new WatchedFiles(List.of(file)));
        key = new CurrentKey(readIdentity());
        trust = new CurrentTrust(() -> key.current().trust());
        tokens = readTokens();
    }

    /**
     * Reads the files and looks at them from now on.
     *
     * @param clock says whether a new certificate is still good
     * @param ends is told now and at each look when the node's certificate ends
     * @throws IOException naming the file that cannot be used, and why
     */
    static AccessFiles open(AccessSettings.Secured settings, Supplier<Instant> clock, Consumer<Instant> ends)
            throws IOException {
        var files = new AccessFiles(settings, clock, ends);
        files.said(files.key.current());
        ends.accept(files.notAfter());
        files.watch.start();
        return files;
    }

    /** Returns the node's side of TLS for gRPC; a client may show a certificate. */
    ServerCredentials grpc() {
        return TlsServerCredentials.newBuilder()
                .keyManager(key)
                .trustManager(trust)
                .clientAuth(TlsServerCredentials.ClientAuth.OPTIONAL)
                .build();
    }

    /** Returns the node's side of TLS. */
    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {key}, new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    /** Returns what hands the node's key to handshakes. */
    CurrentKey key() {
        return key;
    }

    /** Returns when the node's certificate ends. */
    Instant notAfter() {
        return key.current().notAfter();
    }

    @Override
    public Found who(Metadata headers, Optional<SSLSession> session, String address) {
        String authorization = headers.get(AUTHORIZATION);
        if (authorization != null) {
            return byToken(authorization, address);
        }
        return session.flatMap(AccessFiles::certificates)
                .map(chain -> byCertificate(chain, address))
                .orElseGet(() -> new Found.Unknown("the call came without a client certificate and without a token"));
    }

    private Found byToken(String authorization, String address) {
        if (!authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return new Found.Unknown("the authorization header is not 'Bearer TOKEN'");
        }
        String token = authorization.substring(SCHEME.length()).strip();
        if (token.isEmpty() || token.length() > TOKEN_MAX) {
            return new Found.Unknown(
                    "the token has %d characters, 1..%d expected".formatted(token.length(), TOKEN_MAX));
        }
        return tokens.find(token, address)
                .<Found>map(Found.Known::new)
                .orElseGet(() -> new Found.Unknown("the token is not known to this node"));
    }

    /** Returns whom a client's certificate stands for, now. */
    Found byCertificate(X509Certificate[] chain, String address) {
        try {
            key.current().requireTrusted(chain);
            return new Found.Known(CertifiedName.of(chain[0], address));
        } catch (CertificateException e) {
            return new Found.Unknown("the client certificate is not trusted (any more): "
                    + PlainText.of(String.valueOf(e.getMessage()), Caller.NAME_MAX * 2));
        } catch (IllegalArgumentException e) {
            return new Found.Unknown("the client certificate says nobody's name and role: " + e.getMessage());
        }
    }

    private static Optional<X509Certificate[]> certificates(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            return Optional.of(Arrays.copyOf(chain, chain.length, X509Certificate[].class));
        } catch (SSLPeerUnverifiedException _) {
            return Optional.empty();
        }
    }

    private void follow() {
        try {
            while (true) {
                TimeUnit.SECONDS.sleep(LOOK_SECONDS);
                look();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks at the files once. */
    void look() {
        if (identityFiles.changed()) {
            try {
                ServerIdentity next = readIdentity();
                if (next.notAfter().isBefore(clock.get())) {
                    throw new IOException(
                            "certificate %s: it has ended at %s".formatted(settings.certificate(), next.notAfter()));
                }
                key.become(next);
                said(next);
            } catch (IOException e) {
                LOG.error("new certificate files are not used, those from before stay: {}", e.getMessage());
            }
        }
        if (tokenFile.filter(WatchedFiles::changed).isPresent()) {
            try {
                tokens = readTokens();
                LOG.info("tokens changed file={} tokens={}", settings.tokens().orElseThrow(), tokens.size());
            } catch (IOException e) {
                LOG.error("new token file is not used, the tokens from before stay: {}", e.getMessage());
            }
        }
        ends.accept(notAfter());
    }

    private void said(ServerIdentity identity) {
        LOG.info(
                "certificate in use subject='{}' not-after={} tokens={}",
                PlainText.of(identity.certificate().getSubjectX500Principal().getName(), 200),
                identity.notAfter(),
                tokens.size());
        if (identity.notAfter().isBefore(clock.get())) {
            LOG.error("the certificate has ended: clients refuse it until the files have another one");
        }
    }

    private ServerIdentity readIdentity() throws IOException {
        List<byte[]> contents = identityFiles.read();
        try {
            return ServerIdentity.of(
                    read("certificate", settings.certificate(), contents.getFirst(), Pem::certificates),
                    read("key", settings.key(), contents.get(1), Pem::key),
                    read("clientCa", settings.clientCa(), contents.get(2), Pem::certificates));
        } catch (GeneralSecurityException e) {
            throw new IOException("%s and %s: %s".formatted(settings.certificate(), settings.key(), e.getMessage()), e);
        }
    }

    private TokenFile readTokens() throws IOException {
        if (tokenFile.isEmpty()) {
            return TokenFile.empty();
        }
        String text = new String(tokenFile.get().read().getFirst(), StandardCharsets.UTF_8);
        try {
            return TokenFile.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("tokens %s: %s".formatted(settings.tokens().orElseThrow(), e.getMessage()), e);
        }
    }

    /** What reads a file's content. */
    private interface Form<T> {
        T of(byte[] content) throws GeneralSecurityException;
    }

    private static <T> T read(String field, Path file, byte[] content, Form<T> form) throws IOException {
        try {
            return form.of(content);
        } catch (GeneralSecurityException e) {
            throw new IOException("%s %s: %s".formatted(field, file, e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        watch.interrupt();
    }
}
