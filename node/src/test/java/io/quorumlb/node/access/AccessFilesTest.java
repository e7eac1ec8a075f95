package io.quorumlb.node.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Metadata;
import io.quorumlb.consensus.model.Role;
import io.quorumlb.node.access.Recognition.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of files that change under a node. */
class AccessFilesTest {
    @TempDir
    private static Path made;

    private static TestCa ca;

    @TempDir
    private Path directory;

    private final List<Instant> ends = new CopyOnWriteArrayList<>();
    private AccessFiles files;

    @BeforeAll
    static void authority() throws IOException, GeneralSecurityException {
        ca = new TestCa(made, "ca")
                .issue("one", "CN=one")
                .issue("two", "CN=two")
                .issue("ended", "CN=ended", "-startdate", "-3d", "-validity", "1")
                .issue("anna", "CN=anna, OU=quorumlb-operator, O=site")
                .issue("nobody", "CN=nobody, OU=plumbers")
                .issue("twice", "CN=twice, OU=quorumlb-viewer, OU=quorumlb-admin")
                .issue("loud", "CN=\"lo;ud\", OU=quorumlb-admin");
    }

    @BeforeEach
    void open() throws IOException {
        install("one");
        Files.writeString(directory.resolve("tokens"), "ci operator %s\n".formatted(TokenFileTest.sha256("deploy")));
        files = AccessFiles.open(
                new AccessSettings.Secured(
                        directory.resolve("node.crt"),
                        directory.resolve("node.key"),
                        ca.certificate("ca"),
                        Optional.of(directory.resolve("tokens"))),
                Instant::now,
                ends::add);
    }

    @AfterEach
    void close() {
        files.close();
    }

    private void install(String alias) throws IOException {
        copy(ca.certificate(alias), "node.crt");
        copy(ca.key(alias), "node.key");
    }

    private void copy(Path from, String to) throws IOException {
        Files.copy(from, directory.resolve(to), StandardCopyOption.REPLACE_EXISTING);
    }

    private String subject() {
        return files.key().current().certificate().getSubjectX500Principal().getName();
    }

    private static String subject(CurrentKey key, String alias) {
        return Objects.requireNonNull(key.getCertificateChain(alias))[0]
                .getSubjectX500Principal()
                .getName();
    }

    private Found token(String authorization) {
        Metadata headers = new Metadata();
        headers.put(Recognition.AUTHORIZATION, authorization);
        return files.who(headers, Optional.empty(), "10.40.0.9:1");
    }

    private Found certificate(String alias) throws IOException, GeneralSecurityException {
        X509Certificate certificate =
                Pem.certificates(Files.readAllBytes(ca.certificate(alias))).getFirst();
        return files.byCertificate(new X509Certificate[] {certificate}, "10.40.0.9:1");
    }

    private static String reason(Found found) {
        return assertInstanceOf(Found.Unknown.class, found).reason();
    }

    @Test
    void aNewCertificateIsUsedAndAHandshakeUnderWayKeepsItsOwn() throws Exception {
        CurrentKey key = files.key();
        String alias = String.valueOf(key.chooseEngineServerAlias("EC", null, null));
        install("two");
        files.look();
        assertEquals("CN=two", subject());
        assertEquals("CN=one", subject(key, alias));
        String next = String.valueOf(key.chooseEngineServerAlias("EC", null, null));
        assertEquals("CN=two", subject(key, next));
        assertNull(key.chooseEngineServerAlias("RSA", null, null));
    }

    @Test
    void whenTheCertificateEndsIsToldAgainAndAgain() throws Exception {
        assertEquals(List.of(files.notAfter()), ends);
        files.look();
        install("two");
        files.look();
        assertTrue(ends.size() >= 3, ends::toString);
        assertEquals(files.notAfter(), ends.getLast());
    }

    @Test
    void aCertificateWithoutItsKeyLeavesTheOneBefore() throws Exception {
        copy(ca.certificate("two"), "node.crt");
        files.look();
        assertEquals("CN=one", subject());
        copy(ca.key("two"), "node.key");
        files.look();
        assertEquals("CN=two", subject());
    }

