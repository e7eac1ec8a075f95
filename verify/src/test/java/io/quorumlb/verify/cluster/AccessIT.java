package io.quorumlb.verify.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.quorumlb.proto.v1.ControlServiceGrpc;
import io.quorumlb.proto.v1.ControlServiceGrpc.ControlServiceBlockingStub;
import io.quorumlb.proto.v1.DrainMemberRequest;
import io.quorumlb.proto.v1.ListPoolsRequest;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Who may call a node of the site, and what is recorded of it. */
@ClusterTest
@Order(10)
final class AccessIT {
    private static final String NODE = "n2";
    private static final int JSON_PORT = 7403;
    private static final Duration RENEWED = Duration.ofSeconds(15);
    private static final ListPoolsRequest POOLS = ListPoolsRequest.getDefaultInstance();
    private static final DrainMemberRequest DRAIN = DrainMemberRequest.newBuilder()
            .setPool(SitePool.WEB.poolName())
            .setMember("be1")
            .build();

    private static ControlServiceBlockingStub api(ManagedChannel channel) {
        return ControlServiceGrpc.newBlockingStub(channel).withDeadlineAfter(8, TimeUnit.SECONDS);
    }

    private static HttpRequest.Builder call(Site site, String method) {
        return HttpRequest.newBuilder(URI.create("https://%s:%d/quorumlb.v1.ControlService/%s"
                        .formatted(site.api(NODE).address(), JSON_PORT, method)))
                .timeout(Duration.ofSeconds(8))
                .POST(BodyPublishers.noBody());
    }

    @Test
    void whoDoesNotSayWhoItIsIsRefusedOnBothPorts(Site site) throws Exception {
        ManagedChannel channel = site.api(NODE).channel(SiteAccess.nobody());
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(SiteAccess.context()).build()) {
            StatusRuntimeException refused = assertThrows(
                    StatusRuntimeException.class, () -> api(channel).listPools(POOLS));
            assertEquals(Status.Code.UNAUTHENTICATED, refused.getStatus().getCode(), refused::getMessage);
            var answer = client.send(call(site, "ListPools").build(), HttpResponse.BodyHandlers.ofString());
            assertEquals(401, answer.statusCode(), answer.body());
        } finally {
            channel.shutdownNow();
        }
    }

    @Test
    void aViewerReadsAndDoesNotDrainAndTheAuditShowsIt(Site site) throws Exception {
        ManagedChannel channel = site.api(NODE).channel(SiteAccess.nobody());
        try {
            Metadata headers = new Metadata();
            headers.put(
                    Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                    "Bearer " + SiteAccess.viewerToken());
            ControlServiceBlockingStub viewer =
                    api(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
            assertEquals(SitePool.values().length, viewer.listPools(POOLS).getPoolsCount());
            StatusRuntimeException refused =
                    assertThrows(StatusRuntimeException.class, () -> viewer.drainMember(DRAIN));
            assertEquals(Status.Code.PERMISSION_DENIED, refused.getStatus().getCode(), refused::getMessage);
        } finally {
            channel.shutdownNow();
        }
        String failed = site.container("n1").run("lbctl", "audit", "--failed", "--who", "viewer");
        assertTrue(failed.contains("DrainMember") && failed.contains("web/be1"), failed);
        assertTrue(failed.contains("PERMISSION_DENIED"), failed);
        try {
            site.api(NODE).drain("be1");
            String done = site.container("n3").run("lbctl", "audit", "--who", "admin");
            assertTrue(done.contains("DrainMember") && done.contains("web/be1"), done);
        } finally {
            site.api(NODE).enable("be1");
            site.awaitConverged(Site.ALL, Site.RECOVERY);
        }
    }

    @Test
    void aCertificateIsExchangedUnderRunningCallsAndNoneFails(Site site) throws Exception {
        String token = SiteAccess.viewerToken();
        BigInteger before = shown(site, token);
        Site.script("cluster-compose/access", "--renew", NODE);
        int calls = 0;
        BigInteger now = before;
        long end = System.nanoTime() + RENEWED.toNanos();
        while (now.equals(before) && System.nanoTime() < end) {
            site.api(NODE).status();
            now = shown(site, token);
            calls++;
        }
        assertTrue(!now.equals(before), "%s still shows the old certificate after %s".formatted(NODE, RENEWED));
        site.api(NODE).status();
        Figures.say("certificate exchanged under %d calls on each port, none failed", calls);
    }

    /** Returns the serial number of the certificate that a new connection is shown; the call must be answered. */
    private static BigInteger shown(Site site, String token) throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(SiteAccess.context()).build()) {
            var answer = client.send(
                    call(site, "ListPools")
                            .header("Authorization", "Bearer " + token)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode(), answer.body());
            X509Certificate certificate =
                    (X509Certificate) answer.sslSession().orElseThrow().getPeerCertificates()[0];
            return certificate.getSerialNumber();
        }
    }
}
