package io.quorumlb.node.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.quorumlb.node.access.AccessSettings;
import io.quorumlb.node.access.TestCa;
import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.AuditOutcome;
import io.quorumlb.proto.v1.AuditRecord;
import io.quorumlb.proto.v1.CreateSegmentRequest;
import io.quorumlb.proto.v1.DeleteSegmentRequest;
import io.quorumlb.proto.v1.ListAuditRecordsRequest;
import io.quorumlb.proto.v1.ListAuditRecordsResponse;
import io.quorumlb.proto.v1.ListSegmentsRequest;
import io.quorumlb.proto.v1.Role;
import io.quorumlb.proto.v1.Segment;
import io.quorumlb.proto.v1.Site;
import io.quorumlb.proto.v1.WatchRequest;
import io.quorumlb.proto.v1.WriteOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both ports with TLS: who may call what, and what is recorded of it. */
class AccessTest {
    private static final String CALL = "https://127.0.0.1:%d/quorumlb.v1.ControlService/%s";
    private static final CreateSegmentRequest SEGMENT = CreateSegmentRequest.newBuilder()
            .setSegment(Segment.newBuilder().setName("p2").setPrefix("10.20.0.0/24"))
            .build();

    @TempDir
    private static Path made;

    private static TestCa ca;
    private static TestCa stranger;

    @TempDir
    private Path directory;

    private GuardedNode node;
    private final HttpClient client =
            HttpClient.newBuilder().sslContext(trusting()).build();

    @BeforeAll
    static void authorities() throws IOException, GeneralSecurityException {
        ca = new TestCa(made, "ca")
                .issue("one", "CN=n1")
                .issue("two", "CN=n1, O=renewed")
                .issue("viewer", "CN=vera, OU=quorumlb-viewer")
                .issue("operator", "CN=otto, OU=quorumlb-operator")
                .issue("admin", "CN=anna, OU=quorumlb-admin")
                .issue("ended", "CN=anna, OU=quorumlb-admin", "-startdate", "-3d", "-validity", "1");
        stranger = new TestCa(made, "stranger").issue("fake", "CN=anna, OU=quorumlb-admin");
    }

    @BeforeEach
    void start() throws IOException, GeneralSecurityException {
        install("one");
        Files.writeString(directory.resolve("tokens"), "dashboard viewer %s\n".formatted(sha256("look")));
        node = new GuardedNode(new AccessSettings.Secured(
                directory.resolve("node.crt"),
                directory.resolve("node.key"),
                ca.certificate("ca"),
                Optional.of(directory.resolve("tokens"))));
    }

    @AfterEach
    void stop() {
        client.close();
        node.close();
    }