    @ParameterizedTest
    @CsvSource({"node.crt, ''", "node.key, 'nothing'", "node.crt, '-----BEGIN CERTIFICATE----- AAAA'", "tokens, 'a b'"})
    void brokenFilesLeaveThoseBefore(String file, String content) throws Exception {
        Files.writeString(directory.resolve(file), content);
        files.look();
        assertEquals("CN=one", subject());
        assertInstanceOf(Found.Known.class, token("Bearer deploy"));
        Files.delete(directory.resolve(file));
        files.look();
        assertEquals("CN=one", subject());
        assertInstanceOf(Found.Known.class, token("Bearer deploy"));
    }

    @Test
    void aCertificateThatHasEndedIsNotTaken() throws Exception {
        install("ended");
        files.look();
        assertEquals("CN=one", subject());
        assertTrue(files.notAfter().isAfter(Instant.now().plus(Duration.ofDays(1))));
    }

    @Test
    void tokensChange() throws IOException {
        var known = assertInstanceOf(Found.Known.class, token("bearer deploy"));
        assertEquals(Role.OPERATOR, known.caller().role());
        assertEquals("ci", known.caller().name());
        Files.writeString(directory.resolve("tokens"), "ci viewer %s\n".formatted(TokenFileTest.sha256("new")));
        files.look();
        assertEquals("the token is not known to this node", reason(token("Bearer deploy")));
        assertInstanceOf(Found.Known.class, token("Bearer new"));
    }

    @ParameterizedTest
    @CsvSource({
        "Basic deploy, the authorization header is not 'Bearer TOKEN'",
        "deploy, the authorization header is not 'Bearer TOKEN'",
        "'Bearer ', 'the token has 0 characters, 1..4096 expected'"
    })
    void otherHeadersAreNoTokens(String header, String reason) {
        assertEquals(reason, reason(token(header)));
    }

    @Test
    void aLongTokenIsNotEvenLookedAt() {
        assertEquals("the token has 5000 characters, 1..4096 expected", reason(token("Bearer " + "a".repeat(5_000))));
    }

    @Test
    void theSubjectIsTheCaller() throws Exception {
        var anna = assertInstanceOf(Found.Known.class, certificate("anna"));
        assertEquals("anna", anna.caller().name());
        assertEquals(Role.OPERATOR, anna.caller().role());
    }

    @ParameterizedTest
    @CsvSource({"nobody, has 0 roles", "twice, has 2 roles", "loud, name 'lo;ud'", "ended, not trusted"})
    void otherSubjectsAreNobody(String alias, String part) throws Exception {
        String reason = reason(certificate(alias));
        assertTrue(reason.contains(part), reason);
    }

    @Test
    void aClientOfAnotherAuthorityIsNobodyFromTheChangeOn() throws Exception {
        assertInstanceOf(Found.Known.class, certificate("anna"));
        TestCa other = new TestCa(directory, "other");
        Path trusted = directory.resolve("trusted");
        Files.copy(ca.certificate("ca"), trusted);
        try (var moved = AccessFiles.open(
                new AccessSettings.Secured(
                        directory.resolve("node.crt"), directory.resolve("node.key"), trusted, Optional.empty()),
                Instant::now,
                _ -> {})) {
            X509Certificate[] anna = {
                Pem.certificates(Files.readAllBytes(ca.certificate("anna"))).getFirst()
            };
            assertInstanceOf(Found.Known.class, moved.byCertificate(anna, ""));
            Files.copy(other.certificate("other"), trusted, StandardCopyOption.REPLACE_EXISTING);
            moved.look();
            String reason = reason(moved.byCertificate(anna, ""));
            assertTrue(reason.contains("not trusted"), reason);
        }
    }

    @Test
    void aNodeDoesNotStartWithoutItsFiles() throws IOException {
        Path missing = directory.resolve("missing");
        String message = String.valueOf(assertThrows(
                        IOException.class,
                        () -> AccessFiles.open(
                                new AccessSettings.Secured(
                                        missing, directory.resolve("node.key"), ca.certificate("ca"), Optional.empty()),
                                Instant::now,
                                _ -> {}))
                .getMessage());
        assertEquals(missing + ": there is no such file", message);
    }
}
