package io.quorumlb.node.access;

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

/** An authority that signs certificates with the JDK's keytool; its own certificate is {@code NAME.crt} in its directory. */
public final class TestCa {
    private static final String PASSWORD = "changeit";

    private final Path directory;
    private final Path store;
    private final String name;

    /** Makes an authority in a directory. */
    public TestCa(Path directory, String name) throws IOException, GeneralSecurityException {
        this.directory = directory;
        this.name = name;
        this.store = directory.resolve(name + ".p12");
        generate(name, "CN=" + name, "-ext", "bc:c", "-validity", "30");
        write(name);
    }

    /**
     * Signs a certificate and writes {@code ALIAS.crt} and {@code ALIAS.key}.
     *
     * @param options further ones of keytool, for example {@code -validity 1}
     */
    public TestCa issue(String alias, String subject, String... options) throws IOException, GeneralSecurityException {
        List<String> all = new ArrayList<>(List.of("-signer", name, "-ext", "SAN=ip:127.0.0.1,dns:localhost"));
        all.addAll(List.of(options));
        generate(alias, subject, all.toArray(String[]::new));
        write(alias);
        return this;
    }

    /** Returns a file with the certificate of the alias; the authority's own has its name. */
    public Path certificate(String alias) {
        return directory.resolve(alias + ".crt");
    }

    /** Returns a file with the key of the alias. */
    public Path key(String alias) {
        return directory.resolve(alias + ".key");
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

    private void write(String alias) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        pem(
                certificate(alias),
                "CERTIFICATE",
                Objects.requireNonNull(keys.getCertificate(alias)).getEncoded());
        pem(
                key(alias),
                "PRIVATE KEY",
                Objects.requireNonNull(keys.getKey(alias, PASSWORD.toCharArray()))
                        .getEncoded());
    }

    private static void pem(Path file, String what, byte[] encoded) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
        Files.writeString(file, "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, text, what));
    }
}
