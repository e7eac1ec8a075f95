package io.quorumlb.lbctl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Over TLS, with certificates and tokens, and by contexts. */
class TlsTest {
    private static final String TOKEN = "s3cret-token-of-nobody";

    @TempDir
    private static Path made;

    private static TlsFiles files;

    @TempDir
    private Path home;

    private FakeNode node;

    @BeforeAll
    static void make() throws IOException, GeneralSecurityException {
        files = new TlsFiles(made);
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        node = new FakeNode(files.ofNode());
        node.answers("ListPools", Samples.pools());
        Files.writeString(home.resolve("token"), TOKEN + "\n");
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Ran run(String line) {
        SortedMap<String, String> environment = new TreeMap<>(Map.of("HOME", home.toString()));
        Ran ran = Ran.with(environment, Console.Colour.OFF, line);
        assertFalse((ran.out() + ran.err()).contains(TOKEN), ran::toString);
        return ran;
    }

    private String ca() {
        return " --tls-ca " + files.crt("ca");
    }

    private String endpoint() {
        return " --endpoints https://" + node.endpoint();
    }

    @Test
    void aNodeIsAskedOverTls() {
        run("pool list" + endpoint() + ca()).endsWith(ExitCode.YES);
        run("pool list --endpoints " + node.endpoint() + ca()).endsWith(ExitCode.YES);
        assertEquals(List.of(), node.callers());
    }

    @Test
    void aCertificateSaysWhoAsks() {
        run("pool list" + endpoint() + ca() + " --tls-cert " + files.crt("client") + " --tls-key "
                        + files.key("client"))
                .endsWith(ExitCode.YES);
        assertEquals(List.of("CN=anna,OU=quorumlb-admin"), node.callers());
    }

    @Test
    void aCertificateOfAnAuthorityThatTheNodeDoesNotNameIsNotShown() throws Exception {
        var others = new TlsFiles(Files.createDirectory(home.resolve("others")), "CN=another-ca");
        run("pool list" + endpoint() + ca() + " --tls-cert " + others.crt("client") + " --tls-key "
                        + others.key("client"))
                .endsWith(ExitCode.YES);
        assertEquals(List.of(), node.callers());
    }

    @Test
    void aTokenSaysWhoAsks() {
        run("pool list" + endpoint() + ca() + " --token-file " + home.resolve("token"))
                .endsWith(ExitCode.YES);
        assertEquals(List.of("Bearer " + TOKEN), node.callers());
    }

    @Test
    void aTokenDoesNotGoOverPlainConnections() {
        try (var plain = new FakeNode()) {
            run("pool list --endpoints " + plain.endpoint() + " --token-file " + home.resolve("token"))
                    .endsWith(ExitCode.USAGE)
                    .says("a token goes over TLS only: write https://" + plain.endpoint());
            assertEquals(List.of(), plain.requests());
        }
    }

    @Test
    void aTokenFileIsRefusedWithoutShowingIt() throws IOException {
        Files.writeString(home.resolve("token"), TOKEN + " and more");
        run("pool list" + endpoint() + ca() + " --token-file " + home.resolve("token"))
                .endsWith(ExitCode.USAGE)
                .says("printable ASCII characters without spaces expected");
    }

    @Test
    void aNodeOfAnotherAuthorityOrNameIsNotAsked() throws Exception {
        run("pool list" + endpoint() + " --tls-ca " + files.crt("client"))
                .endsWith(ExitCode.UNKNOWN)
                .says("shows a certificate that --tls-ca does not trust");
        run("pool list" + endpoint() + ca() + " --tls-server-name n2.example.org")
                .endsWith(ExitCode.UNKNOWN)
                .says("shows a certificate of another name: see --tls-server-name");
        run("pool list" + endpoint() + ca() + " --tls-server-name n1.example.org")
                .endsWith(ExitCode.YES);
        assertEquals(1, node.requests().size());
    }

    @Test
    void aPortWithoutTlsIsSaidToBeOne() throws IOException {
        try (var plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> refuse(plain));
            run("pool list --endpoints https://127.0.0.1:" + plain.getLocalPort() + ca())
                    .endsWith(ExitCode.UNKNOWN)
                    .says("does not speak TLS as expected");
        }
    }

    /** Answers whatever comes as a server without TLS does that has read a line of it. */
    private static void refuse(ServerSocket plain) {
        try (Socket socket = plain.accept()) {
            socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aContextKeepsTheWay() throws IOException {
        run("config set-context site" + endpoint() + ca() + " --token-file " + home.resolve("token"))
                .endsWith(ExitCode.YES)
                .says("context site set in " + home.resolve(".config/lbctl/config.yaml"));
        run("config set-context other --endpoints 127.0.0.1:1").endsWith(ExitCode.YES);
        run("pool list").endsWith(ExitCode.YES);
        run("pool list --context other").endsWith(ExitCode.UNKNOWN).says("127.0.0.1:1 connection refused");
        run("config use-context other").endsWith(ExitCode.YES);
        run("pool list").endsWith(ExitCode.UNKNOWN);
        run("pool list --context site").endsWith(ExitCode.YES);
        String listed = run("config list").endsWith(ExitCode.YES).out();
        assertTrue(listed.contains("*        other"), listed);
        String shown =
                run("config show --context site -o json").endsWith(ExitCode.YES).out();
        assertTrue(shown.contains("\"endpoints\": \"https://" + node.endpoint() + "\""), shown);
        run("config delete-context other").endsWith(ExitCode.YES);
        run("config show").endsWith(ExitCode.USAGE).says("there is no current context");
        Path file = home.resolve(".config/lbctl/config.yaml");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        try (var beside = Files.list(home.resolve(".config/lbctl"))) {
            assertEquals(1, beside.count());
        }
    }

    @Test
    void aBadFileIsNamedWithItsLine() throws IOException {
        Path file = home.resolve(".config/lbctl/config.yaml");
        Files.createDirectories(home.resolve(".config/lbctl"));
        Files.writeString(file, "current: a\ncontexts:\n  a:\n    tls: yes\n");
        run("pool list").endsWith(ExitCode.USAGE).says(file + ": line 4: 'tls' is none of endpoints, tls-ca");
    }
}
