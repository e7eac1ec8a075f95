package io.quorumlb.lbctl;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An authority, a node of 127.0.0.1 and a client, made by the JDK's keytool. */
final class TlsFiles {
    private static final String PASSWORD = "changeit";

    private final Path directory;
    private final Path store;

    /** Makes them in a directory; files of the names {@code ca}, {@code node} and {@code client}. */
    TlsFiles(Path directory) throws IOException, GeneralSecurityException {
        this(directory, "CN=ca");
    }

    /** Makes them with an authority of this name. */
    TlsFiles(Path directory, String authority) throws IOException, GeneralSecurityException {
        this.directory = directory;
        this.store = directory.resolve("all.p12");
        generate("ca", authority, "-ext", "bc:c");
        generate("node", "CN=n1", "-signer", "ca", "-ext", "SAN=ip:127.0.0.1,dns:n1.example.org");
        generate("client", "CN=anna, OU=quorumlb-admin", "-signer", "ca");
        KeyStore keys = keys();
        for (String alias : List.of("ca", "node", "client")) {
            pem(
                    crt(alias),
                    "CERTIFICATE",
                    Objects.requireNonNull(keys.getCertificate(alias)).getEncoded());
            pem(
                    key(alias),
                    "PRIVATE KEY",
                    Objects.requireNonNull(keys.getKey(alias, PASSWORD.toCharArray()))
                            .getEncoded());
        }
    }

    private void generate(String alias, String subject, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                subject,
                "-validity",
                "30",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new IOException("keytool: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private KeyStore keys() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    private static void pem(Path file, String what, byte[] encoded) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        Files.writeString(file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
    }

    Path crt(String alias) {
        return directory.resolve(alias + ".crt");
    }

    Path key(String alias) {
        return directory.resolve(alias + ".key");
    }

    /** Returns the node's side. */
    SSLContext ofNode() throws IOException, GeneralSecurityException {
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        own.setEntry(
                "node",
                keys().getEntry("node", new KeyStore.PasswordProtection(PASSWORD.toCharArray())),
                new KeyStore.PasswordProtection(PASSWORD.toCharArray()));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(own, PASSWORD.toCharArray());
        KeyStore authority = KeyStore.getInstance("PKCS12");
        authority.load(null, null);
        authority.setCertificateEntry("ca", keys().getCertificate("ca"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(authority);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