    private void install(String alias) throws IOException {
        Files.copy(ca.certificate(alias), directory.resolve("node.crt"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(ca.key(alias), directory.resolve("node.key"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String sha256(String token) throws GeneralSecurityException {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
    }

    private static SSLContext trusting() {
        try (var in = Files.newInputStream(ca.certificate("ca"))) {
            Certificate authority = CertificateFactory.getInstance("X.509").generateCertificate(in);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setCertificateEntry("ca", authority);
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static TlsChannelCredentials.Builder nobody() throws IOException {
        return TlsChannelCredentials.newBuilder()
                .trustManager(ca.certificate("ca").toFile());
    }

    private static TlsChannelCredentials.Builder as(String alias) throws IOException {
        return as(ca, alias);
    }

    private static TlsChannelCredentials.Builder as(TestCa authority, String alias) throws IOException {
        return nobody().keyManager(
                        authority.certificate(alias).toFile(),
                        authority.key(alias).toFile());
    }

    private HttpResponse<String> post(String method, String body, String... headers)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(CALL.formatted(node.jsonPort(), method)))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static StatusRuntimeException failed(Code code, org.junit.jupiter.api.function.Executable call) {
        StatusRuntimeException failed = assertThrows(StatusRuntimeException.class, call);
        assertEquals(code, failed.getStatus().getCode(), failed::getMessage);
        return failed;
    }

    private static ListAuditRecordsResponse audit(GuardedNode at, ListAuditRecordsRequest.Builder request)
            throws IOException {
        return at.api(as("viewer")).listAuditRecords(request.build());
    }

    @Test
    void whoDoesNotSayWhoItIsIsRefusedOnBothPortsAndRecorded() throws Exception {
        String message = String.valueOf(failed(
                        Code.UNAUTHENTICATED,
                        () -> node.api(nobody()).listSegments(ListSegmentsRequest.getDefaultInstance()))
                .getMessage());
        assertTrue(message.contains("without a client certificate and without a token; say who you are"), message);
        HttpResponse<String> refused = post("CreateSegment", "not even looked at");
        assertEquals(401, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("UNAUTHENTICATED"), refused.body());
        List<AuditRecord> records =
                audit(node, ListAuditRecordsRequest.newBuilder()).getRecordsList();
        assertEquals(
                List.of("CreateSegment", "ListSegments"),
                records.stream().map(AuditRecord::getMethod).toList());
        AuditRecord first = records.getFirst();
        assertEquals("UNAUTHENTICATED", first.getStatus());
        assertTrue(first.getAddress().startsWith("127.0.0.1:"), first.getAddress());
        assertEquals("n1", first.getNode());
        assertEquals("", first.getCaller());
    }

    @Test
    void theHealthServiceStaysOpen() throws IOException {
        var health = HealthGrpc.newBlockingStub(node.channel(nobody().build()))
                .withDeadlineAfter(20, TimeUnit.SECONDS)
                .check(HealthCheckRequest.getDefaultInstance());
        assertNotEquals(ServingStatus.UNKNOWN, health.getStatus());
    }

    @Test
    void aViewerReadsAndDoesNotWriteOnBothPorts() throws Exception {
        for (var api : List.of(node.api(as("viewer")), node.api(nobody(), "look"))) {
            assertEquals(
                    0,
                    api.listSegments(ListSegmentsRequest.getDefaultInstance()).getSegmentsCount());
            assertTrue(api.watch(WatchRequest.getDefaultInstance()).hasNext());
            assertEquals(
                    1,
                    api.apply(ApplyRequest.newBuilder()
                                    .setSite(Site.newBuilder().addSegments(SEGMENT.getSegment()))
                                    .setDryRun(true)
                                    .build())
                            .getChangesCount());
            String message = String.valueOf(failed(Code.PERMISSION_DENIED, () -> api.createSegment(SEGMENT))
                    .getMessage());
            assertTrue(message.contains("has the role viewer, CreateSegment takes the role operator"), message);
        }
        assertEquals(
                200, post("ListSegments", "", "Authorization", "Bearer look").statusCode());
        HttpResponse<String> refused =
                post("CreateSegment", "{\"segment\": {\"name\": \"p3\"}}", "Authorization", "Bearer look");
        assertEquals(403, refused.statusCode(), refused.body());
        assertTrue(refused.body().contains("'dashboard' has the role viewer"), refused.body());
        assertEquals(
                401, post("ListSegments", "", "Authorization", "Bearer guess").statusCode());
        List<AuditRecord> records = audit(
                        node, ListAuditRecordsRequest.newBuilder().setCaller("dashboard"))
                .getRecordsList();
        assertEquals(
                List.of("p3", "p2"),
                records.stream().map(AuditRecord::getObject).toList());
        assertTrue(node.inner.watch.current().cluster().model().segments().isEmpty());
    }

    @Test
    void whatIsDoneIsRecordedOnceWithWhoHasDoneIt() throws Exception {
        var otto = node.api(as("operator"));
        CreateSegmentRequest write = SEGMENT.toBuilder()
                .setOptions(WriteOptions.newBuilder().setRequestId("deploy-7"))
                .build();
        long revision = otto.createSegment(write).getRevision();
        assertEquals(revision, otto.createSegment(write).getRevision());
        failed(Code.ALREADY_EXISTS, () -> otto.createSegment(SEGMENT));
        failed(
                Code.PERMISSION_DENIED,
                () -> otto.deleteSegment(
                        DeleteSegmentRequest.newBuilder().setName("p2").build()));
        failed(
                Code.PERMISSION_DENIED,
                () -> otto.apply(ApplyRequest.newBuilder().setPrune(true).build()));
        List<AuditRecord> done = audit(
                        node, ListAuditRecordsRequest.newBuilder().setOutcome(AuditOutcome.AUDIT_OUTCOME_DONE))
                .getRecordsList();
        assertEquals(1, done.size(), done::toString);
        AuditRecord record = done.getFirst();
        assertEquals("otto", record.getCaller());
        assertEquals(Role.ROLE_OPERATOR, record.getRole());
        assertEquals("CreateSegment", record.getMethod());
        assertEquals("p2", record.getObject());
        assertEquals("deploy-7", record.getRequestId());
        assertEquals("OK", record.getStatus());
        assertEquals(revision, record.getRevision());
        assertTrue(record.getAddress().startsWith("127.0.0.1:"), record.getAddress());
        List<AuditRecord> failed = audit(
                        node, ListAuditRecordsRequest.newBuilder().setOutcome(AuditOutcome.AUDIT_OUTCOME_FAILED))
                .getRecordsList();
        assertEquals(
                List.of("Apply PERMISSION_DENIED", "DeleteSegment PERMISSION_DENIED", "CreateSegment ALREADY_EXISTS"),
                failed.stream()
                        .map(one -> one.getMethod() + " " + one.getStatus())
                        .toList());
        assertTrue(node.api(as("admin"))
                        .deleteSegment(
                                DeleteSegmentRequest.newBuilder().setName("p2").build())
                        .getRevision()
                > revision);
    }

    @Test
    void recordsComeInPages() throws Exception {
        var anna = node.api(as("admin"));
        for (int i = 0; i < 7; i++) {
            anna.createSegment(CreateSegmentRequest.newBuilder()
                    .setSegment(Segment.newBuilder().setName("s" + i).setPrefix("10.2%d.0.0/24".formatted(i)))
                    .build());
        }
        List<String> seen = new ArrayList<>();
        String token = "";
        do {
            ListAuditRecordsResponse page = audit(
                    node, ListAuditRecordsRequest.newBuilder().setPageSize(3).setPageToken(token));
            assertTrue(page.getRecordsCount() <= 3);
            page.getRecordsList().forEach(record -> seen.add(record.getObject()));
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        assertEquals(List.of("s6", "s5", "s4", "s3", "s2", "s1", "s0"), seen);
        assertEquals(
                0,
                audit(node, ListAuditRecordsRequest.newBuilder().setSinceMillis(Long.MAX_VALUE))
                        .getRecordsCount());
        failed(
                Code.INVALID_ARGUMENT,
                () -> audit(node, ListAuditRecordsRequest.newBuilder().setPageToken("1.x.n1")));
        failed(
                Code.INVALID_ARGUMENT,
                () -> audit(node, ListAuditRecordsRequest.newBuilder().setPageSize(1_001)));
    }

    @ParameterizedTest
    // A client does not even show a certificate of an authority that the node does not name.
    @CsvSource({"fake, UNAUTHENTICATED", "ended, UNAVAILABLE"})
    void certificatesOfStrangersAndOfThePastMakeNobody(String alias, Code code) throws Exception {
        var api = node.api(as(alias.equals("fake") ? stranger : ca, alias));
        failed(code, () -> api.listSegments(ListSegmentsRequest.getDefaultInstance()));
    }

    @Test
    void withoutTlsNothingIsAnswered() {
        HttpRequest plain = HttpRequest.newBuilder(URI.create(
                        CALL.formatted(node.jsonPort(), "ListSegments").replace("https", "http")))
                .POST(BodyPublishers.noBody())
                .build();
        assertThrows(IOException.class, () -> client.send(plain, HttpResponse.BodyHandlers.ofString()));
    }

    @Test
    void aHandshakeThatStallsIsCutOff() throws IOException {
        try (Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), node.jsonPort())) {
            socket.setSoTimeout(20_000);
            // The head of a record that never comes.
            socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0});
            // An alert at the most, and then the end.
            assertTrue(socket.getInputStream().readAllBytes().length < 100);
        } catch (SocketException _) {
            // A reset ends it as well; a read that has to wait too long is another error.
        }
    }

    @Test
    void aNewCertificateIsShownWhileCallsGoOnAndNoneFails() throws Exception {
        int calls = 0;
        var anna = node.api(as("admin")).withDeadlineAfter(60, TimeUnit.SECONDS);
        String before = shown();
        install("two");
        String now = before;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (now.equals(before) && System.nanoTime() < end) {
            anna.listSegments(ListSegmentsRequest.getDefaultInstance());
            assertEquals(
                    200,
                    post("ListSegments", "", "Authorization", "Bearer look").statusCode());
            node.api(nobody(), "look").listSegments(ListSegmentsRequest.getDefaultInstance());
            calls++;
            now = shown();
        }
        assertEquals("CN=n1", before);
        assertEquals("CN=n1,O=renewed", now);
        anna.listSegments(ListSegmentsRequest.getDefaultInstance());
        assertTrue(calls > 0);
    }

    /** Returns the subject that a new connection to the JSON port is shown. */
    private String shown() throws Exception {
        try (HttpClient fresh = HttpClient.newBuilder().sslContext(trusting()).build()) {
            SSLSession session = fresh.send(
                            HttpRequest.newBuilder(URI.create(CALL.formatted(node.jsonPort(), "ListSegments")))
                                    .header("Authorization", "Bearer look")
                                    .POST(BodyPublishers.noBody())
                                    .build(),
                            HttpResponse.BodyHandlers.discarding())
                    .sslSession()
                    .orElseThrow();
            return ((X509Certificate) session.getPeerCertificates()[0])
                    .getSubjectX500Principal()
                    .getName();
        }
    }
}
