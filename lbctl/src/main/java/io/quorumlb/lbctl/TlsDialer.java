package io.quorumlb.lbctl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Connects over TLS. Nothing of TLS is loaded by commands that do not use it. */
final class TlsDialer {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private final SSLContext context;
    private final Optional<String> serverName;

    /**
     * Reads the certificates that the settings name.
     *
     * @throws CommandFailure naming the file that cannot be used; never what is in it
     */
    TlsDialer(ConnectionSettings settings) {
        this.serverName = settings.get(ConnectionSettings.TLS_SERVER_NAME);
        try {
            this.context = SSLContext.getInstance("TLS");
            context.init(keys(settings), trust(settings), null);
        } catch (GeneralSecurityException e) {
            throw new CommandFailure(ExitCode.USAGE, "TLS cannot be set up: " + e.getMessage());
        }
    }

    private static TrustManager @Nullable [] trust(ConnectionSettings settings) throws GeneralSecurityException {
        Optional<String> file = settings.get(ConnectionSettings.TLS_CA);
        if (file.isEmpty()) {
            return null;
        }
        KeyStore store = emptyStore();
        List<X509Certificate> authorities = certificates("--tls-ca", Path.of(file.get()));
        for (int i = 0; i < authorities.size(); i++) {
            store.setCertificateEntry("ca-" + i, authorities.get(i));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager @Nullable [] keys(ConnectionSettings settings) {
        Optional<String> cert = settings.get(ConnectionSettings.TLS_CERT);
        Optional<String> key = settings.get(ConnectionSettings.TLS_KEY);
        if (cert.isEmpty() || key.isEmpty()) {
            return null;
        }
        return new KeyManager[] {
            new ClientIdentity(key(Path.of(key.get())), certificates("--tls-cert", Path.of(cert.get())))
        };
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try {
            store.load(null, null);
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
        return store;
    }

    private static List<X509Certificate> certificates(String option, Path file) {
        byte[] content = content(option, file);
        try {
            List<X509Certificate> certificates =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(content))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (!certificates.isEmpty()) {
                return certificates;
            }
        } catch (GeneralSecurityException _) {
            // Said below.
        }
        throw unfit(option, file, "it has no certificate in PEM that can be read");
    }

    private static PrivateKey key(Path file) {
        String option = "--tls-key";
        Matcher matcher = KEY.matcher(new String(content(option, file), StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw unfit(option, file, "it has no private key in PKCS #8 (-----BEGIN PRIVATE KEY-----)");
        }
        try {
            byte[] encoded = Base64.getMimeDecoder().decode(matcher.group(1));
            for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
                try {
                    return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
                } catch (InvalidKeySpecException _) {
                    // Perhaps it is of the next kind.
                }
            }
        } catch (GeneralSecurityException | IllegalArgumentException _) {
            // Said below.
        }
        throw unfit(option, file, "its private key cannot be read");
    }

    private static byte[] content(String option, Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            throw unfit(option, file, "there is no such file");
        } catch (IOException _) {
            throw unfit(option, file, "it cannot be read");
        }
    }

    private static CommandFailure unfit(String option, Path file, String what) {
        return new CommandFailure(ExitCode.USAGE, "%s %s: %s".formatted(option, file, what));
    }

    /**
     * Connects and makes sure that it is the node that was meant.
     *
     * @throws TlsFailure if the two sides do not trust each other
     */
    HttpWire open(Endpoint endpoint, InetSocketAddress address, Budget budget) throws IOException {
        Socket plain = HttpWire.connect(address, budget);
        try {
            SSLSocket secured = (SSLSocket) context.getSocketFactory()
                    .createSocket(plain, serverName.orElse(endpoint.host()), endpoint.port(), true);
            SSLParameters parameters = secured.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secured.setSSLParameters(parameters);
            secured.setSoTimeout(HttpWire.millis(budget));
            secured.startHandshake();
            return HttpWire.over(secured);
        } catch (SSLException e) {
            plain.close();
            // A wait that ended in the middle of the handshake comes as an error of TLS.
            if (e.getCause() instanceof SocketTimeoutException late) {
                throw late;
            }
            throw new TlsFailure(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }
}
