package io.quorumlb.verify.cluster;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** What {@code cluster-compose/access} has made for clients of the site. */
final class SiteAccess {
    private static final Path DIRECTORY = Path.of(System.getProperty("quorumlb.root", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("cluster-compose/.state/access");

    private SiteAccess() {}

    /** Returns what makes a client the site's administrator. */
    static ChannelCredentials administrator() {
        try {
            return trusting()
                    .keyManager(
                            DIRECTORY.resolve("admin.crt").toFile(),
                            DIRECTORY.resolve("admin.key").toFile())
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns what makes a client trust the site's nodes, and leaves open who it is. */
    static ChannelCredentials nobody() {
        try {
            return trusting().build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TlsChannelCredentials.Builder trusting() throws IOException {
        return TlsChannelCredentials.newBuilder()
                .trustManager(DIRECTORY.resolve("ca.crt").toFile());
    }

    /** Returns the same for other clients. */
    static SSLContext context() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(DIRECTORY.resolve("ca.crt"))) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** Returns the token of a viewer. */
    static String viewerToken() throws IOException {
        return Files.readString(DIRECTORY.resolve("viewer.token")).strip();
    }
}
