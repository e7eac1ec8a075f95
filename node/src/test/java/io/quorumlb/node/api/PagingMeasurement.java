package io.quorumlb.node.api;

import io.quorumlb.proto.v1.ApplyRequest;
import io.quorumlb.proto.v1.ListMembersRequest;
import io.quorumlb.proto.v1.ListMembersResponse;
import io.quorumlb.proto.v1.Member;
import java.io.IOException;
import java.time.Duration;

/** Measures how long it takes to turn all pages of 10,000 members in 500 pools; run by hand. */
final class PagingMeasurement {
    private static final int POOLS = 500;
    private static final int EACH = 20;
    private static final int ROUNDS = 5;

    private PagingMeasurement() {}

    /** Prints a line for each round. */
    public static void main(String[] args) throws IOException {
        var site = io.quorumlb.proto.v1.Site.newBuilder()
                .addSegments(Site.SEGMENT.getSegment().toBuilder().setPrefix("10.64.0.0/16"));
        for (int pool = 0; pool < POOLS; pool++) {
            // Hardly a probe, so that the calls are measured and not the node's own work.
            var monitor = Site.POOL.getPool().getMonitor().toBuilder().setIntervalMillis(3_600_000);
            site.addPools(Site.POOL.getPool().toBuilder().setName("p" + pool).setMonitor(monitor));
            for (int i = 0; i < EACH; i++) {
                int number = pool * EACH + i;
                site.addMembers(Member.newBuilder()
                        .setName("be" + i)
                        .setPool("p" + pool)
                        .setSegment("p2")
                        .setAddress("10.64.%d.%d:8080".formatted(number / 250, number % 250 + 1))
                        .putLabels("rack", Integer.toString(number % 40)));
            }
        }
        try (LoneNode node = LoneNode.leading()) {
            var _ = node.api().apply(ApplyRequest.newBuilder().setSite(site).build());
            for (int round = 0; round < ROUNDS; round++) {
                turn(node, "");
                turn(node, "rack=7");
            }
        }
    }

    private static void turn(LoneNode node, String selector) {
        long start = System.nanoTime();
        int pages = 0;
        int members = 0;
        var request = ListMembersRequest.newBuilder().setLabelSelector(selector);
        do {
            ListMembersResponse page = node.api().listMembers(request.build());
            request.setPageToken(page.getNextPageToken());
            members += page.getMembersCount();
            pages++;
        } while (!request.getPageToken().isEmpty());
        System.out.printf(
                "%d members in %d pages: %d ms%n",
                members, pages, Duration.ofNanos(System.nanoTime() - start).toMillis());
    }
}
